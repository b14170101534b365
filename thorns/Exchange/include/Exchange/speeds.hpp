// Blocks of processes that are not equally fast.
#pragma once
#include <cereus/grid.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>
namespace exchange {
// What the process that takes longest takes for these blocks, in units of a point over a speed.
inline double seconds_of(const std::vector<cereus::BlockHome>& blocks, const std::vector<double>& speeds) {
  std::vector<double> points(speeds.size());
  for (const cereus::BlockHome& b : blocks)
    points[static_cast<std::size_t>(b.owner)] += static_cast<double>(b.cells.points());
  double most = 0;
  for (std::size_t p = 0; p < speeds.size(); ++p)
    if (points[p] > 0)
      most = std::max(most, speeds[p] > 0 ? points[p] / speeds[p] : std::numeric_limits<double>::infinity());
  return most;
}

// Owners of equal blocks that follow each other: in equal parts or, with speeds, so that the process that takes longest
// takes least.
class Owners {
 public:
  Owners(std::int64_t blocks, int processes, const std::vector<double>& speeds)
      : blocks_(blocks),
        processes_(processes) {
    if (speeds.empty()) return;
    using Next = std::pair<double, std::size_t>;  // what a process would take with one more
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    for (std::size_t p = 0; p < speeds.size(); ++p)
      if (speeds[p] > 0) next.push({1 / speeds[p], p});
    ends_.resize(speeds.size());
    for (std::int64_t n = 0; n < blocks; ++n) {
      const std::size_t p = next.top().second;
      next.pop();
      next.push({static_cast<double>(++ends_[p] + 1) / speeds[p], p});
    }
    for (std::size_t p = 1; p < ends_.size(); ++p) ends_[p] += ends_[p - 1];
  }
  int of(std::int64_t block) const {
    if (ends_.empty()) return static_cast<int>(block * processes_ / blocks_);
    return static_cast<int>(std::ranges::upper_bound(ends_, block) - ends_.begin());
  }

 private:
  std::int64_t blocks_;
  int processes_;
  std::vector<std::int64_t> ends_;  // of each process
};
}  // namespace exchange
