// Coordinates in which all of space is a box (M. Ansorg, B. Brügmann and W. Tichy, Phys. Rev. D 70 (2004) 064011):
//   x = b (1 + A²)/(1 − A²) · 2B/(1 + B²),   ρ = b 2A/(1 − A²) · (1 − B²)/(1 + B²),   y = ρ cos φ,   z = ρ sin φ.
// A = 0 lies on the axis between the punctures, A = 1 at infinity, B = ±1 on the axis beyond them.
#pragma once
#include "bowen_york.hpp"

namespace TwoPunctures {
template <class Real> struct Spheroidal {
  Real a, b, cosine, sine;  // A, B, of φ
};

template <class Real> CEREUS_KERNEL Vector<Real> cartesian(const Spheroidal<Real>& s, Real half) {
  const Real rho = half * 2 * s.a / (1 - s.a * s.a) * (1 - s.b * s.b) / (1 + s.b * s.b);
  return {half * (1 + s.a * s.a) / (1 - s.a * s.a) * 2 * s.b / (1 + s.b * s.b), rho * s.cosine, rho * s.sine};
}

// With X = |x|, e± = r± + X ∓ b and f₊ = r₊ − X + b, A² = e₊/e₋ and tan²(π/4 − arctan |B|) = f₊/e₋; e₊ f₊ = ρ² gives
// the one of both that would be a difference of nearly equal numbers.
template <class Real> CEREUS_KERNEL Spheroidal<Real> spheroidal(const Vector<Real>& x, Real half, Real least) {
  const Real side = x.x < 0 ? -1 : 1, along = side * x.x, rho2 = square(x.y) + square(x.z), rho = cereus::sqrt(rho2);
  const Real ahead = along - half, behind = along + half;
  const Real near = max(cereus::sqrt(square(ahead) + rho2), least), sum = near + cereus::fabs(ahead);
  const Real other = cereus::sqrt(square(behind) + rho2) + behind;
  const Real e = ahead < 0 ? rho2 / sum : sum, f = ahead < 0 ? sum : rho2 / sum;
  const Real tangent = cereus::sqrt(f / other);
  return {
      cereus::sqrt(e / other), side * (1 - tangent) / (1 + tangent), rho > 0 ? x.y / rho : 1, rho > 0 ? x.z / rho : 0};
}
}  // namespace TwoPunctures
