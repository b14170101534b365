// Measures of functions whose differences are known, and the directions in which a limit is passed.
// Mutations seen to fail: a point behind the last block not taken for its; one axis left out; directions off by one
// along y; `m > refine` for `!(m <= refine)`, which misses NaN; a limit that is reached counts as passed,
// or not as passed by what may become coarser.
#include <gtest/gtest.h>
#include <cereus/schedule.hpp>

#include <cmath>

#include "kernels.hpp"

using namespace cereus;
using namespace Refine;

namespace {
constexpr int n = 12, ghosts = 1, row = n + 2 * ghosts;

constexpr Blocks no_blocks(int size, const int (&last)[3], int buffer) {
  Blocks b{{0, 0, 0}, size, {last[0], last[1], last[2]}, buffer, {}};
  for (long long& place : b.place) place = -1;
  return b;
}
constexpr Blocks one_block() {
  Blocks b = no_blocks(n, {0, 0, 0}, 3);
  b.place[0] = 0;
  return b;
}
constexpr Blocks one = one_block();
template <class F> Found measured(Measure measure, double limit, F&& f, const Blocks& blocks = one) {
  std::vector<double> v(row * row);
  for (int j = 0; j < row; ++j)
    for (int i = 0; i < row; ++i) v[j * row + i] = f(i - ghosts, j - ghosts);
  Kernel<Look<2, double>, 2, double> kernel;
  kernel->measure = measure, kernel->refine = limit, kernel->coarsen = limit / 2;
  kernel->blocks = blocks;
  const KernelTable& table = kernel.table();
  char* address[1] = {reinterpret_cast<char*>(v.data() + ghosts * row + ghosts)};
  const BlockLaunch b{0, {0, 0, 0}, {n, n, 1}, {0, 0, 0}, {n, n, 1}};
  const Geometry geometry{};
  Launch l{{&b, 1}, address, {1, row, row * row}, &geometry};
  Found found = Found::identity();
  l.result = &found;
  table.loops().host(table.kernel.get(), l);
  return found;
}
// Whether the largest measure is a number, by limits beside it.
template <class F> bool largest_is(double x, Measure measure, F&& f) {
  const unsigned below = measured(measure, x * (1 - 1e-12), f).bits[0],
                 above = measured(measure, x * (1 + 1e-12), f).bits[0];
  return below & not_fine_enough && !(above & not_fine_enough) && above & not_too_fine && !(below & not_finite);
}
}  // namespace

TEST(Refine, MeasuresWhatItSays) {
  const auto plane = [](int i, int j) { return 3.0 * i - 4.0 * j - 7; };
  EXPECT_TRUE(largest_is(5, Measure::gradient, plane));
  EXPECT_TRUE(largest_is(4.0 * 11 + 7, Measure::value, plane));
  constexpr double least = 1e-300;  // half of it, too, is passed by nothing but 0
  EXPECT_EQ(measured(Measure::curvature, least, plane).bits[0], 0U);
  // What turns at each point has the largest there is.
  EXPECT_TRUE(largest_is(4 / (4 + 0.04), Measure::curvature, [](int i, int j) { return (i + j) % 2 ? 1.0 : -1.0; }));
  EXPECT_EQ(measured(Measure::curvature, least, [](int, int) { return 0.0; }).bits[0], 0U);
}

// A limit that is reached: blocks need not be finer, nor may they be coarser.
TEST(Refine, TakesLimitsAsTheyAreSaid) {
  const auto one = [](int, int) { return 1.0; };
  EXPECT_EQ(measured(Measure::value, 1, one).bits[0], not_too_fine);
  EXPECT_EQ(measured(Measure::value, 2, one).bits[0], not_too_fine);  // half of it is the other limit
  EXPECT_EQ(measured(Measure::value, 2.001, one).bits[0], 0U);
}

TEST(Refine, KnowsWhereItIsNeeded) {
  const auto spike = [](int i, int j) {
    return measured(Measure::value, 0.5, [=](int a, int b) { return a == i && b == j ? 1.0 : 0.0; }).bits[0] &
           (not_fine_enough - 1);
  };
  const auto direction = [](int i, int j) { return 1U << (13 + i + 3 * j); };
  EXPECT_EQ(spike(5, 6), direction(0, 0));
  EXPECT_EQ(spike(2, 6), direction(0, 0) | direction(-1, 0));
  EXPECT_EQ(spike(6, 9), direction(0, 0) | direction(0, 1));
  EXPECT_EQ(spike(9, 2), direction(0, 0) | direction(1, 0) | direction(0, -1) | direction(1, -1));
  EXPECT_EQ(spike(20, 20), 0U);
}

TEST(Refine, NoNumberIsLargest) {
  const Found found =
      measured(Measure::gradient, 1, [](int i, int j) { return i == 4 && j == 4 ? std::nan("") : 0.0; });
  constexpr unsigned all = not_finite | not_fine_enough | not_too_fine;
  EXPECT_EQ(found.bits[0] & all, all);
  EXPECT_NE(found.bits[0] & ~all, 0U);
}

// Of 2 × 2 blocks of 5 cells, whose last points lie behind them: each has its own, whatever the order of their numbers.
TEST(Refine, LooksAtSeveralBlocks) {
  constexpr int size = 5;
  const int along[4][3] = {{1, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  Blocks blocks = no_blocks(size, {1, 1, 0}, 1);
  for (int b = 0; b < 4; ++b) blocks.place[2 * b] = Blocks::number(along[b]);
  // Their largest are 121, 44, 114 and 51.
  const auto f = [](int i, int j) { return 10.0 * i + j; };
  const Found found = measured(Measure::value, 115, f, blocks), more = measured(Measure::value, 100, f, blocks);
  EXPECT_EQ(found.bits[0] & ~(not_fine_enough - 1), not_fine_enough | not_too_fine);
  EXPECT_NE(found.bits[0] & (not_fine_enough - 1), 0U);
  EXPECT_EQ(found.bits[2], 0U);
  EXPECT_EQ(found.bits[4], not_too_fine);
  EXPECT_EQ(found.bits[6], 0U);
  EXPECT_EQ(more.bits[4] & ~(not_fine_enough - 1), not_fine_enough | not_too_fine);
  EXPECT_EQ(more.bits[6], not_too_fine);
  for (const int b : {1, 3, 5, 7, together - 1}) EXPECT_EQ(found.bits[b], 0U);
}
