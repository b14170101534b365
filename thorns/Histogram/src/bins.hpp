// Which row of a histogram counts a value. Rows: below the bins, the bins, above them, not-a-number.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace Histogram {
struct Interval {
  double lower, upper;
};

// The ends of equal bins: one more than there are bins.
inline std::vector<double> edges_of(Interval range, int bins) {
  std::vector<double> edges;
  for (int e = 0; e <= bins; ++e) edges.push_back(std::lerp(range.lower, range.upper, static_cast<double>(e) / bins));
  return edges;
}

using Counts = std::vector<std::int64_t>;
inline std::size_t rows_of(const std::vector<double>& edges) { return edges.size() + 2; }

// A bin has its lower end, not its upper one; but the last bin has both. Edges decide, not a quotient, whose rounding
// would put values next to an edge into one bin or the other.
inline std::size_t row_of(const std::vector<double>& edges, double value) {
  const std::size_t last = edges.size() - 1;
  if (std::isnan(value)) return last + 2;
  if (value == edges.back()) return last;
  const auto above = std::upper_bound(edges.begin(), edges.end(), value);
  return static_cast<std::size_t>(above - edges.begin());
}
}  // namespace Histogram
