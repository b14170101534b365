// The coordinates of shells around a cube, and their derivatives, against differences of their definition.
// Mutations seen to fail: a sign in bend(), or its mixed case for two equal axes; axes in another turn.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cereus/kernel/map.hpp"

namespace {
using cereus::OnShell;
using Point = std::array<double, 3>;

// (a, b, r), the angles themselves, of a point in the sector of a shell.
Point coordinates(int map, const Point& x) {
  const double first = x[OnShell::axis(map, 0)];
  return {std::atan(x[OnShell::axis(map, 1)] / first), std::atan(x[OnShell::axis(map, 2)] / first),
      std::hypot(x[0], x[1], x[2])};
}
OnShell at(int map, const Point& x) {
  const Point c = coordinates(map, x);
  return {map, std::tan(c[0]), std::tan(c[1]), c[2]};
}
Point moved(Point x, int axis, double by) {
  x[static_cast<std::size_t>(axis)] += by;
  return x;
}

TEST(OnShell, HasTheDerivativesOfItsCoordinates) {
  constexpr double h = 1e-4;
  for (int map = 1; map <= 6; ++map) {
    Point x{};
    x[OnShell::axis(map, 0)] = map % 2 ? 1.3 : -1.3, x[OnShell::axis(map, 1)] = 0.4, x[OnShell::axis(map, 2)] = -0.9;
    const OnShell s = at(map, x);
    double metric[3][3] = {}, laplacian[3] = {};
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(s.x(d), x[static_cast<std::size_t>(d)], 1e-14) << map;
    for (std::size_t c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) {
        const auto slope = [&](const Point& y) {
          return (coordinates(map, moved(y, i, h))[c] - coordinates(map, moved(y, i, -h))[c]) / (2 * h);
        };
        EXPECT_NEAR(s.slope(int(c), i), slope(x), 1e-7) << map << ' ' << c << ' ' << i;
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(s.bend(int(c), i, j), (slope(moved(x, j, h)) - slope(moved(x, j, -h))) / (2 * h), 1e-6)
              << map << ' ' << c << ' ' << i << ' ' << j;
        for (int e = 0; e < 3; ++e) metric[c][e] += s.slope(int(c), i) * s.slope(e, i);
        laplacian[c] += s.bend(int(c), i, i);
      }
    EXPECT_NEAR(metric[0][0], s.metric_aa() * s.over_r * s.over_r, 1e-14);
    EXPECT_NEAR(metric[1][1], s.metric_bb() * s.over_r * s.over_r, 1e-14);
    EXPECT_NEAR(metric[0][1], s.metric_ab() * s.over_r * s.over_r, 1e-14);
    EXPECT_NEAR(metric[2][2], 1, 1e-14);
    EXPECT_NEAR(metric[0][2], 0, 1e-14);
    EXPECT_NEAR(laplacian[0], 0, 1e-14);
    EXPECT_NEAR(laplacian[2], 2 / s.r, 1e-14);
    const double determinant = metric[0][0] * metric[1][1] - metric[0][1] * metric[0][1];  // of a, b; r is orthogonal
    EXPECT_NEAR(s.volume(), 1 / std::sqrt(determinant), 1e-13);
  }
}
}  // namespace
