#include "levels.hpp"

#include <algorithm>
#include <cmath>

namespace Multigrid {
namespace {
constexpr int width = 2;     // of ghost zones: a residual beside a block reads two points away
constexpr int thinnest = 4;  // cells of a block; where blocks would be thinner, each process takes all of a level

// Along which axes a coarser level has half as many cells: those along which neighbours are bound most, so that what
// sweeps leave behind is smooth along them.
Index ratio_of(const Level& l, const Setup& setup) {
  const Patch& space = l.sim.grid.levels[0].space;
  const Box& cells = space.cells;
  const auto halves = [&](int d) {  // to a single cell where b alone says how large the mean is
    const bool single = setup.absorbs && !setup.pinned() && (!l.axes.of[d].vertex || space.periodic[d]);
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

int walls(const Setup& setup, int d) { return (setup.mirrors[2 * d] < 0) + (setup.mirrors[2 * d + 1] < 0); }
// Of the longest wave along an axis that is no constant.
double half_waves(const Setup& setup, const Patch& space, int d) {
  return space.periodic[d] ? 2 : walls(setup, d) == 1 ? 0.5 : 1;
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
std::vector<double> relaxation_of_coarsest(const Level& l, const Setup& setup) {
  const Patch& space = l.sim.grid.levels[0].space;
  double known = 0, open = 2;
  for (int d = 0; d < l.sim.grid.dim; ++d) {
    const int n = space.cells.extent(d);
    const double eigenvalue =
        l.axes.of[d].weight / all_weights(l) * (1 - std::cos(half_waves(setup, space, d) * pi / n));
    if (walls(setup, d) > 0) known += eigenvalue;
    else if (n > 1) open = std::min(open, eigenvalue);
  }
  if (all_weights(l) == 0 || space.cells.points() == 1) return {1.0};
  if (setup.absorbs) open = std::min(open, 0.01);
  return sweeps(std::clamp(setup.pinned() ? known : open, 1e-6, 1.0), 0.1);
}

std::vector<Group> groups_of(const Setup& setup, ScalarType rough, bool finest) {
  Group r, w;
  r.thorn = w.thorn = "Multigrid", r.centre = w.centre = setup.centre;
  r.name = "cycle", r.type = rough, r.variables = {"z", "next_z", "source"};
  if (finest && rough == setup.type) r.variables.pop_back();
  w.name = "work", w.type = setup.type, w.variables = {"residual", "direction", "product", "correction"};
  std::vector<Group> groups{finest ? w : r};
  // Between points: where cells are, vertices, and the other way round.
  for (int d = 0; setup.coefficients && d < 3; ++d) {
    w.name = std::string("a_") + "xyz"[d], w.variables = {w.name}, w.centre = setup.centre;
    w.centre[d] = setup.centre[d] == Centre::vertex ? Centre::cell : Centre::vertex;
    groups.push_back(w);
  }
  w.name = "b", w.variables = {w.name}, w.centre = setup.centre;
  if (setup.coefficients) groups.push_back(w);
  if (finest) groups.push_back(r);
  return groups;
}

std::unique_ptr<Level> make_level(const Simulation& s, const Setup& setup, ScalarType rough,
    std::shared_ptr<Driver> driver, bool alone, bool finest) {
  auto l = std::make_unique<Level>();
  l->alone = alone;
  l->sim = beside(s, alone ? s.process.alone() : s.process, std::move(driver), groups_of(setup, rough, finest), width);
  l->rough = finest ? static_cast<int>(l->sim.groups.size()) - 1 : work;
  l->source_at = finest && rough == setup.type ? writing(residual) : l->writes(source);
  l->axes = axes_of(l->sim.grid.levels[0].space, l->sim.grid.dim, setup);
  return l;
}

bool is_aligned(const Level& l, const Index& ratio) {
  for (const BlockHome& b : l.sim.services.get<Driver>().all_blocks(l.sim.grid, 0))
    for (int d = 0; d < 3; ++d)
      if (ratio[d] > 1 && (l.axes.of[d].vertex || b.cells.lo[d] % 2 != 0)) return false;
  return true;
}
}  // namespace

std::vector<std::unique_ptr<Level>> make_levels(const Simulation& s, const Setup& setup, ScalarType rough) {
  auto driver = s.services.get<Driver>().coarsened({1, 1, 1}, false, 0);
  if (!driver) throw Error("Multigrid: the driver has no coarser grids; take UniGrid");
  std::vector<std::unique_ptr<Level>> levels;
  levels.push_back(make_level(s, setup, rough, driver, false, true));
  while (true) {
    Level& l = *levels.back();
    const Index ratio = ratio_of(l, setup);
    if (ratio == Index{1, 1, 1}) break;
    auto& fine = l.sim.services.get<Driver>();
    const bool many = fine.all_blocks(l.sim.grid, 0).size() > 1;
    auto coarse = fine.coarsened(ratio, false, many ? thinnest : 1);
    const bool alone = l.alone || !coarse;
    if (!coarse) coarse = fine.coarsened(ratio, true, 1);
    for (int d = 0; d < 3; ++d) l.axes.of[d].ratio = ratio[d];
    l.relaxation = relaxation_of(l, ratio), l.aligned = is_aligned(l, ratio);
    levels.push_back(make_level(s, setup, rough, std::move(coarse), alone, false));
  }
  levels.back()->relaxation = relaxation_of_coarsest(*levels.back(), setup);
  return levels;
}

// Of z with a relative error ε, L z is off by as much as the largest eigenvalue of L, over that of the longest wave.
bool float_is_enough(const Simulation& s, const Setup& setup) {
  if (setup.absorbs && !setup.pinned()) return false;  // a constant has the eigenvalue b, as small as it likes
  constexpr double most = 4e6;  // 1,800³ points, 2,200²: some hundredths of a residual, as an estimate
  const Patch& space = s.grid.levels[0].space;
  const Axes<double> axes = axes_of(space, s.grid.dim, setup);
  double largest = 0, least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < s.grid.dim; ++d)
    if (const double w = axes.of[d].weight; w > 0)
      largest += 4 * w, least = std::min(least, w * square(half_waves(setup, space, d) * pi / space.cells.extent(d)));
  return largest <= most * least;
}

std::string cannot_halve(const Level& coarsest, int dim) {
  std::string text;
  for (int d = 0; d < dim; ++d)
    if (const int n = coarsest.sim.grid.levels[0].space.cells.extent(d); n > 32)
      text += (text.empty() ? "" : ", ") + std::to_string(n) + " cells along " + "xyz"[d];
  return text;
}

Box covered(const Level& fine, const Box& cells, const Level& coarse, int group) {
  Box box = cells;
  for (int d = 0; d < 3; ++d)
    for (int* end : {&box.lo[d], &box.hi[d]}) *end = (*end + fine.axes.of[d].ratio - 1) / fine.axes.of[d].ratio;
  return coarse.sim.grid.levels[0].space.points(box, coarse.sim.groups[group].centre, coarse.sim.grid.dim);
}
}  // namespace Multigrid
