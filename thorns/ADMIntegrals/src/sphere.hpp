// Points and weights on the unit sphere: those of Gauss and Legendre in cos θ, times equidistant ones in φ. Exact for
// spherical harmonics up to l = 2 n_θ − 1 and |m| < n_φ; no point lies on the axis.
#pragma once
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace ADMIntegrals {
struct Node {
  std::array<double, 3> n;  // of length 1
  double weight;            // all together 4π
};

inline std::vector<Node> sphere(int n_theta, int n_phi) {
  using std::numbers::pi;
  std::vector<Node> nodes;
  for (int i = 0; i < n_theta; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n_theta + 0.5)), slope = 1;  // near the i-th zero of P_n
    for (int step = 0; step < 8; ++step) {
      double last = 1, p = x;  // P_0, P_1
      for (int l = 2; l <= n_theta; ++l) last = std::exchange(p, ((2 * l - 1) * x * p - (l - 1) * last) / l);
      slope = n_theta * (last - x * p) / (1 - x * x);
      x -= p / slope;
    }
    const double s = std::sqrt(1 - x * x), w = 2 / ((1 - x * x) * slope * slope) * 2 * pi / n_phi;
    for (int j = 0; j < n_phi; ++j) {
      const double phi = 2 * pi * (j + 0.5) / n_phi;
      nodes.push_back({{s * std::cos(phi), s * std::sin(phi), x}, w});
    }
  }
  return nodes;
}
}  // namespace ADMIntegrals
