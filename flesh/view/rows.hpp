// Rows of a box, packed and in the array of all points that it is a part of.
#pragma once
#include "cereus/box.hpp"
namespace cereus::view {
// f(bytes in front of the row in the array, in front of it in the box, of the row); x fastest.
template <class F> void for_each_row(const Box& all, const Box& box, std::size_t element, F&& f) {
  const auto row = static_cast<std::size_t>(box.extent(0)) * element;
  std::size_t packed = 0;
  for (int k = box.lo[2]; k < box.hi[2]; ++k)
    for (int j = box.lo[1]; j < box.hi[1]; ++j, packed += row) {
      const auto line = static_cast<std::size_t>(k - all.lo[2]) * static_cast<std::size_t>(all.extent(1)) +
                        static_cast<std::size_t>(j - all.lo[1]);
      const auto at = line * static_cast<std::size_t>(all.extent(0)) + static_cast<std::size_t>(box.lo[0] - all.lo[0]);
      f(at * element, packed, row);
    }
}
}  // namespace cereus::view
