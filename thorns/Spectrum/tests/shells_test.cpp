// Modes of a box and their shells, and who has which planes.
// Mutations seen to fail: `i - n` → `i - n + 1` (NegativeWaveNumbers); `/ edge` dropped (UnequalEdges); `lround` →
// `floor` (Nearest); `p + 1` → `p` (Cut).
#include "shells.hpp"

#include <gtest/gtest.h>

using namespace Spectrum;

namespace {
Patch make_level(Index cells, std::array<double, 3> edges) {
  Patch level;
  for (int d = 0; d < 3; ++d) {
    level.cells.lo[d] = 5;  // indices need not begin at 0
    level.cells.hi[d] = 5 + cells[d];
    level.spacing[d] = edges[d] / cells[d];
  }
  return level;
}
}  // namespace

TEST(Shells, NegativeWaveNumbers) {
  const Shells shells(make_level({7, 1, 1}, {3, 1, 1}), 1);
  for (int m = 0; m <= 3; ++m) EXPECT_EQ(shells.of(5 + m, 5, 5), m);
  for (int m = 1; m <= 3; ++m) EXPECT_EQ(shells.of(5 + 7 - m, 5, 5), m);
  EXPECT_EQ(shells.count(), 4);
}

TEST(Shells, Nyquist) {
  const Shells shells(make_level({8, 1, 1}, {1, 1, 1}), 1);
  EXPECT_EQ(shells.of(5 + 4, 5, 5), 4);
  EXPECT_EQ(shells.count(), 5);
}

TEST(Shells, Nearest) {
  const Shells shells(make_level({8, 8, 8}, {1, 1, 1}), 3);
  EXPECT_EQ(shells.of(6, 6, 5), 1);  // √2
  EXPECT_EQ(shells.of(6, 6, 6), 2);  // √3
  EXPECT_EQ(shells.of(9, 9, 9), 7);  // √48, the last
  EXPECT_EQ(shells.count(), 8);
}

TEST(Shells, UnequalEdges) {  // in units of the shortest edge a wave along the longer one is slower
  const Shells shells(make_level({8, 8, 1}, {4, 2, 1}), 2);
  EXPECT_EQ(shells.shortest_edge(), 2);
  EXPECT_EQ(shells.of(5 + 4, 5, 5), 2);
  EXPECT_EQ(shells.of(5, 5 + 3, 5), 3);
}

TEST(Slabs, Cut) {
  const Box domain{{5, 0, 2}, {9, 3, 9}};
  for (int processes : {1, 2, 3, 7, 9}) {
    const Boxes slabs = cut(domain, 2, processes);
    ASSERT_EQ(slabs.size(), static_cast<std::size_t>(processes));
    int next = domain.lo[2];
    for (const Box& slab : slabs) {
      EXPECT_EQ(slab.lo[2], next);
      next = slab.hi[2];
      EXPECT_EQ(slab.extent(0), 4);
      EXPECT_LE(slab.extent(2), (7 + processes - 1) / processes);
    }
    EXPECT_EQ(next, domain.hi[2]);
  }
}
