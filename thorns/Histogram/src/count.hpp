// Sweeps over the points of this process. Counts, minima and maxima do not depend on the order of points.
#pragma once
#include <omp.h>

#include <cereus/context.hpp>
#include <limits>

#include "bins.hpp"

namespace Histogram {
using namespace cereus;

// Calls f(value, box) for each block that finer ones do not cover, where value(i, j, k) is that of a point as a double;
// the variable is real.
template <class F> void for_each_block(Context& c, const VariableAccess& a, F&& f) {
  visit_scalar(c.type(a), [&]<class T>(T) {
    if constexpr (!requires(T v) { v.re; })
      for (const auto& b : c.blocks()) {
        if (b.block().covered) continue;
        const View<const T> view = c.view<T>(a, b);
        f([&](int i, int j, int k) { return static_cast<double>(view(i, j, k)); }, b.interior(c.group(a).centre));
      }
  });
}

inline Box plane_of(Box box, int k) {
  box.lo[2] = k, box.hi[2] = k + 1;
  return box;
}

// The smallest and largest finite value; the wrong way around if there is none.
inline Interval extremes(Context& c, const VariableAccess& a) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for_each_block(c, a, [&](const auto& value, const Box& box) {
#pragma omp parallel for schedule(static) reduction(min : smallest) reduction(max : largest)
    for (int plane = box.lo[2]; plane < box.hi[2]; ++plane)
      for_each_point(plane_of(box, plane), [&](int i, int j, int k) {
        const double v = value(i, j, k);
        if (std::isfinite(v)) smallest = std::min(smallest, v), largest = std::max(largest, v);
      });
  });
  return {smallest, largest};
}

inline Counts count(Context& c, const VariableAccess& a, const std::vector<double>& edges) {
  Counts counts(rows_of(edges));
  for_each_block(c, a, [&](const auto& value, const Box& box) {
    std::vector<Counts> of_thread(static_cast<std::size_t>(omp_get_max_threads()), Counts(counts.size()));
#pragma omp parallel for schedule(static)
    for (int plane = box.lo[2]; plane < box.hi[2]; ++plane) {
      Counts& mine = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
      for_each_point(plane_of(box, plane), [&](int i, int j, int k) { ++mine[row_of(edges, value(i, j, k))]; });
    }
    for (const Counts& mine : of_thread)
      for (std::size_t row = 0; row < counts.size(); ++row) counts[row] += mine[row];
  });
  return counts;
}
}  // namespace Histogram
