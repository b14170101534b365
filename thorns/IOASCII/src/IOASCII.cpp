// Text files that gnuplot and kuibit read as they are: norms over time, grid scalars, lines through the grid, and
// points.
#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/block_index.hpp>
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>

namespace IOASCII {
using namespace Output;

// Carpet's columns, tabs and all; kuibit finds its way by this line.
constexpr const char* column_format =
    "# column format: 1:it\t2:tl\t3:rl 4:c 5:ml\t6:ix 7:iy 8:iz\t9:time\t10:x 11:y 12:z\t13:data\n";

void declare(Declaration& d) {
  d.describe("Text output: norms, grid scalars, lines and points, in the formats of Carpet that kuibit reads");
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Grid functions, and grid scalars or arrays, to write");
  declare_every(d, 1);
  d.parameter("reductions", {"minimum", "maximum", "average", "norm1", "norm2", "norm_inf"},
      one_of({{"minimum", "the smallest value"}, {"maximum", "the largest"}, {"sum", "the integral over the domain"},
          {"average", "the integral over the volume"}, {"norm1", "the average of |v|"},
          {"norm2", "the root of the average of v²"}, {"norm_inf", "the largest |v|"}}),
      "Norms over time to write, each to a file");
  d.parameter("lines", std::vector<std::string>{}, one_of({"x", "y", "z"}), "Lines along these axes to write");
  d.parameter("line_through", {0.0, 0.0, 0.0}, any(), "Lines pass the grid point nearest to this one")
      .length(3)
      .only_with("lines");
  d.parameter("lines_every", 0, at_least(0), "Write lines every so many iterations; 0: as `every` and `every_time` say")
      .only_with("lines");
  d.parameter("points", std::vector<double>{}, any(), "Points x, y, z, x, y, z … at which to write values");
  d.parameter("print_points", false, any(), "Print the values at `points` at the end of the run").only_with("points");
  d.needs<Reduction>();
}

std::string columns(const Simulation& s, const Chosen& chosen, int first, bool in_parts) {
  std::string text = "# data columns:";
  int column = first;
  const ScalarType type = s.type(chosen.group);
  for (const auto& a : chosen.accesses)
    for (int p = 0; p < (in_parts ? parts(type) : 1); ++p)
      text +=
          " " + std::to_string(column++) + ":" + (in_parts ? part_name(short_name(s, a), type, p) : short_name(s, a));
  return text + "\n";
}

double pick(const Reduction::Norms& n, const std::string& what) {
  if (what == "minimum") return n.minimum;
  if (what == "maximum") return n.maximum;
  if (what == "sum") return n.sum;
  if (what == "average") return n.average;
  if (what == "norm1") return n.norm1;
  if (what == "norm2") return n.norm2;
  return n.norm_inf;
}

// One file a group and reduction: iteration, time, a column a variable.
void write_norms(Simulation& s, const Chosen& chosen, const std::vector<std::string>& reductions, RankZero& rank_zero) {
  const Group& g = s.groups[chosen.group];
  auto& reduction = s.services.get<Reduction>();
  std::vector<Reduction::Norms> norms;
  for (const auto& a : chosen.accesses) norms.push_back(reduction.reduce(s, a.group, a.component));
  rank_zero([&] {
    for (const auto& what : reductions) {
      std::string line = std::to_string(s.clock.iteration) + " " + all_digits(s.clock.time);
      for (const auto& n : norms) line += " " + all_digits(pick(n, what));
      append_lines(s.output / (file_stem(g) + "." + what + ".asc"),
          "# Scalar ASCII output\n# " + upper_case(g.thorn) + "::" + g.name + " (" + file_stem(g) +
              ")\n# 1:iteration 2:time 3:data\n" + columns(s, chosen, 3, false),
          line + "\n");
    }
  });
}

std::string row(int iteration, double time, int level, Index i, const std::array<double, 3>& x) {
  return std::to_string(iteration) + "\t0\t" + std::to_string(level) + " 0 0\t" + std::to_string(i[0]) + " " +
         std::to_string(i[1]) + " " + std::to_string(i[2]) + "\t" + all_digits(time) + "\t" + all_digits(x[0]) + " " +
         all_digits(x[1]) + " " + all_digits(x[2]) + "\t";
}

// Grid scalars: Carpet's row without a place. An array is a row an element, ix counting them.
void write_scalars(Simulation& s, const Chosen& chosen, RankZero& rank_zero) {
  rank_zero([&] {
    const Group& g = s.groups[chosen.group];
    const ScalarType type = s.type(chosen.group);
    const auto n = static_cast<std::size_t>(s.fields.elements(chosen.group));
    std::vector<std::vector<double>> data;
    for (const auto& a : chosen.accesses) {
      const char* p = s.fields.plain(a.group, a.component, 0);
      for (int part = 0; part < parts(type); ++part) data.push_back(part_of({p, p + n * size_of(type)}, type, part));
    }
    std::string lines;
    for (std::size_t i = 0; i < n; ++i) {
      lines += row(s.clock.iteration, s.clock.time, 0, {static_cast<int>(i), 0, 0}, {});
      for (std::size_t v = 0; v < data.size(); ++v) lines += (v ? " " : "") + all_digits(data[v][i]);
      lines += "\n";
    }
    append_lines(s.output / (file_stem(g) + "..asc"),
        std::string("# 0D ASCII output\n") + column_format + columns(s, chosen, 13, true), lines + "\n");
  });
}

void write_norms_and_scalars(Context& c) {
  Simulation& s = c.simulation();
  RankZero rank_zero(s.process);
  const auto reductions = c.parameters().strings("reductions");
  for (const auto& chosen : by_group(c.accesses())) {
    if (s.groups[chosen.group].kind != GroupKind::grid_function) write_scalars(s, chosen, rank_zero);
    else if (!reductions.empty()) write_norms(s, chosen, reductions, rank_zero);
  }
  rank_zero.agree();
}

// The values of all parts of all chosen variables in a small region, one list a part; on rank 0.
std::vector<std::vector<double>> values_in(
    Simulation& s, const Chosen& chosen, int level, const Box& box, const std::vector<BlockHome>& blocks) {
  std::vector<std::vector<double>> data;
  const ScalarType type = s.type(chosen.group);
  for (const auto& a : chosen.accesses) {
    const auto bytes = gather_bytes(s, level, a, box, blocks);
    for (int part = 0; part < parts(type); ++part) data.push_back(part_of(bytes, type, part));
  }
  return data;
}

// Whether some block of a level has this point: blocks of a level need not cover the index space.
bool has_point(
    const Patch& space, const BlockIndex& blocks, const std::array<Centre, 3>& centre, const Index& at, int dim) {
  bool found = false;
  blocks.for_each(grow({at, {at[0] + 1, at[1] + 1, at[2] + 1}}, {1, 1, 1}),
      [&](const BlockHome& b) { found = found || space.points(b.cells, centre, dim).contains(at); });
  return found;
}

void write_line(Simulation& s, const Chosen& chosen, const std::string& axis, const std::array<double, 3>& through,
    RankZero& rank_zero) {
  const Group& g = s.groups[chosen.group];
  const auto axes = axes_of(axis, s.grid.dim);
  if (axes.empty()) return;
  for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) {
    const Level& l = s.grid.levels[level];
    const Box box = region(s.grid, l, g.centre, axes, through);
    const BlockIndex blocks(all_blocks(s, level));
    const auto data = values_in(s, chosen, level, box, blocks.blocks());
    rank_zero([&] {
      std::string lines = "# iteration " + std::to_string(s.clock.iteration) + "   time " + all_digits(s.clock.time) +
                          "\n" + column_format + columns(s, chosen, 13, true);
      std::size_t n = 0;
      for_each_point(box, [&](int i, int j, int k) {
        const std::size_t here = n++;
        if (!has_point(l.space, blocks, g.centre, {i, j, k}, s.grid.dim)) return;
        lines += row(s.clock.iteration, s.clock.time, level, {i, j, k},
            {coordinate(s.grid, l, g.centre, 0, i), coordinate(s.grid, l, g.centre, 1, j),
                coordinate(s.grid, l, g.centre, 2, k)});
        for (std::size_t v = 0; v < data.size(); ++v) lines += (v ? " " : "") + all_digits(data[v][here]);
        lines += "\n";
      });
      append_lines(s.output / (file_stem(g) + "." + axis + ".asc"), "", lines + "\n\n");
    });
  }
}

