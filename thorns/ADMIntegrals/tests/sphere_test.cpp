// The rule on the sphere is exact for low harmonics; the integrand knows a boosted, spinning perturbation of flat
// space. Mutations seen to fail: a weight without 1 − x² (Exact), ∂_j γ_ik alone (Linear), the trace's sign (Trace).
#include <gtest/gtest.h>

#include <Analysis/sphere.hpp>

#include "integrand.hpp"

using namespace ADMIntegrals;
using Analysis::gauss_sphere;

TEST(Sphere, Exact) {
  const double four_pi = 4 * std::numbers::pi;
  for (int n : {3, 8, 24}) {
    double sum = 0, z2 = 0, x4 = 0, odd = 0;
    for (const auto& p : gauss_sphere(n, 2 * n)) {
      sum += p.weight, z2 += p.weight * p.direction[2] * p.direction[2], x4 += p.weight * std::pow(p.direction[0], 4);
      odd += p.weight * p.direction[0] * p.direction[1];
    }
    EXPECT_NEAR(sum, four_pi, 1e-12);
    EXPECT_NEAR(z2, four_pi / 3, 1e-12);
    EXPECT_NEAR(x4, four_pi / 5, 1e-12);
    EXPECT_NEAR(odd, 0, 1e-12);
  }
}

// γ_ij = (1 + 2m/r) δ_ij, ∂_k γ_ij = −2m n_k/r² δ_ij: 1/16π ∮ (∂_j γ_jk − ∂_k γ_jj) n_k dA = m, for m → 0; and K_ij of
// Bowen and York, whose integrals are P and S.
TEST(Sphere, Linear) {
  const double m = 1e-7, r = 3;
  const Vector p{0.1, -0.2, 0.3}, s{0.3, 0.5, -0.4};
  Charges sum;
  for (const auto& node : gauss_sphere(8, 16)) {
    const Vector& n = node.direction;
    const double pn = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
    const Vector turn{n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]};
    Geometry at{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double delta = i == j;
        at.gamma[i][j] = delta * (1 + 2 * m / r);
        for (int k = 0; k < 3; ++k) at.change[k][i][j] = -2 * m * n[k] / (r * r) * delta;
        at.curvature[i][j] = 1.5 / (r * r) * (p[i] * n[j] + p[j] * n[i] - (delta - n[i] * n[j]) * pn) -
                             3 / (r * r * r) * (turn[i] * n[j] + turn[j] * n[i]);
      }
    sum.add(node.weight * r * r / (8 * std::numbers::pi), integrand(at, n, {r * n[0], r * n[1], r * n[2]}));
  }
  EXPECT_NEAR(sum.mass / m, 1, 1e-6);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sum.momentum[i], p[i], 1e-6);
    EXPECT_NEAR(sum.spin[i], s[i], 1e-6);
  }
}

// K_ij = c n_x/r² δ_ij: P_x = 1/8π ∮ (K_xx − K) n_x dA = −2c/8π · 4π/3.
TEST(Sphere, Trace) {
  const double c = 0.3, r = 2;
  Charges sum;
  for (const auto& node : gauss_sphere(8, 16)) {
    Geometry at{};
    for (int i = 0; i < 3; ++i) at.gamma[i][i] = 1, at.curvature[i][i] = c * node.direction[0] / (r * r);
    sum.add(node.weight * r * r / (8 * std::numbers::pi), integrand(at, node.direction, {0, 0, 0}));
  }
  EXPECT_NEAR(sum.momentum[0], -c / 3, 1e-14);
  EXPECT_NEAR(sum.momentum[1], 0, 1e-14);
}
