// Sums of Chebyshev polynomials and waves, by the recurrences of C. W. Clenshaw, Math. Comp. 9 (1955) 118.
#pragma once
#include "coordinates.hpp"

namespace TwoPunctures {
struct Points {
  int a, b, phi;
};
inline constexpr int abreast = 8;  // waves that are summed at a time: no operation waits for the one before it
template <class Real> struct Waves { Real of[abreast]; };

// Σ c(i, j, m) T_i(2A − 1) T_j(B) f_m(φ), where f is 1, cos φ, sin φ, cos 2φ, sin 2φ, …; as many waves as n.phi says,
// a multiple of `abreast`.
template <class Real, class Coefficient>
CEREUS_KERNEL Real expansion(const Points& n, const Spheroidal<Real>& at, Coefficient&& c) {
  const Real x = 2 * (2 * at.a - 1), y = 2 * at.b;
  Real sum = 0, cosine = 1, sine = 1;  // of the first wave is 1 what of the others is a sine
  for (int first = 0; first < n.phi; first += abreast) {
    Waves<Real> a1{}, a2{};
    for (int i = n.a - 1; i >= 0; --i) {
      Waves<Real> b1{}, b2{};
      for (int j = n.b - 1; j > 0; --j)
        for (int m = 0; m < abreast; ++m) {
          const Real next = c(i, j, first + m) + (y * b1.of[m] - b2.of[m]);
          b2.of[m] = b1.of[m], b1.of[m] = next;
        }
      for (int m = 0; m < abreast; ++m) {
        const Real row = c(i, 0, first + m) + (at.b * b1.of[m] - b2.of[m]);
        const Real next = row + ((i ? x : x / 2) * a1.of[m] - a2.of[m]);
        a2.of[m] = a1.of[m], a1.of[m] = next;
      }
    }
    for (int m = 0; m < abreast; m += 2) {
      sum += sine * a1.of[m];
      if (first + m == 0) sine = 0;
      const Real turned = cosine * at.cosine - sine * at.sine;
      sine = cosine * at.sine + sine * at.cosine, cosine = turned;
      sum += cosine * a1.of[m + 1];
    }
  }
  return sum;
}
}  // namespace TwoPunctures
