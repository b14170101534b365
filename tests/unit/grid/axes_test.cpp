// Stretched axes: the map by the formula as it stands in books, its derivatives by differences, its inverse, and the
// tables that kernels read.
#include <gtest/gtest.h>

#include <cmath>

#include "cereus/error.hpp"
#include "cereus/grid.hpp"

namespace cereus {
namespace {
const Stretch s{.factor = 8, .from = 2, .width = 0.75};

TEST(Stretch, follows_the_formula) {
  for (const double X : {-4.0, -2.0, -0.3, 0.0, 0.1, 1.9, 3.0, 5.0}) {
    const double ratio = std::cosh((X + s.from) / s.width) / std::cosh((X - s.from) / s.width);
    const double x = s.factor * X + (1 - s.factor) * s.width / (2 * std::tanh(s.from / s.width)) * std::log(ratio);
    EXPECT_NEAR(s.x(X), x, 1e-13 * (1 + std::fabs(x)));
    EXPECT_EQ(s.x(-X), -s.x(X));
    EXPECT_EQ(s.slope(-X), s.slope(X));
  }
  EXPECT_DOUBLE_EQ(s.slope(0), 1);
  EXPECT_NEAR(s.slope(1e4), 8, 1e-14);
  EXPECT_TRUE(std::isfinite(s.x(1e6)));
}

TEST(Stretch, derivatives_and_inverse) {
  constexpr double h = 1e-4;
  for (const double X : {-5.0, -2.2, -1.0, 0.0, 0.7, 2.0, 2.8, 9.0}) {
    EXPECT_NEAR(s.slope(X), (s.x(X + h) - s.x(X - h)) / (2 * h), 1e-6);
    EXPECT_NEAR(s.curvature(X), (s.slope(X + h) - s.slope(X - h)) / (2 * h), 1e-6);
    EXPECT_NEAR(s.inverse(s.x(X)), X, 1e-13 * (1 + std::fabs(X)));
  }
  EXPECT_TRUE(std::isnan(s.inverse(NAN)));
}

TEST(Patch, tables_of_shells) {
  Patch p;
  p.map = 3, p.cells = {{0, 0, 0}, {8, 8, 4}};
  p.lower = {-0.8, -0.8, 1.5}, p.spacing = {0.2, 0.2, 0.25};
  p.tabulate({2, 2, 2});
  const Geometry g = p.geometry({}, {});
  for (int i = -2; i < 6; ++i) {
    const double t = std::tan(-0.8 + 0.2 * i), r = 1.5 + 0.25 * i;
    EXPECT_NEAR(g.axis[1][i], t, 1e-14);
    EXPECT_NEAR(g.axis[1][2 * g.pitch + i], 1 / (1 + t * t), 1e-14);
    EXPECT_NEAR(g.axis[2][i], r, 1e-14);
    EXPECT_NEAR(g.axis[2][2 * g.pitch + i], 1 / r, 1e-14);
  }
}

TEST(Patch, tables_of_stretched_axes) {
  Patch p;
  p.cells = {{0, 0, 0}, {20, 6, 1}};
  p.lower = {-4, 1, 0}, p.spacing = {0.4, 0.5, 1};
  p.stretch[0] = s;
  EXPECT_THROW(p.geometry({}, {}), Failure);
  p.tabulate({3, 3, 0});
  const std::array<Centre, 3> centre{Centre::cell, Centre::vertex, Centre::vertex};
  const Geometry g = p.geometry(centre, {});
  for (int i = -3; i < 23; ++i) {
    const double X = -4 + 0.4 * (i + 0.5), dx = 0.4 * s.slope(X);
    EXPECT_NEAR(g.axis[0][i], s.x(X), 1e-12);
    EXPECT_EQ(g.axis[0][i], p.coordinate(0, Centre::cell, i));
    EXPECT_NEAR(g.axis[0][g.pitch + i], 1 / dx, 1e-12 / dx);
    EXPECT_NEAR(g.axis[0][2 * g.pitch + i], 0.16 * s.curvature(X) / (dx * dx), 1e-12);
    EXPECT_NEAR(p.cells_to(0, g.axis[0][i]), i + 0.5, 1e-12);
  }
  for (int j = -3; j < 10; ++j) {
    EXPECT_EQ(g.axis[1][j], 1 + 0.5 * j);
    EXPECT_EQ(g.axis[1][g.pitch + j], 2);
    EXPECT_EQ(g.axis[1][2 * g.pitch + j], 0);
  }
  EXPECT_EQ(p.distance(1, Centre::cell, 3), 0.5);
  EXPECT_NEAR(p.smallest_distance(0), 0.4 * s.slope(0.2), 1e-12);
}
}  // namespace
}  // namespace cereus
