#include "levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace Multigrid {
namespace {
constexpr int width = 2;     // of ghost zones: a residual beside a block reads two points away
constexpr int thinnest = 4;  // cells of a block; where blocks would be thinner, each process takes all of a level

Axes<double> axes_of(const Level& l, const Problem& problem) {
  constexpr int nowhere = std::numeric_limits<int>::min();
  Axes<double> axes{};
  const Patch& space = l.sim.grid.levels[0].space;
  for (int d = 0; d < 3; ++d) {
    Axis<double>& x = axes.of[d];
    x.vertex = problem.centre[d] == Centre::vertex, x.ratio = 1;
    const bool itself = space.periodic[d] && space.cells.extent(d) == 1;  // is a point's neighbour
    x.weight = d < l.sim.grid.dim && !itself ? 1 / (space.spacing[d] * space.spacing[d]) : 0;
    for (int n = 0; n < 2; ++n) {
      const int mirror = problem.mirrors[2 * d + n];
      const int outermost = n ? space.cells.hi[d] - (x.vertex ? 0 : 1) : space.cells.lo[d];
      x.side[n] = {mirror == 0 ? nowhere : outermost,
          mirror > 0 ? 0
          : x.vertex ? known
                     : 2,
          x.vertex ? static_cast<double>(mirror) : 0};
    }
  }
  return axes;
}

// Along which axes a coarser level has half as many cells: those along which neighbours are bound most, so that what
// sweeps leave behind is smooth along them.
Index ratio_of(const Level& l, const Problem& problem) {
  const Patch& space = l.sim.grid.levels[0].space;
  const Box& cells = space.cells;
  const auto halves = [&](int d) {  // to a single cell where that can tell how large the mean is
    const bool single = problem.absorbs && !problem.pinned() && (!l.axes.of[d].vertex || space.periodic[d]);
    return cells.extent(d) >= (single ? 2 : 4) && cells.extent(d) % 2 == 0 && cells.lo[d] % 2 == 0;
  };
  double most = 0;
  for (int d = 0; d < l.sim.grid.dim; ++d)
    if (halves(d)) most = std::max(most, l.axes.of[d].weight);
  Index ratio{1, 1, 1};
  for (int d = 0; d < l.sim.grid.dim; ++d)
    if (halves(d) && l.axes.of[d].weight >= 0.5 * most) ratio[d] = 2;
  return ratio;
}

// Chebyshev's: of all polynomials of this degree the one that is smallest from `low` to 2, where the eigenvalues of
// L/diagonal lie that sweeps are to treat. Lebedev and Finogenov's order keeps what lies between small.
std::vector<double> chebyshev(double low, int degree) {
  std::vector<int> order{1};
  while (std::ssize(order) < degree) {
    std::vector<int> twice;
    for (const int n : order) twice.push_back(n), twice.push_back(2 * static_cast<int>(order.size()) + 1 - n);
    order = twice;
  }
  std::vector<double> relaxation;
  for (const int n : order)
    relaxation.push_back(1 / (0.5 * (2 + low) + 0.5 * (2 - low) * std::cos(pi * (2 * n - 1) / (2.0 * degree))));
  return relaxation;
}

// So many that what lies from `low` to 2 is reduced to `factor`; if that is too many, what can be.
std::vector<double> sweeps(double low, double factor) {
  constexpr int most = 64;
  const double needed = std::acosh(1 / factor);
  int degree = 2;
  while (degree < needed / std::acosh((2 + low) / (2 - low)) && degree < most) degree *= 2;
  const double reached = 2 * square(std::tanh(needed / (2 * degree)));
  return chebyshev(std::max(low, std::min(reached, 1.0)), degree);
}

double all_weights(const Level& l) { return l.axes.of[0].weight + l.axes.of[1].weight + l.axes.of[2].weight; }
// What the next level does not see: waves that are short along a coarsened axis.
std::vector<double> relaxation_of(const Level& l, const Index& ratio) {
  double low = 1;
  for (int d = 0; d < 3; ++d)
    if (ratio[d] > 1) low = std::min(low, l.axes.of[d].weight / all_weights(l));
  return sweeps(low, 0.51);
}
// All waves, with the longest reduced to a tenth.
std::vector<double> relaxation_of_coarsest(const Level& l, const Problem& problem) {
  const Patch& space = l.sim.grid.levels[0].space;
  double known = 0, open = 2;
  for (int d = 0; d < l.sim.grid.dim; ++d) {
    const int n = space.cells.extent(d), walls = (problem.mirrors[2 * d] < 0) + (problem.mirrors[2 * d + 1] < 0);
    const double half_waves = space.periodic[d] ? 2 : walls == 1 ? 0.5 : 1;  // of the longest that is no constant
    const double eigenvalue = l.axes.of[d].weight / all_weights(l) * (1 - std::cos(half_waves * pi / n));
    if (walls > 0) known += eigenvalue;
    else if (n > 1) open = std::min(open, eigenvalue);
  }
  if (all_weights(l) == 0 || space.cells.points() == 1) return {1.0};
  if (problem.absorbs) open = std::min(open, 0.01);
  return sweeps(std::clamp(problem.pinned() ? known : open, 1e-6, 1.0), 0.1);
}

std::vector<Group> groups_of(const Problem& problem, bool finest) {
  Group w;
  w.thorn = "Multigrid", w.name = "work", w.type = problem.type, w.centre = problem.centre;
  w.variables = {"source", "z", "next_z"};
  if (finest) w.variables.insert(w.variables.end(), {"direction", "next_direction", "product", "correction"});
  std::vector<Group> groups{w};
  if (!problem.coefficients) return groups;
  for (int d = 0; d < 3; ++d) {  // between points: where cells are, vertices, and the other way round
    w.name = std::string("a_") + "xyz"[d], w.variables = {w.name}, w.centre = problem.centre;
    w.centre[d] = problem.centre[d] == Centre::vertex ? Centre::cell : Centre::vertex;
    groups.push_back(w);
  }
  w.name = "b", w.variables = {w.name}, w.centre = problem.centre;
  groups.push_back(w);
  return groups;
}

std::unique_ptr<Level> make_level(
    const Simulation& s, const Problem& problem, std::shared_ptr<Driver> driver, bool alone, bool finest) {
  auto l = std::make_unique<Level>();
  l->alone = alone;
  l->sim = beside(s, alone ? s.process.alone() : s.process, std::move(driver), groups_of(problem, finest), width);
  l->axes = axes_of(*l, problem);
  return l;
}

bool is_aligned(const Level& l, const Index& ratio) {
  for (const BlockHome& b : l.sim.services.get<Driver>().all_blocks(l.sim.grid, 0))
    for (int d = 0; d < 3; ++d)
      if (ratio[d] > 1 && (l.axes.of[d].vertex || b.cells.lo[d] % 2 != 0)) return false;
  return true;
}
}  // namespace

