// The plan of an exchange on one level of a forest, as one process sees it: which points are copied from which leaf,
// and which ghost zones are prolonged from coarse points. Nothing here knows of memory.
#pragma once
#include <cereus/grid.hpp>

#include <algorithm>
#include <limits>
#include <memory>

#include "crossing.hpp"
#include "leaves.hpp"
namespace Forest {
using cereus::Centre;
using Centring = std::array<Centre, 3>;  // all vertices or all cells, along the axes of the grid

// Where leaves lie: `block` cells along each axis of level 0 and all others.
struct Place {
  const Leaves& leaves;
  cereus::Patch space;  // of level 0
  int block;
  unsigned mirrors = 0;  // faces (bits 2·axis + side) beyond which interpolations find the mirror image of the domain
  cereus::Patch patch(int level) const { return space.refined(1 << level, leaves.dim()); }
  Box cells(const Leaf&) const;
  Box points(const Leaf&, const Centring&) const;
};

// Points of a leaf that go to another: into its ghost zones, or to the coarse points of a prolongation. Point p of
// `to`, whose indices are those of its own level, is point step · (p − shift) of the source, or, along a mirrored axis,
// step · (shift − p); of cells, the mean of the step^dim that begin there.
struct Move {
  int level = 0, source = 0, from = 0;  // the source's level, number and owner
  int target_level = 0, target = 0, to_rank = 0;
  int prolongation = -1;  // of Plan::prolongations, or FacePlan::faces, which takes the points; −1: a ghost zone does
  Box to;
  int step = 1;
  Index shift{}, direction{};  // the ghost zones lie beside the target in this direction, if there is no prolongation
  unsigned mirrored = 0;       // axes (bits)
};
int axis_of(const Move&);  // across which a move to ghost zones goes; −1: across an edge or a corner
// Whether kernels fill what a move fills, if they do so across these axes (Driver::write_through).
bool is_filled(const Move&, unsigned axes, int rank);
// The interpolation along one axis: value n is Σ_m weight[n][m] · coarse[first[n] + m].
struct Interpolation {
  std::vector<int> first;  // from the first coarse point
  std::vector<std::vector<double>> weight;
};
// Lagrange's, of fine vertices lo … hi − 1 from coarse ones from … to − 1; nearer to an end it is one-sided.
Interpolation interpolation(int lo, int hi, int from, int to, int order);

// Blocks of one process that lie at these places of a level, in the order of for_each_point.
struct Donors {
  int level = 0, size = 1;  // cells of a block along each axis
  Box places;
  std::vector<int> numbers;
  int place(const Index& point, int axis) const { return std::min(point[axis] / size, places.hi[axis] - 1); }
  int number(const Index& point) const {  // of the block that has a point
    int n = 0;
    for (int d = 2; d >= 0; --d) n = n * places.extent(d) + place(point, d) - places.lo[d];
    return numbers[static_cast<std::size_t>(n)];
  }
  int end(const Index& point, int axis) const {  // where the block behind it begins
    const int at = place(point, axis) + 1;
    return at == places.hi[axis] ? std::numeric_limits<int>::max() : at * size;
  }
};

// Points `to` of a leaf, from points `from` of the next coarser level, or, where there is a `crossing`, from those of
// another patch. Vertices are interpolated along one axis after
// another, those across which ghost zones are thin first: there is least to do then, and mirror images, whose ghost
// zones are thin across the same axes, have the same bits. A cell is the coarse cell around it and a quarter of the
// lesser difference to the cells beside that one along each axis, none where the two differ in sign: sums are kept, and
// nothing exceeds what is beside it.
struct Prolongation {
  int level = 0, target = 0;  // the leaf's
  Box to, from;
  Box directions;                    // of the ghost zones beside the leaf, from −1 to 1 an axis; 0: the leaf itself
  std::array<int, 3> axes{0, 1, 2};  // the last is interpolated first
  std::array<std::shared_ptr<const Interpolation>, 3> along;  // of vertices, along the axes of the grid
  // In scratch lie the points `gathered`, `from` among them; or, if this is not −1, those of a prolongation before it.
  Box gathered;
  int shares = -1;
  std::shared_ptr<const Crossing> crossing;
  Donors donors;  // which are read where they lie; without numbers, points are gathered
};
struct Plan {
  bool cells = false;
  std::vector<Move> moves;
  std::vector<Prolongation> prolongations;  // of this process
  void add(Plan&&);                         // appends that of other leaves
};
// What fills ghost zones of a level: all moves from or to leaves of a process, in an order in which both sides agree.
// `order`: points of a prolongation along an axis, an even number. `next`: if given, only of leaves that another forest
// has split.
Plan make_plan(const Place&, int level, const Centring&, int depth, bool corners, unsigned axes, int order, int rank,
    const Leaves* next = nullptr);
// Moves of all coarse points of a box to a prolongation of a leaf; none if some points are not those of the process.
std::vector<Move> sources_of(const Place&, const Centring&, int rank, int prolongation, const Leaf& target, const Box&);
// Prolongations of a plan that read overlapping points of this process gather these once.
void share_sources(const Place&, const Centring&, int rank, Plan&);
// What fills the points of new leaves from those `before`, which may be finer or a level coarser. A leaf that stays,
// and has the same owner, is not new. Beside a coarser one an interpolation reads ghost zones, `depth` points wide, of
// the leaf that it refines: one that stopped there would extrapolate the last points, and noise of height 1 could
// become 16 along each axis.
Plan plan_of_change(const Place& before, const Leaves& now, const Centring&, int depth, int order, int rank);
// What fills covered blocks of a level from those that cover them.
Plan plan_of_restriction(const Place&, int level, const Centring&, int rank);
}  // namespace Forest
