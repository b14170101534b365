// The levels of a problem: grids of their own, from the run's to one of a few points.
#pragma once
#include <cereus/simulation.hpp>

#include "axes.hpp"
namespace Multigrid {
struct Problem {  // what decides on levels
  std::array<Centre, 3> centre;
  std::array<int, 6> mirrors;  // BoundaryConditions::mirrors, of each face; 0 along periodic axes
  ScalarType type;
  bool coefficients;  // they vary
  bool absorbs;       // b is not 0
  auto operator<=>(const Problem&) const = default;
  bool pinned() const { return std::ranges::find(mirrors, -1) != mirrors.end(); }  // some value is known
};

struct Level {
  Simulation sim;
  Axes<double> axes;               // with weights 1/h²
  std::vector<double> relaxation;  // of sweeps; on the coarsest level of all that it takes
  bool alone = false;              // each process has all of it
  bool aligned = true;             // a coarser point takes in points of the same block only
};
// What lies on a level: components of its group `work` (of the coarser ones the first three), and the group of
// coefficients.
enum Work : int { source, first_z, second_z, first_direction, second_direction, product, correction };
inline constexpr int work = 0, coefficients = 1;  // of these a group for each axis, and one

// Throws Error if the driver has no such grids.
std::vector<std::unique_ptr<Level>> make_levels(const Simulation&, const Problem&);
// Axes that stay odd, in words; empty if each side becomes small.
std::string cannot_halve(const Level& coarsest, int dim);

// Runs a kernel on boxes, or on all points: makes valid what it reads, and notes what it writes. `other` has what lies
// elsewhere, of which the caller sees that it is valid.
struct Run {
  const KernelTable& table;
  std::vector<VariableAccess> handles;
  void* result = nullptr;
  const Simulation* other = nullptr;
  const BlockBoxes* boxes = nullptr;
};
void launch_on(Simulation&, const Run&);
// A block of a grid as a kernel on another one sees it.
Elsewhere seen(const Simulation&, int block);
// The points of a coarser level that take in those of a block of a finer one.
Box covered(const Level& fine, int block, const Level& coarse);
// Each process has the part of a variable that covers its blocks of the finer level: then all have all of it.
// Collective.
void collect(const Level& fine, Level& alone, const VariableAccess&, Simulation& run);

template <class Real> Axes<Real> axes_of(const Level& l, double a, double b) {
  Axes<Real> axes{};
  for (int d = 0; d < 3; ++d) {
    const Axis<double>& x = l.axes.of[d];
    axes.of[d] = {static_cast<Real>(a * x.weight), {}, x.vertex, x.ratio};
    for (int n = 0; n < 2; ++n)
      axes.of[d].side[n] = {x.side[n].at, static_cast<Real>(x.side[n].self), static_cast<Real>(x.side[n].image)};
  }
  axes.absorption = axes.diagonal = static_cast<Real>(b);
  for (const auto& x : axes.of) axes.diagonal += 2 * x.weight;
  axes.inverse = axes.diagonal > 0 ? 1 / axes.diagonal : 0;
  return axes;
}
}  // namespace Multigrid