std::vector<std::unique_ptr<Level>> make_levels(const Simulation& s, const Problem& problem) {
  auto driver = s.services.get<Driver>().coarsened({1, 1, 1}, false, 0);
  if (!driver) throw Error("Multigrid: the driver has no coarser grids; take UniGrid");
  std::vector<std::unique_ptr<Level>> levels;
  levels.push_back(make_level(s, problem, driver, false, true));
  while (true) {
    Level& l = *levels.back();
    const Index ratio = ratio_of(l, problem);
    if (ratio == Index{1, 1, 1}) break;
    auto& fine = l.sim.services.get<Driver>();
    const bool many = fine.all_blocks(l.sim.grid, 0).size() > 1;
    auto coarse = fine.coarsened(ratio, false, many ? thinnest : 1);
    const bool alone = l.alone || !coarse;
    if (!coarse) coarse = fine.coarsened(ratio, true, 1);
    for (int d = 0; d < 3; ++d) l.axes.of[d].ratio = ratio[d];
    l.relaxation = relaxation_of(l, ratio), l.aligned = is_aligned(l, ratio);
    levels.push_back(make_level(s, problem, std::move(coarse), alone, false));
  }
  levels.back()->relaxation = relaxation_of_coarsest(*levels.back(), problem);
  return levels;
}

