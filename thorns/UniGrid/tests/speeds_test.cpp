// Blocks of processes that are not equally fast: boxes tile the domain in proportion to speeds, and no other number of
// equal blocks a process would be done sooner.
// Mutations seen to fail: a cut in the middle; blocks by the lowest sum so far, in place of the sum with one more.
#include <gtest/gtest.h>
#include <Exchange/speeds.hpp>

#include <cmath>
#include <random>

#include "../src/decompose.hpp"

namespace UniGrid {
TEST(Speeds, boxes_are_in_proportion) {
  const Box domain{{0, 0, 0}, {64, 64, 64}};
  const std::vector<std::vector<double>> cases{{1, 3}, {5, 1, 2}, {1, 1, 1, 1}, {0, 1, 7}, {1000, 1}};
  for (const auto& speeds : cases) {
    double all = 0;
    for (double s : speeds) all += s;
    std::vector<double> points(speeds.size());
    double sum = 0;
    for (const OwnedBox& b : decompose_by_speed(domain, 3, 2, speeds, 3)) {
      points[static_cast<std::size_t>(b.owner)] += static_cast<double>(b.cells.points());
      sum += static_cast<double>(b.cells.points());
      for (int d = 0; d < 3; ++d) EXPECT_GE(b.cells.extent(d), 3);
    }
    EXPECT_EQ(sum, 64 * 64 * 64);
    const bool too_thin = speeds.back() == 1 && speeds.front() == 1000;
    for (std::size_t p = 0; p < speeds.size(); ++p)
      EXPECT_NEAR(points[p] / sum, too_thin ? 1. - static_cast<double>(p) : speeds[p] / all, 1. / 64);
  }
}

TEST(Speeds, equal_blocks_end_as_soon_as_they_can) {
  std::mt19937 random(1);
  for (int n = 0; n < 200; ++n) {
    std::vector<double> speeds(2 + random() % 4);
    for (double& s : speeds) s = random() % 5 == 0 ? 0 : 1 + static_cast<double>(random() % 1000);
    speeds[0] = 100;
    const std::int64_t blocks = 1 + random() % 40;
    const exchange::Owners owners(blocks, static_cast<int>(speeds.size()), speeds);
    std::vector<double> counts(speeds.size());
    int last = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      EXPECT_LE(last, owners.of(b));
      ++counts[static_cast<std::size_t>(last = owners.of(b))];
    }
    double longest = 0;
    for (std::size_t p = 0; p < speeds.size(); ++p)
      if (counts[p] > 0) longest = std::max(longest, counts[p] / speeds[p]);
    // In less time all of them together could not have done as many.
    double others = 0;
    for (double s : speeds) others += std::floor(longest * s * (1 - 1e-9));
    EXPECT_LT(others, static_cast<double>(blocks));
  }
  const exchange::Owners equal(10, 4, {});
  EXPECT_EQ(equal.of(0), 0);
  EXPECT_EQ(equal.of(4), 1);
}
}  // namespace UniGrid
