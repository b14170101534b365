// What a cell's values are at its two faces along x, from those of its neighbours. Each lies between the values of the
// cells on both sides of the face, so densities and pressures stay positive.
#pragma once
#include "five.hpp"
namespace Hydro {
enum Scheme : int { van_leer, minmod, ppm, upwind3, weno5, weno5q2 };

// Half the limited difference across a cell, from those to its neighbours: van Leer's harmonic mean (J. Comp. Phys. 14
// (1974) 361), or the least of their mean and theta times each of them: 1 is minmod, 2 the monotonised central
// difference (van Leer, J. Comp. Phys. 23 (1977) 276), 0 first order.
template <int scheme, class R> CEREUS_KERNEL R half_difference(R a, R b, R theta) {
  if constexpr (scheme == van_leer) return choose(a * b > R(0), quotient(a * b, a + b), R(0));
  const R size = min(R(0.5) * theta * min(absolute(a), absolute(b)), R(0.25) * absolute(a + b));
  return choose(a * b > R(0), choose(a > R(0), size, -size), R(0));
}

template <class R> struct Sides {
  Five<R> lower, upper;  // at the lower and the upper face
};
template <int scheme, class R>
CEREUS_KERNEL Sides<R> linear(const Five<R>& before, const Five<R>& here, const Five<R>& after, R theta) {
  const Five<R> half = each(
      HYDRO_EACH(R a, R b, R c) { return half_difference<scheme>(b - a, c - b, theta); }, before, here, after);
  return {here - half, here + half};
}

// Colella and Woodward, J. Comp. Phys. 54 (1984) 174: the value at the face between b and c, eq. 1.6 with 1.8, and the
// parabola made monotonic, eq. 1.10.
template <class R> CEREUS_KERNEL R at_upper_face(R a, R b, R c, R d) {
  const R at_b = half_difference<minmod>(b - a, c - b, R(2)), at_c = half_difference<minmod>(c - b, d - c, R(2));
  return R(0.5) * (b + c) - R(1. / 3) * (at_c - at_b);
}
template <class R> CEREUS_KERNEL void make_monotonic(R& lower, R here, R& upper) {
  const R d = upper - lower, six = R(6) * (here - R(0.5) * (lower + upper));
  const auto extremum = (upper - here) * (here - lower) <= R(0);
  const R new_lower = choose(d * six > d * d, R(3) * here - R(2) * upper, lower);
  const R new_upper = choose(-(d * d) > d * six, R(3) * here - R(2) * lower, upper);
  lower = choose(extremum, here, new_lower), upper = choose(extremum, here, new_upper);
}
template <class R> CEREUS_KERNEL Sides<R> parabola(Five<R> lower, const Five<R>& here, Five<R> upper) {
  make_monotonic(lower.density, here.density, upper.density);
  make_monotonic(lower.x, here.x, upper.x), make_monotonic(lower.y, here.y, upper.y);
  make_monotonic(lower.z, here.z, upper.z), make_monotonic(lower.last, here.last, upper.last);
  return {lower, upper};
}
}  // namespace Hydro
