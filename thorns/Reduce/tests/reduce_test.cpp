// The kernels of both passes against long double, in pieces, in several orders, at the edges of what doubles can hold.
// Mutations seen to fail: FixedSum keeps 20 bits of `low`, not 30 (Accuracy); no limit above in has_nan (Nan); all
// weights 1 (Weights); the last, not the first position (FirstOfSeveral); the square of root_scale taken first
// (HugeAndTiny).
#include <gtest/gtest.h>
#include <cereus/schedule.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "kernels.hpp"

using namespace cereus;
using namespace Reduce;

namespace {
constexpr int no_face = std::numeric_limits<int>::min();

// A field of n³ points (n × 1 × 1 in 1D), cut into slabs along the last axis at `cuts`.
template <int dim, class Real> struct Field {
  int n[3];
  std::vector<Real> v;
  explicit Field(int size)
      : n{size, dim > 1 ? size : 1, dim > 2 ? size : 1},
        v(static_cast<std::size_t>(n[0] * n[1] * n[2])) {}

  template <class K> auto run(const K& kernel, const std::vector<int>& cuts, bool backwards) {
    using Value = decltype(kernel(std::declval<DirectPoint<dim>&>()));
    Kernel<K, dim, Real> held;
    *held = kernel;
    const KernelTable& table = held.table();
    char* address[1] = {reinterpret_cast<char*>(v.data())};
    Value total = Value::identity();
    std::vector<Value> parts;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      BlockLaunch b{0, {0, 0, 0}, {n[0], n[1], n[2]}, {0, 0, 0}, {n[0], n[1], n[2]}};
      b.lo[dim - 1] = cuts[c], b.hi[dim - 1] = cuts[c + 1];
      const Geometry geometry{};
      Launch l{{&b, 1}, address, {1, n[0], static_cast<Offset>(n[0]) * n[1]}, &geometry};
      parts.push_back(Value::identity());
      l.result = &parts.back();
      table.loops().host(table.kernel.get(), l);
    }
    if (backwards) std::reverse(parts.begin(), parts.end());
    for (auto& p : parts) total.combine(p);
    return total;
  }
  Terms terms(double root_scale, bool faces) const {
    Terms t{key_of_minus_infinity - 1, key_of_infinity + 1, root_scale, {0, 0, 0},
        {1, n[0], static_cast<long long>(n[0]) * n[1]}, {}, {}};
    for (int d = 0; d < 3; ++d) {
      t.lower_face[d] = faces && d < dim ? 0 : no_face;
      t.upper_face[d] = faces && d < dim ? n[d] - 1 : no_face;
    }
    return t;
  }
  Moments moments(const Terms& t) { return run(SumMoments<dim, Real>{{}, t}, {0, n[dim - 1]}, false); }
};

bool same(const Moments& a, const Moments& b) {
  return a.at_low == b.at_low && a.at_high == b.at_high && a.sum.value() == b.sum.value() &&
         a.absolute.value() == b.absolute.value() && a.squares.value() == b.squares.value();
}
}  // namespace

TEST(Reduce, KeysAreInOrder) {
  const double inf = HUGE_VAL, values[] = {-inf, -1e300, -1, -5e-324, -0.0, 0.0, 5e-324, 1, 1e300, inf};
  for (std::size_t i = 0; i + 1 < std::size(values); ++i) EXPECT_LT(key_of(values[i]), key_of(values[i + 1]));
  for (double v : values) EXPECT_EQ(std::signbit(value_of(key_of(v))), std::signbit(v));
  EXPECT_EQ(key_of(inf), key_of_infinity);
  EXPECT_EQ(key_of(-inf), key_of_minus_infinity);
}

TEST(Reduce, Accuracy) {
  Field<3, double> f(24);
  std::mt19937_64 random(1);
  long double sum = 0, absolute = 0, squares = 0;
  for (double& v : f.v) {
    v = std::uniform_real_distribution<double>(-1, 1)(random);
    sum += v, absolute += std::fabs(v), squares += static_cast<long double>(v) * v;
  }
  const Moments m = f.moments(f.terms(1, false));
  const double bound = static_cast<double>(f.v.size()) * std::ldexp(1.0, -59);  // truncated once a point
  EXPECT_NEAR(m.sum.value(), static_cast<double>(sum), bound + 1e-15 * std::fabs(static_cast<double>(sum)));
  EXPECT_NEAR(m.absolute.value(), static_cast<double>(absolute), 2e-16 * static_cast<double>(absolute) * 2);
  EXPECT_NEAR(m.squares.value(), static_cast<double>(squares), 4e-16 * static_cast<double>(squares) * 2);
}

