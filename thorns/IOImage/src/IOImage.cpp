// Pictures without any other program: slices of grid functions while the run goes on and at its end, and at its end the
// time series that IOASCII wrote.
#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/thorn.hpp>

#include <cmath>
#include <map>

#include "plots.hpp"
#include "series.hpp"

namespace IOImage {
using namespace Output;
using Output::coordinate;

// What made a picture goes into it.
Notes notes_of(const Simulation& s) {
  return {{"cereus parameters", s.resolved_parameters}, {"cereus build", s.provenance}};
}
std::optional<Provenance> provenance_of(const std::filesystem::path& path) {
  const Notes notes = notes_in(path);
  const auto parameters = notes.find("cereus parameters"), build = notes.find("cereus build");
  return parameters != notes.end() && build != notes.end()
             ? std::optional(Provenance{parameters->second, build->second})
             : std::nullopt;
}

void declare(Declaration& d) {
  d.describe("PNG pictures of slices and of time series");
  d.reads_provenance(provenance_of);
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Grid functions to draw");
  declare_every(d, 0);
  d.parameter("at_end", true, any(), "Draw at the end of the run as well");
  d.parameter("slice", "xy", one_of({"x", "y", "z", "xy", "xz", "yz"}), "The plane or line to draw");
  d.parameter("slice_through", {0.0, 0.0, 0.0}, any(), "The slice passes the grid point nearest to this one").length(3);
  d.parameter("range", std::vector<double>{}, any(),
      "Lowest and highest value of the colours, or of a profile's axis; []: those of each picture");
  d.parameter("keep_range", false, any(),
      "The range grows with the data of a run and never shrinks, so that pictures can be compared");
  d.parameter("colours", "auto",
      one_of({{"auto", "diverging for data of both signs, and for a range that is symmetric about 0; else sequential"},
          {"sequential"}, {"diverging"}}),
      "Which colours a plane has");
  d.parameter("log", false, any(), "Draw the logarithm of the magnitude");
  d.parameter("smooth", false, any(), "Interpolate between points instead of showing each as a cell");
  d.parameter("series", {"*.norm2.asc", "*energy.average.asc"}, any(),
      "Files of IOASCII in the output folder (patterns) to draw over time at the end of the run");
}

// The plane asked for, without the axes that this grid does not have: a 2D run has no z, a 1D run is a profile.
std::string slice_of(const Parameters& par, int dim) {
  std::string names;
  for (int d : axes_of(par.string("slice"), dim)) names += static_cast<char>('x' + d);
  return names.empty() ? "x" : names;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

struct Slice {
  std::string names;
  std::vector<int> axes;
  cereus::Box box;
  std::vector<std::vector<double>> at;  // coordinates of the points along each axis
  std::array<Centre, 3> centre;
  std::string where;  // "t = 1.25, z = 0"
};

Slice cut(const Simulation& s, const Parameters& par, const Group& g) {
  const Level& l = s.grid.levels.front();  // the coarsest level covers the domain
  Slice slice;
  slice.centre = g.centre;
  slice.names = slice_of(par, s.grid.dim);
  slice.axes = axes_of(slice.names, s.grid.dim);
  slice.box = region(s.grid, l, g.centre, slice.axes, point_of(par, "slice_through"));
  slice.where = "t = " + number(s.clock.time);
  for (int d = 0; d < s.grid.dim; ++d) {
    if (std::find(slice.axes.begin(), slice.axes.end(), d) == slice.axes.end())
      slice.where += std::string(", ") + static_cast<char>('x' + d) + " = " +
                     number(coordinate(s.grid, l, g.centre, d, slice.box.lo[d]));
  }
  for (int d : slice.axes) {
    auto& x = slice.at.emplace_back();
    for (int i = slice.box.lo[d]; i < slice.box.hi[d]; ++i) x.push_back(coordinate(s.grid, l, g.centre, d, i));
  }
  return slice;
}

// How values are shown: on rank 0.
struct Look {
  double low = HUGE_VAL, high = -HUGE_VAL;  // low > high: as the picture's own data are
  std::string colours;
  bool smooth, log, given = false;  // given: by the parameter `range`, and so left as it is
};

using Kept = std::map<std::string, std::pair<double, double>>;  // the range so far of each picture's name

// Turns values into magnitudes if their logarithm is wanted.
Look look_at(const Parameters& par, const std::string& name, std::vector<double>& values, Kept& kept) {
  Look look{.colours = par.string("colours"), .smooth = par.boolean("smooth"), .log = par.boolean("log")};
  if (look.log)
    for (double& v : values) v = std::abs(v);
  if (const auto range = par.reals("range"); !range.empty()) {
    look.low = range[0], look.high = range[1], look.given = true;
  } else if (par.boolean("keep_range")) {
    auto& [low, high] = kept.try_emplace(name, look.low, look.high).first->second;
    for (const double v : values)
      if (std::isfinite(v) && (!look.log || v > 0)) low = std::min(low, v), high = std::max(high, v);
    look.low = low, look.high = high;
  }
  return look;
}

void draw_profile(const Slice& slice, const Look& look, const std::string& name, std::vector<double> values,
    const std::filesystem::path& path, const Notes& notes) {
  LinePlot plot;
  plot.log_y = look.log;
  if (look.low <= look.high) plot.ymin = look.low, plot.ymax = look.high;
  plot.title = name + ",  " + slice.where;
  plot.xlabel = slice.names;
  plot.ylabel = name;
  Series line;
  line.t = slice.at[0];
  line.y = std::move(values);
  plot.series = {std::move(line)};
  draw_lines(plot, path, notes);
}

// Along one axis of a picture, whose cells are all as wide: the outer edges, and which point each cell shows, which is
// the one that fills the place.
struct Cells {
  double lower, upper;
  std::vector<int> point;
};
Cells cells_along(const Slice& slice, const Patch& space, std::size_t axis) {
  const int d = slice.axes[axis], lo = slice.box.lo[d], n = slice.box.extent(d);
  const auto& x = slice.at[axis];
  Cells c;
  if (!space.stretched(d)) {
    c.lower = x.front() - 0.5 * space.spacing[d], c.upper = x.back() + 0.5 * space.spacing[d];
    for (int i = 0; i < n; ++i) c.point.push_back(i);
    return c;
  }
  const bool vertex = slice.centre[d] == Centre::vertex;
  const auto edge = [&](int i) {
    return space.coordinate(d, vertex ? Centre::cell : Centre::vertex, vertex ? i - 1 : i);
  };
  c.lower = edge(lo), c.upper = edge(lo + n);
  constexpr double most = 2000;
  const int cells = static_cast<int>(std::min(most, (c.upper - c.lower) / space.smallest_distance(d)));
  for (int i = 0; i < cells; ++i) {
    const double at = space.cells_to(d, c.lower + (c.upper - c.lower) * (i + 0.5) / cells) + (vertex ? 0.5 : 0.0);
    c.point.push_back(std::clamp(static_cast<int>(std::floor(at)) + space.cells.lo[d] - lo, 0, n - 1));
  }
  return c;
}

void draw_plane(const Slice& slice, const Level& l, const Look& look, const std::string& name,
    std::vector<double> values, const std::filesystem::path& path, const Notes& notes) {
  Image2D image;
  const Cells x = cells_along(slice, l.space, 0), y = cells_along(slice, l.space, 1);
  image.nx = static_cast<int>(x.point.size()), image.ny = static_cast<int>(y.point.size());
  image.x0 = x.lower, image.x1 = x.upper, image.y0 = y.lower, image.y1 = y.upper;
  image.title = (look.log ? "log₁₀ |" + name + "|" : name) + ",  " + slice.where;
  image.xlabel = slice.names.substr(0, 1), image.ylabel = slice.names.substr(1);
  const auto shown = [&](double v) { return look.log ? std::log10(v) : v; };
  for (double& v : values) v = shown(v);
  auto [low, high] = std::pair(look.low, look.high);
  if (low <= high) image.vmin = low = shown(low), image.vmax = high = shown(high);
  else low = *std::min_element(values.begin(), values.end()), high = *std::max_element(values.begin(), values.end());
  image.diverging = look.colours == "auto" ? low < 0 && high > 0 && !look.log && (!look.given || low == -high)
                                           : look.colours == "diverging";
  if (image.diverging && image.vmin && !look.given)
    image.vmax = std::max(-*image.vmin, *image.vmax), image.vmin = -*image.vmax;
  image.smooth = look.smooth;
  const int row = slice.box.extent(slice.axes[0]);
  for (const int j : y.point)
    for (const int i : x.point) image.values.push_back(values[static_cast<std::size_t>(j * row + i)]);
  draw_heatmap(image, path, notes);
}

// THORN-VARIABLE.AXES.itITERATION.png for each variable.
void draw(Simulation& s, const Parameters& par, std::span<const VariableAccess> accesses, Kept& kept) {
  RankZero rank_zero(s.process);
  const auto blocks = all_blocks(s, 0);
  for (const auto& chosen : by_group(accesses)) {
    const Group& g = s.groups[chosen.group];
    if (g.kind != GroupKind::grid_function) continue;
    const ScalarType type = s.type(chosen.group);
    const Slice slice = cut(s, par, g);
    for (const auto& a : chosen.accesses) {
      const auto bytes = gather_bytes(s, 0, a, slice.box, blocks);
      for (int p = 0; p < parts(type); ++p)
        rank_zero([&] {
          const std::string name = part_name(short_name(s, a), type, p);
          char ending[32];
          std::snprintf(ending, sizeof ending, ".it%08d.png", s.clock.iteration);
          const auto path = s.output / (lower_case(g.thorn) + "-" + name + "." + slice.names + ending);
          auto values = part_of(bytes, type, p);
          const std::string full_name = g.thorn + "::" + name;
          const Look look = look_at(par, full_name, values, kept);
          if (slice.axes.size() == 1) draw_profile(slice, look, full_name, std::move(values), path, notes_of(s));
          else draw_plane(slice, s.grid.levels.front(), look, full_name, std::move(values), path, notes_of(s));
        });
    }
  }
  rank_zero.agree();
}

void draw_slices(Context& c, Kept& kept) { draw(c.simulation(), c.parameters(), c.accesses(), kept); }

void draw_last_slices(Context& c, Kept& kept) {
  Simulation& s = c.simulation();
  const auto& par = c.parameters();
  const Every every = every_of(par);
  if (!every.never && every.due(s.clock.iteration, s.clock.time, s.clock.dt)) return;  // drawn a moment ago
  draw(s, par, present(s, par.strings("variables")), kept);
}

void draw_series(Context& c) {
  Simulation& s = c.simulation();
  RankZero rank_zero(s.process);
  rank_zero([&] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(s.output))
      for (const auto& pattern : c.parameters().strings("series"))
        if (glob_match(pattern, entry.path().filename().string())) {
          files.push_back(entry.path());
          break;
        }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      LinePlot plot;
      plot.series = read_series(file);
      plot.title = title_of(s.groups, file, plot.series);
      plot.xlabel = "t";
      if (plot.series.size() == 1) plot.ylabel = std::exchange(plot.series[0].label, "");
      auto picture = file;
      draw_lines(plot, picture.replace_extension(".png"), notes_of(s));
    }
  });
  rank_zero.agree();
}

