// Spherical harmonics of any spin weight.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace Multipole {
// ₛY_lm(θ, φ) with the phases of J. N. Goldberg et al., J. Math. Phys. 8 (1967) 2155, and of Condon and Shortley for
// s = 0: ₋₂Y_22 = √(5/64π) (1 + cos θ)² e^(2iφ). By Wigner's sum; P. Ajith et al., arXiv:0709.0093, (II.7) and (II.8).
// l ≥ |s|, |m|; good to rounding up to l of about 12.
inline std::complex<double> harmonic(int s, int l, int m, double theta, double phi) {
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  const int spin = -s;
  const double c = std::cos(theta / 2), d = std::sin(theta / 2);
  const double root = std::sqrt(factorial(l + m) * factorial(l - m) * factorial(l + spin) * factorial(l - spin));
  double sum = 0;
  for (int k = std::max(0, m - spin); k <= std::min(l + m, l - spin); ++k) {
    const double size =
        root / (factorial(l + m - k) * factorial(l - spin - k) * factorial(k) * factorial(k + spin - m));
    sum += (k % 2 ? -1 : 1) * size * std::pow(c, 2 * l + m - spin - 2 * k) * std::pow(d, 2 * k + spin - m);
  }
  return std::polar((spin % 2 ? -1 : 1) * std::sqrt((2 * l + 1) / (4 * std::numbers::pi)) * sum, m * phi);
}
}  // namespace Multipole
