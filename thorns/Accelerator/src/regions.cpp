#include "regions.hpp"

namespace Accelerator {
std::vector<Box> ghost_boxes(
    const Grid& grid, const Block& block, const std::array<Centre, 3>& centre, int depth, bool full) {
  std::vector<Box> boxes;
  const Box owned = grid.points(block, centre);
  Index n{};
  const auto outside = [&](int d) { return n[d] != 0 && (d >= grid.dim || block.outer(d, n[d] > 0)); };
  for (n[2] = -1; n[2] <= 1; ++n[2])
    for (n[1] = -1; n[1] <= 1; ++n[1])
      for (n[0] = -1; n[0] <= 1; ++n[0]) {
        const int off = (n[0] != 0) + (n[1] != 0) + (n[2] != 0);
        if (off == 0 || (off > 1 && !full) || outside(0) || outside(1) || outside(2)) continue;
        Box box = owned;
        for (int d = 0; d < 3; ++d) {
          if (n[d] < 0) box.hi[d] = owned.lo[d], box.lo[d] = owned.lo[d] - depth;
          if (n[d] > 0) box.lo[d] = owned.hi[d], box.hi[d] = owned.hi[d] + depth;
        }
        boxes.push_back(box);
      }
  return boxes;
}

std::vector<Box> boundary_boxes(
    const Grid& grid, const Block& block, const std::array<Centre, 3>& centre, unsigned faces) {
  std::vector<Box> boxes;
  for (int axis = 0; axis < grid.dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!(faces >> (2 * axis + side) & 1)) continue;
      Box box = grid.boundary(block, centre, axis, side);
      const Box owned = grid.points(block, centre);
      for (int d = 0; d < axis; ++d) {  // what an earlier face has brought
        if (faces >> (2 * d) & 1 && block.outer(d, 0)) box.lo[d] = std::max(box.lo[d], owned.lo[d]);
        if (faces >> (2 * d + 1) & 1 && block.outer(d, 1)) box.hi[d] = std::min(box.hi[d], owned.hi[d]);
      }
      if (!box.empty()) boxes.push_back(box);
    }
  return boxes;
}
}  // namespace Accelerator
