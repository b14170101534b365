// The modes of a periodic box, and the shells of like wave number to which they belong.
#pragma once
#include <algorithm>
#include <cereus/grid.hpp>
#include <cmath>

#include "slab.hpp"

namespace Spectrum {
// Shell s holds the modes with round(|k| L / 2π) = s, where L is the shortest edge of the box.
class Shells {
 public:
  Shells(const Patch& level, int dim) : domain_(level.cells) {
    shortest_ = level.spacing[0] * domain_.extent(0);
    for (int d = 1; d < dim; ++d) shortest_ = std::min(shortest_, level.spacing[d] * domain_.extent(d));
    double largest = 0;
    for (int d = 0; d < 3; ++d) {
      const int n = domain_.extent(d);
      const double edge = d < dim ? level.spacing[d] * n : shortest_;
      for (int i = 0; i < n; ++i) {
        const int m = i <= n / 2 ? i : i - n;  // the upper half of the numbers stands for negative ones
        const double k = m * (shortest_ / edge);
        squares_[d].push_back(k * k);
      }
      largest += *std::max_element(squares_[d].begin(), squares_[d].end());
    }
    count_ = 1 + nearest(largest);
  }
  int count() const { return count_; }
  double shortest_edge() const { return shortest_; }
  int of(int i, int j, int k) const {
    const double x = squares_[0][i - domain_.lo[0]], y = squares_[1][j - domain_.lo[1]];
    return nearest(x + y + squares_[2][k - domain_.lo[2]]);
  }

 private:
  static int nearest(double square) { return static_cast<int>(std::lround(std::sqrt(square))); }

  Box domain_;
  double shortest_ = 0;
  int count_ = 0;
  std::vector<double> squares_[3];  // of wave numbers along each axis, in units of 2π / L
};

// Σ |f̂|² over each shell, for each plane of a slab that was cut across an axis: planes × shells numbers. Planes are
// whole, whoever has them, so that each sum has one order.
inline std::vector<double> sum_planes(Slab& slab, int axis, const Shells& shells) {
  const int count = shells.count(), planes = slab.box.extent(axis);
  std::vector<double> sums(static_cast<std::size_t>(planes) * count);
#pragma omp parallel for schedule(static)
  for (int p = 0; p < planes; ++p) {
    Box plane = slab.box;
    plane.lo[axis] += p, plane.hi[axis] = plane.lo[axis] + 1;
    double* mine = sums.data() + static_cast<std::size_t>(p) * count;
    for_each_point(plane, [&](int i, int j, int k) { mine[shells.of(i, j, k)] += std::norm(slab(i, j, k)); });
  }
  return sums;
}
}  // namespace Spectrum
