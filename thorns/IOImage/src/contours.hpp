// Contour lines of values on a grid of points: marching squares.
#pragma once

#include <span>
#include <vector>

#include "canvas.hpp"

namespace IOImage {

// The pieces of the line on which values, linear along the edges between neighbouring points, have this level: two
// points and a NaN for each, in units of points, the first at (0, 0). x is fastest. In a square that two pieces cross,
// the mean of its corners says which way. A square with a corner that is not finite has no piece.
std::vector<Point> contour(int nx, int ny, std::span<const double> values, double level);

// So many levels at equal distances inside the range of the finite values, which they divide into one part more; none
// of values that are all the same.
std::vector<double> levels_between(std::span<const double> values, int count);

}  // namespace IOImage
