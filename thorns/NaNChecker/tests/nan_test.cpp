// Counts and the first point, for all scalar types.
// Mutation seen to fail: `first` without the mask of finite points (CountsAndFirst).
#include <gtest/gtest.h>
#include <cereus/schedule.hpp>

#include <cmath>

#include "kernels.hpp"

using namespace cereus;
using namespace NaNChecker;

TEST(NaNChecker, Kinds) {
  constexpr double largest = 1.7976931348623157e308;
  EXPECT_EQ(kind_of(1.0, largest), 0);
  EXPECT_EQ(kind_of(5e-324, largest), 0);
  EXPECT_EQ(kind_of(1.7976931348623157e308, largest), 0);
  EXPECT_EQ(kind_of(-HUGE_VAL, largest), 2);
  EXPECT_EQ(kind_of(std::nan("1"), largest), 1);
  EXPECT_EQ(kind_of(-std::nanf(""), largest), 1);
  EXPECT_EQ(kind_of(HUGE_VALF, largest), 2);
  EXPECT_EQ(kind_of(complex<float>{0, HUGE_VALF}, largest), 2);
  EXPECT_EQ(kind_of(complex<double>{HUGE_VAL, std::nan("")}, largest), 1);
  EXPECT_EQ(kind_of(-3.0, 2.0), 4);
  EXPECT_EQ(kind_of(2.0, 2.0), 0);
  EXPECT_EQ(kind_of(3.0f, 2.0), 4);
  EXPECT_EQ(kind_of(HUGE_VAL, 2.0), 2);
  EXPECT_EQ(kind_of(complex<float>{3, HUGE_VALF}, 2.0), 2);
}

TEST(NaNChecker, CountsAndFirst) {
  constexpr int n = 24;
  std::vector<double> v(n * n * n, 1.0);
  for (int at : {9000, 137, 140, 13000}) v[at] = at == 140 ? HUGE_VAL : std::nan("");
  v[10000] = -8;
  Kernel<FindBad<3, double>, 3, double> kernel;
  kernel->numbering = {{0, 0, 0}, {1, n, n * n}};
  kernel->limit = 7;
  const KernelTable& table = kernel.table();
  char* address[1] = {reinterpret_cast<char*>(v.data())};
  const BlockLaunch b{0, {0, 0, 0}, {n, n, n}, {0, 0, 0}, {n, n, n}};
  const Geometry geometry{};
  Launch l{{&b, 1}, address, {1, n, n * n}, &geometry};
  Bad bad = Bad::identity();
  l.result = &bad;
  table.loops().host(table.kernel.get(), l);
  EXPECT_EQ(bad.nans, 3);
  EXPECT_EQ(bad.infinities, 1);
  EXPECT_EQ(bad.beyond, 1);
  EXPECT_EQ(bad.first, 137);
}