void write_lines(Context& c) {
  Simulation& s = c.simulation();
  RankZero rank_zero(s.process);
  for (const auto& chosen : by_group(c.accesses()))
    if (s.groups[chosen.group].kind == GroupKind::grid_function)
      for (const auto& axis : c.parameters().strings("lines"))
        write_line(s, chosen, axis, point_of(c.parameters(), "line_through"), rank_zero);
  rank_zero.agree();
}

// The grid point nearest to a place, of the block of the finest level that has the place.
std::pair<int, Box> nearest(Simulation& s, const std::array<Centre, 3>& centre, const std::array<double, 3>& place) {
  for (int level = static_cast<int>(s.grid.levels.size()) - 1; level > 0; --level) {
    const Patch& space = s.grid.levels[level].space;
    Index cell = space.cells.lo;
    for (int d = 0; d < s.grid.dim; ++d)
      cell[d] = std::clamp(
          cell[d] + static_cast<int>(std::floor(space.cells_to(d, place[d]))), cell[d], space.cells.hi[d] - 1);
    const BlockIndex blocks(all_blocks(s, level));
    const BlockHome* home = blocks.find(cell);
    if (!home) continue;
    Box box = region(s.grid, s.grid.levels[level], centre, {}, place);
    const Box own = space.points(home->cells, centre, s.grid.dim);
    for (int d = 0; d < s.grid.dim; ++d)
      box.lo[d] = std::clamp(box.lo[d], own.lo[d], own.hi[d] - 1), box.hi[d] = box.lo[d] + 1;
    return {level, box};
  }
  return {0, region(s.grid, s.grid.levels[0], centre, {}, place)};
}

