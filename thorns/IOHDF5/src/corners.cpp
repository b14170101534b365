#include "corners.hpp"

#include <algorithm>

namespace IOHDF5 {
std::vector<double> corners_of(const Patch& shell, const Box& points) {
  const auto along = [&](int d, int i) {
    const double last = shell.lower[d] + shell.cells.extent(d) * shell.spacing[d];
    return std::clamp(shell.coordinate(d, Centre::vertex, i) - 0.5 * shell.spacing[d], shell.lower[d], last);
  };
  std::vector<double> all;
  for (int k = points.lo[2]; k <= points.hi[2]; ++k)
    for (int j = points.lo[1]; j <= points.hi[1]; ++j)
      for (int i = points.lo[0]; i <= points.hi[0]; ++i) {
        const auto x = shell.place({along(0, i), along(1, j), along(2, k)});
        all.insert(all.end(), x.begin(), x.end());
      }
  return all;
}
}  // namespace IOHDF5
