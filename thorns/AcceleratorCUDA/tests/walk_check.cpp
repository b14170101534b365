// Thread blocks of late kernels meet each point of a box once, whatever its size and their shape. Mutations that make
// it fail: strips behind the last one are not left out; the last one is as wide as the others; planes of boxes whose
// faces are shared are not told apart.
#include <gtest/gtest.h>
#include <AcceleratorCUDA/loop/walk.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace cereus::detail {
namespace {
using Visits = std::map<std::array<int, 3>, int>;
using Size = int[3];

// As late.hpp and sharing.hpp go through them, by the walk for boxes of at most this size.
Visits visited(const LateShape& s, const BlockLaunch& b, const Size& largest) {
  const Walk walk = Walk::of(s, largest);
  Visits visits;
  for (unsigned block = 0; block < walk.thread_blocks; ++block)
    for (int t = 0; t < s.threads(); ++t) {
      const int in_plane = s.x * s.y, lane = t % 32;
      const WalkedPoint p(walk, b, block, s.points(), s.shares ? t / 32 * 31 + lane : t % in_plane, s.shares);
      if (p.i >= b.hi[0] || p.j >= p.rows || (s.shares && (lane == 0 || p.begins))) continue;
      const int first = b.lo[2] + p.plane * s.planes() + (s.shares ? 0 : t / in_plane);
      for (int l = first; l < std::min(first + s.planes(), b.hi[2]); l += s.z) ++visits[{p.i, p.j, l}];
    }
  return visits;
}

TEST(Walk, meets_each_point_once) {
  std::mt19937 random(1);
  const auto to = [&](int most) { return std::uniform_int_distribution(1, most)(random); };
  for (const LateShape& s : {LateShape{32, 4, 1, 128, 32, 2}, LateShape{2, 16, 4, 2, 64, 2},
           LateShape{128, 2, 1, 128, 32, 4, 8}, LateShape{64, 4, 1, 128, 32, 2, 8},
           LateShape{32, 4, 1, 128, 32, 2, 8, true}, LateShape{32, 8, 1, 128, 32, 1, 4, true}})
    for (int n = 0; n < 30; ++n) {
      BlockLaunch b{};
      for (int d = 0; d < 3; ++d) b.lo[d] = to(9) - 5, b.hi[d] = b.lo[d] + (d == 0 ? to(170) : to(20));
      if (n == 0) b.hi[0] = b.lo[0] + 161, b.hi[1] = b.lo[1] + 33;  // five strips, in two tiles of four
      if (n == 1) b.hi[0] = b.lo[0] + 31;                           // one strip, which a warp nearly fills
      const int more = n % 3;                                       // of another box in the same launch, along y and z
      const Size largest{b.hi[0] - b.lo[0], b.hi[1] - b.lo[1] + more, b.hi[2] - b.lo[2] + more};
      const Visits visits = visited(s, b, largest);
      std::size_t points = 1;
      for (int d = 0; d < 3; ++d) points *= static_cast<std::size_t>(b.hi[d] - b.lo[d]);
      ASSERT_EQ(visits.size(), points) << s.x << " × " << s.y << ", box " << n;
      for (const auto& [at, times] : visits) {
        ASSERT_EQ(times, 1) << s.x << " × " << s.y << ", " << at[0] << ' ' << at[1] << ' ' << at[2];
        for (int d = 0; d < 3; ++d) ASSERT_TRUE(at[d] >= b.lo[d] && at[d] < b.hi[d]);
      }
    }
}

// Where 32 nearly divides the points along x, strips have 32; else they are as wide as each other.
TEST(Walk, fills_warps) {
  const auto widths = [](int n) {
    const Walk w = Walk::of({32, 4, 1, 128, 32, 2}, {n, n, n});
    return std::array{w.last + 1U, w.row[0].by, w.row[1].by};
  };
  EXPECT_EQ(widths(257), (std::array{8U, 32U, 33U}));
  EXPECT_EQ(widths(95), (std::array{3U, 32U, 31U}));
  EXPECT_EQ(widths(33), (std::array{1U, 33U, 33U}));
  EXPECT_EQ(widths(120), (std::array{4U, 30U, 30U}));
}

// A tile has fewer rows where its points could not be counted otherwise.
TEST(Walk, of_long_boxes) {
  const Walk w = Walk::of({32, 4, 1, 128, 32, 2}, {32, 32, 10'000'000});
  EXPECT_EQ(w.rows, 3);
  EXPECT_EQ(w.thread_blocks, 11 * ((32 * 3 * 10'000'000U) / 128));
}
}  // namespace
}  // namespace cereus::detail
