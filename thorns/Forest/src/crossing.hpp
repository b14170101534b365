// How ghost points of a block follow from points that another patch evolves.
#pragma once
#include <cereus/grid.hpp>

#include <array>
#include <vector>

#include "pieces.hpp"
namespace Forest {
// `count` values: number n is Σ_m weights[m] · the donor's point first + m along one axis + n along another one.
struct DonorLine {
  cereus::Index first;
  int along, beside, count;
  int points, weights;  // so many weights, from Crossing::weights[weights] on
  cereus::Index to{};   // of what is a ghost point: the first of them; the others follow along axis 2
};
// A ghost point, from a row of values of each of so many inner lines: Σ_n outer[n] Σ_m weights_n[m] · value_n[m].
struct Spot {
  cereus::Index to;
  int rows, outer;                                  // outer: where so many weights begin
  std::array<int, most_rows> line, first, weights;  // first: the place of value 0 along DonorLine::beside
};
// Between shells, whose radii are the same, a ghost point is a value of a line (Thornburg, Class. Quantum Grav. 21
// (2004) 743). Between cube and shells it lies between points along three axes; what is interpolated along the first of
// these serves several ghost points.
struct Crossing {
  int points = 0;  // along each axis; an even number
  std::vector<DonorLine> lines, inner;
  std::vector<Spot> spots;
  std::vector<double> weights;
  cereus::Box reads{{1 << 30, 1 << 30, 1 << 30}, {0, 0, 0}};  // points of the donor
  bool empty() const { return lines.empty() && spots.empty(); }
};

// Those of the points `ghosts` of a patch that lie in another one; of shells, in the donor's sector alone. `whole`:
// else nothing but what it reads is filled in.
Crossing make_crossing(
    const cereus::Patch& target, const cereus::Patch& donor, const cereus::Box& ghosts, int points, bool whole);
}  // namespace Forest