void check_range(const Parameters& par) {
  const auto range = par.reals("range");
  if (!range.empty() && (range.size() != 2 || !(range[0] < range[1]) || (par.boolean("log") && range[0] <= 0)))
    throw Error(par.where("range"),
        std::string("IOImage.range is [lowest, highest]") + (par.boolean("log") ? ", above 0 for a logarithm" : ""));
}

void schedule(Schedule& s, const Parameters& par) {
  check_range(par);
  const auto kept = std::make_shared<Kept>();
  s.routine("slices", "Pictures of slices", [kept](Context& c) { draw_slices(c, *kept); })
      .reads(par.strings("variables"))
      .only([par](const Simulation& s, int level, int group) {
        const auto axes = axes_of(slice_of(par, s.grid.dim), s.grid.dim);
        return std::vector{
            region(s.grid, s.grid.levels[level], s.groups[group].centre, axes, point_of(par, "slice_through"))};
      })
      .at(bin::output)
      .every(every_of(par))
      .once();
  if (par.boolean("at_end"))
    s.routine("last_slices", "Pictures of the last slices", [kept](Context& c) { draw_last_slices(c, *kept); })
        .at(bin::terminate)
        .once();
  if (!par.strings("series").empty())
    s.routine("series", "Pictures of time series", draw_series).at(bin::terminate).once();
}
}  // namespace IOImage
CEREUS_THORN(IOImage, IOImage::declare, IOImage::schedule, "*.png")
