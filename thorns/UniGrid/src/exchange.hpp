// The plan of a ghost exchange: which boxes are copied from which block to which, within a process or between two.
#pragma once
#include <cereus/grid.hpp>

#include <map>

#include "decompose.hpp"
namespace UniGrid {
using cereus::Centre;
using cereus::Grid;

struct Piece {  // of ghost zones: points `to` of block `target` are points `to` − shift of block `source`
  int source = 0, target = 0;  // numbers over all processes
  Box to;
  Index shift{};
  Index direction{};  // in which `to` lies beside the target, −1, 0 or 1 along each axis
  int axis() const;   // the only one across which it lies; −1 if there are several
};
// What one layer depth and shape of stencil needs, for one centring. The same list, in the same order, on all ranks.
std::vector<Piece> ghost_pieces(const Grid&, const cereus::Level&, const std::vector<OwnedBox>&,
    const std::array<Centre, 3>&, int depth, bool corners);
}  // namespace UniGrid