TEST(Reduce, OrderOfCombinationChangesNothing) {
  Field<3, double> f(30);  // enough points for a team of threads
  std::mt19937_64 random(2);
  for (double& v : f.v)
    v = std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), -static_cast<int>(random() % 60));
  const SumMoments<3, double> k{{}, f.terms(1, true)};
  const Moments whole = f.run(k, {0, 30}, false);
  for (const auto& cuts : {std::vector<int>{0, 1, 30}, {0, 7, 8, 9, 30}, {0, 29, 30}})
    for (bool backwards : {false, true}) EXPECT_TRUE(same(whole, f.run(k, cuts, backwards)));
}

TEST(Reduce, Weights) {  // the trapezoidal rule is exact for linear functions
  Field<3, double> f(9);
  for (int k = 0; k < 9; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i) f.v[i + 9 * (j + 9 * k)] = (i + 2 * j + 4 * k) / 64.0;
  EXPECT_DOUBLE_EQ(f.moments(f.terms(1, true)).sum.value() / 512, (4 + 8 + 16) / 64.0);
  for (double& v : f.v) v = 1;
  EXPECT_EQ(f.moments(f.terms(1, true)).sum.value(), 512);   // cells, not points
  EXPECT_EQ(f.moments(f.terms(1, false)).sum.value(), 729);  // periodic: each point once
}

TEST(Reduce, FirstOfSeveral) {
  Field<2, float> f(8);
  for (int n : {63, 20, 19, 40}) f.v[n] = -3;
  for (int n : {50, 12}) f.v[n] = 3;
  const Extremes e = f.run(FindExtremes<2, float>{}, {0, 3, 8}, true);
  EXPECT_EQ(value_of(e.smallest), -3);
  EXPECT_EQ(value_of(e.largest), 3);
  Terms t = f.terms(0.5, false);
  t.low = e.smallest, t.high = e.largest;
  for (bool backwards : {false, true}) {
    const Moments m = f.run(SumMoments<2, float>{{}, t}, {0, 3, 8}, backwards);
    EXPECT_EQ(m.at_low, 19);
    EXPECT_EQ(m.at_high, 12);
  }
}

TEST(Reduce, Nan) {
  for (const double nan : {std::nan(""), -std::nan("")}) {
    Field<1, double> f(16);
    f.v[3] = HUGE_VAL;
    EXPECT_FALSE(f.run(FindExtremes<1, double>{}, {0, 16}, false).has_nan());
    f.v[9] = f.v[11] = nan;
    EXPECT_TRUE(f.run(FindExtremes<1, double>{}, {0, 16}, false).has_nan());
    const Moments m = f.moments(f.terms(1, false));
    EXPECT_EQ(std::min(m.at_low, m.at_high), 9);
    EXPECT_EQ(m.sum.value(), 0);  // neither adds anything
  }
}

TEST(Reduce, HugeAndTiny) {
  for (const double size : {1.7e308, 1e300, 1.0, 1e-300, 1e-320}) {
    Field<1, double> f(4);
    for (double& v : f.v) v = -size;
    int e;
    std::frexp(size, &e);
    e += e % 2 != 0;
    const Moments m = f.moments(f.terms(std::ldexp(1.0, -e / 2), false));
    EXPECT_DOUBLE_EQ(std::ldexp(m.sum.value() / 4, e), -size);
    EXPECT_DOUBLE_EQ(std::ldexp(m.absolute.value() / 4, e), size);
    EXPECT_NEAR(std::ldexp(std::sqrt(m.squares.value() / 4), e), size, size * 1e-15);
  }
}

TEST(Reduce, ModulusAndIntegers) {
  EXPECT_DOUBLE_EQ(measure(complex<double>{3e200, -4e200}), 5e200);
  EXPECT_EQ(measure(complex<float>{-3, 4}), 5);
  EXPECT_EQ(measure(complex<double>{0, 0}), 0);
  EXPECT_EQ(measure(complex<double>{-HUGE_VAL, 1}), HUGE_VAL);
  EXPECT_TRUE(std::isnan(measure(complex<double>{1, std::nan("")})));
  EXPECT_TRUE(std::isnan(measure(complex<double>{std::nan(""), 1})));
  EXPECT_EQ(measure(std::numeric_limits<std::int32_t>::min()), -2147483648.0);
}
