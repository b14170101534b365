// Arrows for a vector field on a grid of points.
#pragma once

#include <span>
#include <vector>

#include "canvas.hpp"

namespace IOImage {

// Arrows at each `stride`-th point, two strokes for each, a NaN after each, in units of points, the first at (0, 0);
// the middle of an arrow is its point. Lengths are as the vectors', and the longest one drawn is as long as the
// distance of arrows. `aspect`: the height of a cell over its width, so that directions are those in space. x is
// fastest. What is not finite or 0 has no arrow.
std::vector<Point> arrows(
    int nx, int ny, std::span<const double> u, std::span<const double> v, int stride, double aspect = 1);

// The stride that leaves at most so many along the longer side.
int stride_for(int nx, int ny, int most);

}  // namespace IOImage
