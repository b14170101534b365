// Of points of a shell around a cube: the corners of the cells around them, which readers of curvilinear grids draw.
#pragma once
#include "formats.hpp"

namespace IOHDF5 {
// x, y, z of each of (n_x + 1) (n_y + 1) (n_z + 1) corners, those along the first axis one after another. At the ends
// of the shell cells are half as wide.
std::vector<double> corners_of(const Patch& shell, const Box& points);
inline std::int64_t count_of_corners(const Box& b) {
  return std::int64_t{b.extent(0) + 1} * (b.extent(1) + 1) * (b.extent(2) + 1);
}
}  // namespace IOHDF5
