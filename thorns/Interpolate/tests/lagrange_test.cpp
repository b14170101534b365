// Stencils: exact for polynomials of their order, exact at points, centred, inside the domain and the ghost zones.
// Mutations seen to fail: one point less in the product of the weights (Exact); first one lower
// (Centred, StaysInGhostZones); no clamp (OneSided); a factor of the slopes left out (Slopes).
#include <gtest/gtest.h>

#include <cmath>

#include "lagrange.hpp"

using namespace Interpolate;

namespace {
double polynomial(double x, int degree) {
  double sum = 0;
  for (int p = 0; p <= degree; ++p) sum += (p % 2 ? -1 : 1) * (1 + 0.3 * p) * std::pow(x / 4 - 1, p);
  return sum;
}
double interpolated(double x, int order, bool cell, bool periodic, int points, int degree) {
  const AxisStencil s = lagrange(x, order, cell, periodic, points);
  double sum = 0;
  for (int j = 0; j < s.count; ++j) sum += s.weight[j] * polynomial(s.first + j + (cell ? 0.5 : 0.0), degree);
  return sum;
}
}  // namespace

TEST(Lagrange, Exact) {
  for (int order = 0; order <= max_order; ++order)
    for (bool cell : {false, true})
      for (bool periodic : {false, true}) {
        const int points = 8 + (!cell && !periodic);
        double error = 0, worse = 0;
        for (double x = 0; x <= 8; x += 0.0625) {
          error =
              std::max(error, std::fabs(interpolated(x, order, cell, periodic, points, order) - polynomial(x, order)));
          worse = std::max(
              worse, std::fabs(interpolated(x, order, cell, periodic, points, order + 1) - polynomial(x, order + 1)));
        }
        EXPECT_LT(error, 2e-13) << order << cell << periodic;
        EXPECT_GT(worse, 1e-5) << order << cell << periodic;  // and no more than that
      }
}

TEST(Lagrange, Slopes) {  // of a polynomial of the order exact; of others one order less than values
  for (int order = 1; order <= max_order; ++order)
    for (bool cell : {false, true})
      for (double x = 0; x <= 8; x += 0.0625) {
        const AxisStencil s = lagrange(x, order, cell, false, 8 + !cell);
        double sum = 0, zero = 0;
        for (int j = 0; j < s.count; ++j) {
          sum += s.slope[j] * std::pow((s.first + j + (cell ? 0.5 : 0.0)) / 4 - 1, order);
          zero += s.slope[j];
        }
        EXPECT_NEAR(sum, order * std::pow(x / 4 - 1, order - 1) / 4, 1e-12) << order << cell << x;
        EXPECT_NEAR(zero, 0, 1e-12);
      }
  EXPECT_EQ(lagrange(3.3, 0, false, true, 8).slope[0], 0);
  for (int order = 1; order <= max_order; ++order) {
    double error[2];
    for (int fine : {0, 1}) {
      const double h = fine ? 0.05 : 0.1;
      const AxisStencil s = lagrange(10.3, order, false, true, 100);
      double sum = 0;
      for (int j = 0; j < s.count; ++j) sum += s.slope[j] / h * std::sin(1 + (s.first + j - 10.3) * h);
      error[fine] = std::fabs(sum - std::cos(1));
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.3) << order;
  }
}

TEST(Lagrange, ExactAtPoints) {
  for (int order = 0; order <= max_order; ++order)
    for (int i = 0; i < 20; ++i) {
      const AxisStencil s = lagrange(i, order, false, false, 20);
      for (int j = 0; j < s.count; ++j) EXPECT_EQ(s.weight[j], s.first + j == i ? 1.0 : 0.0);
    }
}

TEST(Lagrange, Centred) {
  const AxisStencil odd = lagrange(10.3, 3, false, true, 20), even = lagrange(10.6, 2, false, true, 20);
  EXPECT_EQ(odd.first, 9);
  EXPECT_EQ(even.first, 10);
  EXPECT_EQ(lagrange(10.3, 3, true, true, 20).first, 8);  // between centres 9.5 and 10.5
}

TEST(Lagrange, OneSided) {
  for (int order = 0; order <= max_order; ++order)
    for (double x = 0; x <= 8; x += 0.125) {
      const AxisStencil s = lagrange(x, order, false, false, 9);
      EXPECT_GE(s.first, 0);
      EXPECT_LE(s.first + s.count, 9);
    }
}

TEST(Lagrange, StaysInGhostZones) {  // a block that owns cell 5, or cell 0, of a periodic domain
  for (int order = 0; order <= max_order; ++order)
    for (bool cell : {false, true})
      for (int block : {0, 5})
        for (double x : {block + 0.0, std::nextafter(block, block + 1), block + 0.3, block + 0.5, block + 0.7,
                 std::nextafter(block + 1, block)}) {
          const AxisStencil s = lagrange(x, order, cell, true, 20);
          EXPECT_GE(s.first, block - reach_of(order)) << order << cell << x;
          EXPECT_LE(s.first + s.count - 1, block + reach_of(order)) << order << cell << x;
        }
}

TEST(Lagrange, Domain) {
  EXPECT_EQ(into_domain(-0.25, true, 8), 7.75);
  EXPECT_EQ(into_domain(8, true, 8), 0);
  EXPECT_EQ(into_domain(-1e-300, true, 8), 0);
  EXPECT_EQ(into_domain(17.5, true, 8), 1.5);
  EXPECT_EQ(into_domain(8 + 1e-10, false, 8), 8);
  EXPECT_TRUE(std::isnan(into_domain(8.1, false, 8)));
  EXPECT_TRUE(std::isnan(into_domain(-0.1, false, 8)));
  EXPECT_TRUE(std::isnan(into_domain(std::nan(""), true, 8)));
  EXPECT_TRUE(std::isnan(into_domain(std::nan(""), false, 8)));
}
