// Points on the unit sphere for sums over spherical harmonics.
#pragma once
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace Analysis {
struct SpherePoint {
  double theta, phi, weight;        // radians; Σ weight = 4π
  std::array<double, 3> direction;  // of length 1
};

// The points of Gauss and Legendre in cos θ, n of them, times points in φ at equal distances, 2n unless another number
// is given: Σ weight · f is ∮f dΩ, exactly for spherical harmonics of l < 2n and |m| < n_phi. With an even number no
// point lies at a pole or in a coordinate plane that holds the z axis. Nodes by Newton's method from M. Abramowitz and
// I. A. Stegun, (22.16.6).
inline std::vector<SpherePoint> gauss_sphere(int n, int n_phi) {
  using std::numbers::pi;
  std::vector<SpherePoint> points;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 6; ++step) {
      double p = 1, before = 0;
      for (int l = 1; l <= n; ++l) {
        const double next = ((2 * l - 1) * x * p - (l - 1) * before) / l;
        before = p, p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    const double weight = 2 / ((1 - x * x) * slope * slope) * 2 * pi / n_phi, s = std::sqrt(1 - x * x);
    for (int k = 0; k < n_phi; ++k) {
      const double phi = 2 * pi * (k + 0.5) / n_phi;
      points.push_back({std::acos(x), phi, weight, {s * std::cos(phi), s * std::sin(phi), x}});
    }
  }
  return points;
}
inline std::vector<SpherePoint> gauss_sphere(int n) { return gauss_sphere(n, 2 * n); }
}  // namespace Analysis