// For each point asked for: f(coordinates of the grid point nearest to it, a value for each part of each variable).
template <class F> void at_points(Simulation& s, const Chosen& chosen, const std::vector<double>& points, F&& f) {
  const auto& centre = s.groups[chosen.group].centre;
  for (std::size_t p = 0; p + 2 < points.size(); p += 3) {
    const auto [level, box] = nearest(s, centre, {points[p], points[p + 1], points[p + 2]});
    const auto data = values_in(s, chosen, level, box, all_blocks(s, level));
    std::array<double, 3> x{};
    for (int d = 0; d < 3; ++d) x[d] = coordinate(s.grid, s.grid.levels[level], centre, d, box.lo[d]);
    f(x, data);
  }
}

void write_points(Context& c) {
  Simulation& s = c.simulation();
  RankZero rank_zero(s.process);
  for (const auto& chosen : by_group(c.accesses())) {
    const Group& g = s.groups[chosen.group];
    if (g.kind != GroupKind::grid_function) continue;
    std::string lines;
    at_points(s, chosen, c.parameters().reals("points"), [&](const std::array<double, 3>& x, const auto& data) {
      lines += std::to_string(s.clock.iteration) + " " + all_digits(s.clock.time);
      for (double coordinate : x) lines += " " + all_digits(coordinate);
      for (const auto& values : data)
        for (double v : values) lines += " " + all_digits(v);
      lines += "\n";
    });
    rank_zero([&] {
      append_lines(s.output / (file_stem(g) + ".points.asc"),
          "# Values at the grid points nearest to those asked for\n# 1:iteration 2:time 3:x 4:y 5:z 6:data\n" +
              columns(s, chosen, 6, true),
          lines);
    });
  }
  rank_zero.agree();
}

void print_points(Context& c) {
  Simulation& s = c.simulation();
  std::vector<std::string> stale;
  const auto accesses = present(s, c.parameters().strings("variables"), &stale);
  for (const auto& name : stale)
    console::warn("IOASCII: " + name + " is not printed: the last iteration did not compute it");
  for (const auto& chosen : by_group(accesses))
    at_points(s, chosen, c.parameters().reals("points"), [&](const std::array<double, 3>& x, const auto& data) {
      const ScalarType type = s.type(chosen.group);
      for (std::size_t v = 0; v < data.size(); ++v)
        for (double value : data[v]) {  // none but on rank 0
          const auto& name = s.variable_name(chosen.group, chosen.accesses[v / parts(type)].component);
          console::say(part_name(name, type, static_cast<int>(v) % parts(type)) + " at (" + format_double(x[0]) + ", " +
                       format_double(x[1]) + ", " + format_double(x[2]) + "), t = " + format_double(s.clock.time) +
                       ": " + all_digits(value));
        }
    });
}

