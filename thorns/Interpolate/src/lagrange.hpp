// Lagrange interpolation along one axis: which points, and with which weights; and its derivative.
#pragma once
#include <algorithm>
#include <cmath>

#include "kernels.hpp"
namespace Interpolate {
// The widest distance, in points, from a cell to a point of the stencil of anything inside the cell.
constexpr int reach_of(int order) { return order / 2 + 1; }

struct AxisStencil {
  int first = 0, count = 1;  // points, counted from the first of the domain
  double weight[max_order + 1] = {1};
  double slope[max_order + 1] = {};  // the derivatives of the weights by x
};

// At x, counted in cells from the lower face of the domain. The order + 1 points lie around x as evenly as they can;
// where the axis is not periodic they stay among the `points` of the domain, so that next to a face the stencil is
// one-sided.
inline AxisStencil lagrange(double x, int order, bool cell_centred, bool periodic, int points) {
  AxisStencil s;
  s.count = order + 1;
  const double t = cell_centred ? x - 0.5 : x;  // counted in points
  // The floor first, in integers the rest: a sum may be rounded across a point, to a stencil outside the ghost zones.
  s.first = order % 2 ? static_cast<int>(std::floor(t)) - order / 2 : static_cast<int>(std::floor(t + 0.5)) - order / 2;
  if (!periodic) s.first = std::max(0, std::min(s.first, points - s.count));
  const double u = t - s.first;
  for (int j = 0; j < s.count; ++j) {
    double numerator = 1, by_x = 0, denominator = 1;
    for (int m = 0; m < s.count; ++m)
      if (m != j) by_x = by_x * (u - m) + numerator, numerator *= u - m, denominator *= j - m;
    s.weight[j] = numerator / denominator, s.slope[j] = by_x / denominator;
  }
  return s;
}

// x, in cells, brought into the domain; not-a-number if it lies outside. A billionth of a cell is forgiven at outer
// faces.
inline double into_domain(double x, bool periodic, int cells) {
  constexpr double forgiven = 1e-9;
  if (periodic) {
    const double wrapped = x - cells * std::floor(x / cells);
    return wrapped < cells ? std::max(wrapped, 0.0) : wrapped == wrapped ? 0.0 : wrapped;  // rounding may reach the end
  }
  return x >= -forgiven && x <= cells + forgiven ? std::clamp(x, 0.0, static_cast<double>(cells)) : std::nan("");
}
}  // namespace Interpolate
