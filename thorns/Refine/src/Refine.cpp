// Says where a forest should be finer: where a measure of a variable is above a limit, near such points, and in balls.
#include <Forest/refinement.hpp>
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include "kernels.hpp"
#include "spheres.hpp"

namespace Refine {
struct Limits {
  Measure measure;
  double refine, coarsen;
  int buffer;
};

// Of blocks of one level, which are of one size.
template <int dim, class Real>
Found look(Simulation& s, const VariableAccess& a, std::span<const int> numbers, const Limits& how) {
  const Block& first = s.grid.blocks[static_cast<std::size_t>(numbers[0])];
  const Box& cells = s.grid.levels[static_cast<std::size_t>(first.level)].space.cells;
  Kernel<Look<dim, Real>, dim, Real> kernel;
  kernel->measure = how.measure, kernel->refine = how.refine, kernel->coarsen = how.coarsen;
  Blocks& blocks = kernel->blocks;
  blocks.size = first.cells.extent(0), blocks.buffer = how.buffer;
  for (int d = 0; d < 3; ++d)
    blocks.first[d] = cells.lo[d], blocks.last[d] = d < dim ? cells.extent(d) / blocks.size - 1 : 0;
  std::ranges::fill(blocks.place, -1);
  std::vector<BlockBox> boxes;
  for (const int n : numbers) {
    const Block& b = s.grid.blocks[static_cast<std::size_t>(n)];
    int along[3] = {};
    for (int d = 0; d < dim; ++d) along[d] = (b.cells.lo[d] - cells.lo[d]) / blocks.size;
    blocks.place[boxes.size()] = Blocks::number(along);
    boxes.push_back({n, s.grid.points(b, s.groups[a.group].centre)});
  }
  Found result = Found::identity();
  launch(s, {.table = &kernel.table(), .handles = {&a, 1}, .level = first.level, .result = &result, .who = "Refine"},
      boxes);
  return result;
}
Found look(Simulation& s, const VariableAccess& a, std::span<const int> blocks, const Limits& how) {
  if (s.type(a.group) == ScalarType::float32)
    return s.grid.dim == 2 ? look<2, float>(s, a, blocks, how) : look<3, float>(s, a, blocks, how);
  return s.grid.dim == 2 ? look<2, double>(s, a, blocks, how) : look<3, double>(s, a, blocks, how);
}

class Wishes : public Forest::Refinement {
 public:
  std::vector<Forest::Wish> wishes(Simulation&) override { return wishes_; }

  void forget(const Simulation& s) { wishes_.assign(s.grid.blocks.size(), {Forest::Wish::coarser, 0}); }

  void look_at(Simulation& s, std::span<const VariableAccess> variables, std::span<const Limits> limits) {
    std::map<int, std::vector<int>> blocks;  // by level
    for (int b = 0; b < static_cast<int>(s.grid.blocks.size()); ++b)
      if (const Block& block = s.grid.blocks[b]; !block.covered && !s.grid.levels[block.level].space.map)
        blocks[block.level].push_back(b);
    for (std::size_t n = 0; n < variables.size(); ++n)
      for (const auto& [level, all] : blocks)
        for (std::size_t begin = 0; begin < all.size(); begin += together) {
          const std::span<const int> some(all.data() + begin, std::min<std::size_t>(together, all.size() - begin));
          const Found found = look(s, variables[n], some, limits[n]);
          for (std::size_t b = 0; b < some.size(); ++b) add(s, variables[n], some[b], found.bits[b]);
        }
  }

  // Warns of what is followed and was near the surface of its ball before the ball comes along.
  void warn_of_flight(const Simulation& s, const Sphere& sphere, const std::vector<double>& centre) {
    const auto [last, first] = centres_.try_emplace(sphere.text, centre);
    double square = 0;
    for (std::size_t d = 0; d < centre.size(); ++d)
      square += (centre[d] - last->second[d]) * (centre[d] - last->second[d]);
    last->second = centre;
    if (s.process.rank() == 0 && std::sqrt(square) > sphere.radius / 2)
      console::warn("Refine.spheres: '" + sphere.text + "': what is followed moved by " +
                    format_double(std::sqrt(square)) +
                    " between changes of blocks, more than half of the radius, iteration " +
                    std::to_string(s.clock.iteration) + "; take a smaller Forest.every, or a larger ball");
  }

  // Blocks that meet the ball are of its level at least.
  void add(const Simulation& s, const Sphere& sphere, std::span<const double> centre) {
    for (std::size_t n = 0; n < wishes_.size(); ++n) {
      const Block& b = s.grid.blocks[n];
      const Level& level = s.grid.levels[b.level];
      if (level.space.map || level.number > sphere.level ||
          !meets(level.space, b.cells, s.grid.dim, centre, sphere.radius))
        continue;
      wishes_[n].change =
          std::max(wishes_[n].change, level.number < sphere.level ? Forest::Wish::finer : Forest::Wish::stay);
    }
  }

