// Sums that depend on nothing but their terms. Mutations seen to fail: a limit twice as high, pieces that are not
// rounded to the nearest (the order counts); pieces that are not carried (HasRoomForManyTerms); `finite` of one part
// alone (HasNoNumber…); parts with the same places whose terms are not counted, or whose `finite` is not looked at.
#include <gtest/gtest.h>
#include <cereus/kernel/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace cereus;

// Terms of all sizes, of one, close to the largest and smallest doubles, half-way between two multiples of a place's
// unit, and a little more or less than half of the next place's.
std::vector<double> terms(int kind, std::mt19937_64& random) {
  std::vector<double> x;
  for (int n = 2 + static_cast<int>(random() % 60); n > 0; --n) {
    const double one = static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1;
    const int any = static_cast<int>(random() % 1000);
    if (kind == 0) x.push_back(std::ldexp(one, 2 * any - 1070));
    if (kind == 1) x.push_back(one);
    if (kind == 2) x.push_back(std::ldexp(one, 1000 + any % 17));
    if (kind == 3) x.push_back(std::ldexp(one, any % 120 - 1074));
    if (kind == 4) x.push_back(std::ldexp((any % 8 + 0.5) * (any % 3 ? 1 : -1), 6 - 40 * (any % 5)));
    if (kind == 5) x.push_back(std::ldexp(one, any % 160 - 80) + (any % 2 ? 0x1p46 : 0x1p45));
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
  for (int round = 0; round < 6000; ++round) {
    const auto x = terms(round % 6, random);
    const double first = in_some_order(x, random);
    for (int again = 0; again < 5; ++again) ASSERT_EQ(first, in_some_order(x, random)) << round;
    long double exact = 0, largest = 0;
    for (const double v : x) exact += v, largest = std::max(largest, std::fabs(static_cast<long double>(v)));
    const long double rounding = std::fabs(exact) * 0x1p-52L + largest * 0x1p-56L;  // the long double's, too
    EXPECT_LE(std::fabs(first - exact), rounding) << round;
  }
}
// What overflows is no constant.
constexpr double of_two(double a, double b) {
  Sum s;
  s += a, s += b;
  return s.value();
}
static_assert(of_two(1, 2) == 3 && of_two(0x1p1000, 1) == 0x1p1000 && of_two(0x1p-1070, 0x1p-1070) == 0x1p-1069);

// As large as a place takes, of both signs, and down to a place's last bit; by thousands, the pieces of one sum fill
// its places.
TEST(Sum, HasRoomForManyTerms) {
  for (const double x :
      {0x1.fffffffffffffp44, -0x1.0000000004p44, 0x1.0000000000001p-1000, 0x1.5555555555555p18, 0.1}) {
    constexpr int n = 1 << 17;
    Sum one, parts[8], all;
    for (int i = 0; i < n; ++i) one += x, parts[i % 8] += x;
    for (const Sum& s : parts) all.combine(s);
    EXPECT_EQ(one.value(), n * x);
    EXPECT_EQ(all.value(), n * x);
    Sum part, many, each;
    for (int i = 0; i < 3999; ++i) part += x;
    for (int i = 0; i < 99; ++i) many.combine(part);
    for (int i = 0; i < 3999 * 99; ++i) each += x;
    EXPECT_EQ(many.value(), each.value());
  }
}
TEST(Sum, HasNoNumberWhereATermIsNone) {
  for (const double bad : {INFINITY, -INFINITY, NAN}) {
    Sum s;
    s += 1, s += bad, s += 2;
    EXPECT_TRUE(std::isnan(s.value()));
    Sum large, none;  // of the same place
    large += 0x1p1010, large += 1, none += bad, none += 1;
    large.combine(none);
    EXPECT_TRUE(std::isnan(large.value()));
  }
  EXPECT_EQ(Sum().value(), 0);
}
}  // namespace
