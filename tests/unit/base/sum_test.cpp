// Sums that depend on nothing but their terms. Mutations seen to fail: a limit one place higher, a number that is not
// scaled above place 85 or not rounded to the nearest (the order counts); `finite` of one part alone (HasNoNumber…).
#include <gtest/gtest.h>
#include <cereus/kernel/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace cereus;

// Terms of all sizes, of one, close to the largest and smallest doubles, and half-way between two multiples of 2²⁴ⁿ.
std::vector<double> terms(int kind, std::mt19937_64& random) {
  std::vector<double> x;
  for (int n = 2 + static_cast<int>(random() % 60); n > 0; --n) {
    const double one = static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1;
    const int any = static_cast<int>(random() % 1000);
    if (kind == 0) x.push_back(std::ldexp(one, 2 * any - 1070));
    if (kind == 1) x.push_back(one);
    if (kind == 2) x.push_back(std::ldexp(one, 1000 + any % 17));
    if (kind == 3) x.push_back(std::ldexp(one, any % 120 - 1074));
    if (kind == 4) x.push_back(std::ldexp(any % 8 + 0.5, -24 * (any % 5)));
  }
  return x;
}
double in_some_order(std::vector<double> x, std::mt19937_64& random) {
  std::ranges::shuffle(x, random);
  std::vector<Sum> parts(1 + random() % 5);
  for (const double v : x) parts[random() % parts.size()] += v;
  Sum all = parts.back();
  parts.pop_back();
  for (const Sum& s : parts) all.combine(s);
  return all.value();
}

TEST(Sum, IsTheSameInAnyOrder) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto x = terms(round % 5, random);
    const double first = in_some_order(x, random);
    for (int again = 0; again < 5; ++again) ASSERT_EQ(first, in_some_order(x, random)) << round;
    long double exact = 0, largest = 0;
    for (const double v : x) exact += v, largest = std::max(largest, std::fabs(static_cast<long double>(v)));
    const long double rounding = std::fabs(exact) * 0x1p-52L + largest * 0x1p-56L;  // the long double's, too
    EXPECT_LE(std::fabs(first - exact), rounding) << round;
  }
}
TEST(Sum, HasNoNumberWhereATermIsNone) {
  for (const double bad : {INFINITY, -INFINITY, NAN}) {
    Sum s;
    s += 1, s += bad, s += 2;
    EXPECT_TRUE(std::isnan(s.value()));
  }
  EXPECT_EQ(Sum().value(), 0);
}
}  // namespace