 private:
  void add(const Simulation& s, const VariableAccess& a, int block, unsigned passed) {
    const Block& b = s.grid.blocks[block];
    if (passed & not_finite)
      throw Failure("Refine: " + s.variable_name(a.group, a.component) + " is not finite in block " +
                    std::to_string(b.number) + " of " + s.grid.levels[b.level].name() + ", iteration " +
                    std::to_string(s.clock.iteration) + "; add thorn NaNChecker, which finds the first such step");
    Forest::Wish& wish = wishes_[block];
    wish.around |= passed & (not_fine_enough - 1);
    if (passed & not_fine_enough) wish.change = Forest::Wish::finer;
    else if (passed & not_too_fine && wish.change == Forest::Wish::coarser) wish.change = Forest::Wish::stay;
  }
  std::vector<Forest::Wish> wishes_;                    // of each block of this process
  std::map<std::string, std::vector<double>> centres_;  // of balls, when blocks changed last
};

Measure measure_of(const std::string& name) {
  return name == "value" ? Measure::value : name == "gradient" ? Measure::gradient : Measure::curvature;
}
std::vector<Sphere> spheres_of(const Parameters& par) {
  std::vector<Sphere> spheres;
  for (const std::string& text : par.strings("spheres")) spheres.push_back(sphere_of(text, par.where("spheres")));
  return spheres;
}
// One value for all entries of `variables`, or one for each.
template <class List> auto entry(const List& list, std::size_t n) { return list.size() == 1 ? list[0] : list[n]; }

void check_spheres(const Simulation& s, const Parameters& par) {
  const auto wrong = [&](const Sphere& sphere, const std::string& what) {
    throw Error(par.where("spheres"), "Refine.spheres: '" + sphere.text + "' " + what);
  };
  const auto levels = s.of("Forest").integer("levels");
  for (const Sphere& sphere : spheres_of(par)) {
    if (sphere.level >= levels)
      wrong(sphere, "asks for level " + std::to_string(sphere.level) + "; Forest.levels: " + std::to_string(levels) +
                        " has levels 0 to " + std::to_string(levels - 1));
    if (sphere.thorn.empty()) {
      if (static_cast<int>(sphere.at.size()) != s.grid.dim)
        wrong(sphere, "has a place of " + std::to_string(sphere.at.size()) + " coordinates on a grid of " +
                          std::to_string(s.grid.dim) + " dimensions");
      const Patch& domain = s.grid.levels[0].space;
      if (!meets(domain, domain.cells, s.grid.dim, sphere.at, sphere.radius)) wrong(sphere, "lies outside the domain");
      continue;
    }
    for (const std::string& name : sphere.arrays()) {
      const int v = s.variable_number(name);
      const bool numbers = v >= 0 && s.groups[s.variables[v].group].kind == GroupKind::array &&
                           s.type(s.variables[v].group) == ScalarType::float64;
      if (!numbers) wrong(sphere, "needs arrays of double numbers x, y and z of a thorn; there is no " + name);
      const auto& shape = s.groups[s.variables[v].group].shape;
      if (shape.size() != 1 || sphere.n > shape[0])
        wrong(sphere, "asks for number " + std::to_string(sphere.n) + " of " +
                          std::to_string(shape.empty() ? 1 : shape[0]) + " in " + name);
    }
  }
}

void check(Context& c) {
  const Parameters& par = c.parameters();
  const Simulation& s = c.simulation();
  if (!s.services.get<Driver>().adapts(0))
    throw Error(par.where("variables"), "Refine says where blocks should be finer, and those of " +
                                            s.services.provider<Driver>() +
                                            " stay; take Forest: {levels: 3, every: 4}, or leave Refine out");
  for (const Block& b : s.grid.blocks)
    if (par.integer("buffer") > b.cells.extent(0))
      throw Error(par.where("buffer"), "Refine.buffer: " + std::to_string(par.integer("buffer")) +
                                           " cells reach beyond the next block of " +
                                           std::to_string(b.cells.extent(0)));
  check_spheres(s, par);
  const auto variables = par.strings("variables");
  const auto refine = par.reals("refine_above"), coarsen = par.reals("coarsen_below");
  for (const char* name : {"measure", "refine_above", "coarsen_below"})
    if (const auto n = par[name].elements().size(); n != 1 && n != variables.size())
      throw Error(par.where(name), std::string("Refine.") + name + " has " + std::to_string(n) + " entries for " +
                                       std::to_string(variables.size()) + " of Refine.variables; give one, or as many");
  for (std::size_t n = 0; n < variables.size(); ++n) {
    if (measure_of(entry(par.strings("measure"), n)) == Measure::curvature && entry(refine, n) >= 1)
      throw Error(par.where("refine_above"), "Refine.refine_above: " + format_double(entry(refine, n)) +
                                                 " is never passed by measure: curvature, which is at most 1");
    if (!(entry(coarsen, n) < entry(refine, n)))
      throw Error(par.where("coarsen_below"),
          "Refine.coarsen_below: " + format_double(entry(coarsen, n)) + " must be less than Refine.refine_above: " +
              format_double(entry(refine, n)) + ", by half or more; else blocks come and go each time");
    for (const int v : s.match(variables[n])) {
      const Group& g = s.groups[s.variables[v].group];
      const ScalarType type = s.type(s.variables[v].group);
      if (g.kind != GroupKind::grid_function || (type != ScalarType::float32 && type != ScalarType::float64))
        throw Error(par.where("variables"),
            "Refine.variables: " + s.variables[v].name + " is no real grid function; take one, such as a density");
    }
  }
}

void measure(Context& c) {
  const Parameters& par = c.parameters();
  Simulation& s = c.simulation();
  auto* wishes = dynamic_cast<Wishes*>(s.services.find<Forest::Refinement>());
  if (!wishes) return;  // another thorn says where
  const auto patterns = par.strings("variables");
  std::vector<VariableAccess> variables;
  std::vector<Limits> limits;
  for (std::size_t n = 0; n < patterns.size(); ++n)
    for (const int v : s.match(patterns[n])) {
      variables.push_back({s.variables[v].group, s.variables[v].component});
      limits.push_back({measure_of(entry(par.strings("measure"), n)), entry(par.reals("refine_above"), n),
          entry(par.reals("coarsen_below"), n), static_cast<int>(par.integer("buffer"))});
    }
  wishes->forget(s);
  wishes->look_at(s, variables, limits);
  for (const Sphere& sphere : spheres_of(par)) {
    std::vector<double> centre = sphere.at;
    if (!sphere.thorn.empty())
      for (const std::string& name : sphere.arrays())
        centre.push_back(c.read_values<double>(name)[static_cast<std::size_t>(sphere.n - 1)]);
    for (const double x : centre)
      if (!std::isfinite(x))
        throw Failure("Refine.spheres: '" + sphere.text + "' is around a place that is not finite, iteration " +
                      std::to_string(s.clock.iteration));
    wishes->warn_of_flight(s, sphere, centre);
    wishes->add(s, sphere, centre);
  }
}

void declare(Declaration& d) {
  d.describe("Says where a forest of blocks should be finer, by measures of variables");
  d.parameter("variables", Variables{}, any(), "Real grid functions that are looked at: names, patterns or @tags");
  d.parameter("measure", std::vector<std::string>{"gradient"},
      one_of({{"value", "its modulus"}, {"gradient", "its change from one point to the next"},
          {"curvature", "its second differences by its first ones, from 0 to 1"}}),
      "What is measured; one for all variables, or one for each");
  d.parameter("refine_above", {0.1}, above(0.0),
      "A block in which the measure is larger is refined; one for all variables, or one for each");
  d.parameter("coarsen_below", {0.02}, at_least(0.0),
      "Blocks in which it is smaller may become one; one for all variables, or one for each");
  d.parameter("buffer", 4, at_least(0),
      "Cells: a block so near a point where the measure is larger is as fine as the block of that point");
  d.parameter("spheres", std::vector<std::string>{}, any(),
      "Blocks that meet such a ball are of its level at least: \"LEVEL RADIUS at X Y Z\", or \"LEVEL RADIUS around "
      "THORN N\", the element N (1, 2, …) of its arrays x, y, z");
  d.needs<Driver>();
  d.provides<Forest::Refinement>([](const Parameters&) { return std::make_shared<Wishes>(); });
}

void schedule(Schedule& s, const Parameters& par) {
  std::vector<std::string> followed;
  for (const Sphere& sphere : spheres_of(par))
    if (!sphere.thorn.empty()) std::ranges::copy(sphere.arrays(), std::back_inserter(followed));
  if (par.strings("variables").empty() && par.strings("spheres").empty())
    throw Error(par.where("variables"),
        "Refine.variables: which variables say where the grid should be finer? Or give balls, Refine.spheres");
  s.routine("check", "Whether limits and variables fit", check).at(bin::paramcheck).once();
  s.routine("look", "Measures how fine each block should be", measure)
      .reads(par.strings("variables"), Region::interior, 1)
      .along_axes()
      .reads(followed)
      .launches_kernels()
      .at(bin::regrid)
      .once();
}
}  // namespace Refine
CEREUS_THORN(Refine, Refine::declare, Refine::schedule)
