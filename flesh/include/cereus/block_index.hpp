// Finds the blocks of a level, of all processes, by place.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "grid.hpp"
namespace cereus {
// Blocks sorted into equal bins about as large as a mean block: a look-up meets a few blocks, however many there are.
class BlockIndex {
 public:
  explicit BlockIndex(std::vector<BlockHome> blocks) : blocks_(std::move(blocks)) {
    if (blocks_.empty()) return;
    all_ = blocks_.front().cells;
    std::array<std::int64_t, 3> total{};
    for (const BlockHome& b : blocks_)
      for (int d = 0; d < 3; ++d) {
        all_.lo[d] = std::min(all_.lo[d], b.cells.lo[d]);
        all_.hi[d] = std::max(all_.hi[d], b.cells.hi[d]);
        total[d] += b.cells.extent(d);
      }
    for (int d = 0; d < 3; ++d) {
      size_[d] = std::max(1, static_cast<int>(total[d] / std::ssize(blocks_)));
      bins_[d] = (all_.extent(d) + size_[d] - 1) / size_[d];
    }
    first_.assign(static_cast<std::size_t>(bins_[0]) * bins_[1] * bins_[2] + 1, 0);
    for (const BlockHome& b : blocks_) for_each_bin(b.cells, [&](std::size_t bin) { ++first_[bin + 1]; });
    for (std::size_t bin = 1; bin < first_.size(); ++bin) first_[bin] += first_[bin - 1];
    members_.resize(static_cast<std::size_t>(first_.back()));
    std::vector<int> next = first_;
    for (int n = 0; n < static_cast<int>(blocks_.size()); ++n)
      for_each_bin(blocks_[n].cells, [&](std::size_t bin) { members_[next[bin]++] = n; });
  }
  const std::vector<BlockHome>& blocks() const { return blocks_; }

  // The block that has a cell; null if none has.
  const BlockHome* find(const Index& cell) const {
    const BlockHome* found = nullptr;
    for_each({cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1}}, [&](const BlockHome& b) { found = &b; });
    return found;
  }
  // Calls f(block) for each block that has cells in a box, once, by number.
  template <class F> void for_each(const Box& box, F&& f) const {
    std::vector<int> seen;
    for_each_bin(box, [&](std::size_t bin) {
      for (int m = first_[bin]; m < first_[bin + 1]; ++m)
        if (!intersect(blocks_[members_[m]].cells, box).empty()) seen.push_back(members_[m]);
    });
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (int n : seen) f(blocks_[n]);
  }

 private:
  template <class F> void for_each_bin(const Box& box, F&& f) const {
    Box in = intersect(box, all_);
    if (in.empty()) return;
    for (int d = 0; d < 3; ++d) {
      in.lo[d] = (in.lo[d] - all_.lo[d]) / size_[d];
      in.hi[d] = (in.hi[d] - all_.lo[d] - 1) / size_[d] + 1;
    }
    for_each_point(in, [&](int i, int j, int k) {
      f(static_cast<std::size_t>(i) +
          static_cast<std::size_t>(bins_[0]) * (j + static_cast<std::size_t>(bins_[1]) * k));
    });
  }
  std::vector<BlockHome> blocks_;
  Box all_;
  Index size_{1, 1, 1}, bins_{};
  std::vector<int> first_, members_;  // of each bin: entries of blocks_
};
}  // namespace cereus