std::string cannot_halve(const Level& coarsest, int dim) {
  std::string text;
  for (int d = 0; d < dim; ++d)
    if (const int n = coarsest.sim.grid.levels[0].space.cells.extent(d); n > 32)
      text += (text.empty() ? "" : ", ") + std::to_string(n) + " cells along " + "xyz"[d];
  return text;
}

void launch_on(Simulation& s, const Run& r) {
  const Space space = space_of(s, r.table);
  std::vector<VariableAccess> mine;
  std::ranges::copy_if(r.handles, std::back_inserter(mine), [](const auto& a) { return !a.elsewhere; });
  make_valid(s, 0, mine, -1, space);
  LaunchRequest request{
      .table = &r.table, .handles = r.handles, .result = r.result, .other = r.other, .who = "Multigrid"};
  if (r.boxes) launch(s, request, *r.boxes);
  else {
    request.list = interiors(s, 0, s.groups[work].centre).list();
    launch(s, request);
  }
  for (const VariableAccess& a : mine)
    if (a.mode != Mode::read)
      s.fields.validity(a.group, a.component, a.timelevel, 0).wrote_interior(space, {s.clock.iteration, -1});
}

Elsewhere seen(const Simulation& s, int block) {
  const Layout& l = s.fields.layout(block);
  return {s.fields.offset(block), {l.stride[0], l.stride[1], l.stride[2]}, {l.first[0], l.first[1], l.first[2]}};
}

namespace {
Box halved(Box cells, const Level& fine) {
  for (int d = 0; d < 3; ++d)
    for (int* end : {&cells.lo[d], &cells.hi[d]}) *end = (*end + fine.axes.of[d].ratio - 1) / fine.axes.of[d].ratio;
  return cells;
}
Box points(const Level& l, const Box& cells, int group) {
  return l.sim.grid.levels[0].space.points(cells, l.sim.groups[group].centre, l.sim.grid.dim);
}
}  // namespace
Box covered(const Level& fine, int block, const Level& coarse) {
  return points(coarse, halved(fine.sim.grid.blocks[block].cells, fine), work);
}

void collect(const Level& fine, Level& alone, const VariableAccess& v, Simulation& run) {
  Simulation& s = alone.sim;
  const auto size = size_of(s.type(v.group));
  const VariableAccess all[] = {{v.group, v.component}};
  make_valid(s, 0, all, -1, Space::host);
  auto& driver = fine.sim.services.get<Driver>();
  const auto rows = [&](const BlockHome& b, auto&& f) {
    const Box box = points(alone, halved(b.cells, fine), v.group);
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j)
        f(s.fields.address(v.group, v.component, 0, 0) +
                s.fields.layout(0).at(box.lo[0], j, k) * static_cast<Offset>(size),
            static_cast<std::size_t>(box.extent(0)) * size);
  };
  const auto blocks = driver.all_blocks(fine.sim.grid, 0);
  std::vector<char> mine;
  for (const BlockHome& b : blocks)
    if (b.owner == run.process.rank())
      rows(b, [&](char* row, std::size_t n) { mine.insert(mine.end(), row, row + n); });
  std::string text;
  for (const auto& part : driver.gather(mine)) text.append(part.begin(), part.end());
  text = run.process.broadcast(std::move(text));
  const char* from = text.data();
  for (int owner = 0; owner < run.process.size(); ++owner)
    for (const BlockHome& b : blocks)
      if (b.owner == owner) rows(b, [&](char* row, std::size_t n) { std::memcpy(row, from, n), from += n; });
  s.fields.validity(v.group, v.component, 0, 0).wrote_interior(Space::host, {});
}
}  // namespace Multigrid