// Points are triples on any grid: pairs would be taken for others.
void check_points(const Context& c) {
  const auto points = c.parameters().reals("points");
  for (std::size_t n = 0; n < points.size() && c.rank() == 0; ++n)
    if (static_cast<int>(n % 3) >= c.grid().dim && points[n] != 0)
      return console::warn(Problem{c.parameters().where("points"),
          std::string("IOASCII.points: ") + "xyz"[n % 3] + " = " + format_double(points[n]) +
              " is nowhere on a grid of " + std::to_string(c.grid().dim) +
              " dimensions; points are x, y, z there, too, with 0 along axes that it lacks"}
                               .text());
}

void schedule(Schedule& s, const Parameters& par) {
  const auto variables = par.strings("variables");
  const bool own_rhythm = par.integer("lines_every") > 0;
  s.routine("norms", "Norms and grid scalars over time", write_norms_and_scalars)
      .reads(variables)
      .launches_kernels()  // norms are reduced where the variables are
      .at(bin::output)
      .every(every_of(par))
      .once();
  s.routine("check", "Says which lines and points there are none of",
       [](Context& c) {
         check_points(c), say_left_out(c, "lines");
         warn_of_place(c, "points", "; the nearest grid point is taken");
         if (c.parameters().changed("line_through")) warn_of_place(c, "line_through", "; the nearest line is taken");
         const Parameters& p = c.parameters();
         const Every every = every_of(p);
         const bool lines = !p.strings("lines").empty() && p.integer("lines_every") > 0;
         if (p.was_set("variables") && every.never && !every.at_end && !lines && c.rank() == 0)
           console::warn(Problem{
               p.where("every"), "IOASCII writes nothing: every is 0, and neither every_time nor at_end says when"}
                             .text());
         const auto none = [&](const std::string& name) { return c.simulation().match(name).empty(); };
         if (!c.parameters().was_set("variables") && c.rank() == 0 &&
             std::ranges::all_of(c.parameters().strings("variables"), none))
           console::warn(
               "IOASCII writes nothing: no variable is evolved; name some, IOASCII: {variables: [THORN::NAME]}");
       })
      .at(bin::paramcheck)
      .once();
  if (!par.strings("lines").empty())
    s.routine("lines", "Lines through the grid", write_lines)
        .reads(variables)
        .only(regions(par.strings("lines"), point_of(par, "line_through")))
        .at(bin::output)
        .every(every_of(par, own_rhythm ? "lines_every" : "every"))
        .once();
  if (par.reals("points").empty()) return;
  if (par.reals("points").size() % 3)
    throw Error(
        par.where("points"), "IOASCII.points must be a list of x, y, z, x, y, z …: its length is no multiple of 3");
  const auto points = par.reals("points");
  const auto at_points_only = [points](const Simulation& s, int level, int group) {
    std::vector<Box> boxes;
    Index beside{};  // another point may be nearest among those of the block
    for (int d = 0; s.grid.levels.size() > 1 && d < s.grid.dim; ++d) beside[d] = 1;
    for (std::size_t p = 0; p + 2 < points.size(); p += 3)
      boxes.push_back(grow(
          region(s.grid, s.grid.levels[level], s.groups[group].centre, {}, {points[p], points[p + 1], points[p + 2]}),
          beside));
    return boxes;
  };
  s.routine("points", "Values at points", write_points)
      .reads(variables)
      .only(at_points_only)
      .at(bin::output)
      .every(every_of(par))
      .once();
  if (par.boolean("print_points"))
    s.routine("print_points", "Prints the values at points", print_points).at(bin::terminate).once();
}
}  // namespace IOASCII
CEREUS_THORN(IOASCII, IOASCII::declare, IOASCII::schedule)
