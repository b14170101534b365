// Harmonics against formulas and against each other, and what sums over the points of a sphere recover.
// Mutations seen to fail: no conj in Projection; Wigner's sum without its sign, spin for -spin, e^(-imφ), a factorial
// of the root twice in place of another (Harmonics).
#include <gtest/gtest.h>

#include "decompose.hpp"

using Multipole::harmonic;
using std::numbers::pi;
using Complex = std::complex<double>;

TEST(Harmonics, Formulas) {
  for (double theta = 0.1; theta < 3.1; theta += 0.3)
    for (double phi = 0; phi < 6; phi += 0.7) {
      const double c = std::cos(theta), s = std::sin(theta);
      const auto expect = [&](int spin, int l, int m, double size) {
        EXPECT_LT(std::abs(harmonic(spin, l, m, theta, phi) - size * std::polar(1., m * phi)), 2e-15)
            << spin << l << m << theta;
      };
      expect(-2, 2, 2, std::sqrt(5 / (64 * pi)) * (1 + c) * (1 + c));
      expect(-2, 2, 1, std::sqrt(5 / (16 * pi)) * s * (1 + c));
      expect(-2, 2, 0, std::sqrt(15 / (32 * pi)) * s * s);
      expect(-2, 2, -2, std::sqrt(5 / (64 * pi)) * (1 - c) * (1 - c));
      expect(0, 1, 1, -std::sqrt(3 / (8 * pi)) * s);
      expect(0, 2, 0, std::sqrt(5 / (16 * pi)) * (3 * c * c - 1));
      expect(1, 1, 0, std::sqrt(3 / (8 * pi)) * s);
    }
}

TEST(Harmonics, OfSpinZeroAreTheUsualOnes) {
  for (int l = 0; l <= 10; ++l)
    for (int m = 0; m <= l; ++m)
      for (double theta = 0.05; theta < 3.1; theta += 0.2)
        EXPECT_NEAR(harmonic(0, l, m, theta, 0).real(), std::sph_legendre(l, m, theta), 2e-13) << l << m;
}

TEST(Harmonics, Orthonormal) {
  const auto sphere = Analysis::gauss_sphere(9);
  for (int s = -2; s <= 2; ++s)
    for (int l = std::abs(s); l <= 8; ++l)
      for (int m = -l; m <= l; ++m)
        for (int k = std::abs(s); k <= 8; ++k)
          for (int n = -k; n <= k; n += 3) {
            Complex sum = 0;
            for (const auto& p : sphere)
              sum += p.weight * harmonic(s, l, m, p.theta, p.phi) * std::conj(harmonic(s, k, n, p.theta, p.phi));
            EXPECT_LT(std::abs(sum - (l == k && m == n ? 1. : 0.)), 5e-14) << s << l << m << k << n;
          }
}

// Products of l + l' up to 2n − 1 are summed exactly, and no more: n points bear l = n − 1.
TEST(Sphere, Exact) {
  for (int n = 2; n <= 40; n += 3) {
    double surface = 0, most = 0, more = 0;
    for (const auto& p : Analysis::gauss_sphere(n)) {
      const double x = std::cos(p.theta);
      surface += p.weight, most += p.weight * std::pow(x, 2 * n - 2), more += p.weight * std::pow(x, 2 * n);
      for (int d = 0; d < 3; ++d) EXPECT_NE(p.direction[d] == 0 && d < 2, true);
    }
    EXPECT_NEAR(surface, 4 * pi, 2e-14 * n);
    EXPECT_NEAR(most, 4 * pi / (2 * n - 1), 1e-14 * n);
    if (n < 10) EXPECT_GT(std::abs(more - 4 * pi / (2 * n + 1)), 1e-12);
  }
}

TEST(Projection, RecoversGivenHarmonics) {
  const auto sphere = Analysis::gauss_sphere(24);
  for (int spin : {-2, 0, 1}) {
    const Multipole::Projection project(sphere, spin, 12);
    const auto given = [](const Multipole::Mode& mode) { return Complex(1. / (1 + mode.l), 0.3 * mode.m - 0.1); };
    const auto found = project([&](std::size_t p) {
      Complex f = 0;
      for (const auto& mode : project.modes())
        f += given(mode) * harmonic(spin, mode.l, mode.m, sphere[p].theta, sphere[p].phi);
      return f;
    });
    ASSERT_EQ(found.size(), 13u * 13u - spin * spin);
    for (std::size_t n = 0; n < found.size(); ++n) EXPECT_LT(std::abs(found[n] - given(project.modes()[n])), 1e-12);
  }
}
