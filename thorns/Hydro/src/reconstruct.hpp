// What a cell's values are at its two faces along x, from those of its neighbours. Each lies between the values of the
// cells on both sides of the face, so densities and pressures stay positive.
#pragma once
#include "five.hpp"
namespace Hydro {
enum Scheme : int { constant, minmod, van_leer, mc, ppm, upwind3, weno5 };

// Half the limited difference across a cell, from those to its neighbours (van Leer, J. Comp. Phys. 23 (1977) 276 and
// 32 (1979) 101; LeVeque, Finite Volume Methods for Hyperbolic Problems, 2002, §6.9).
template <int scheme, class R> CEREUS_KERNEL R half_difference(R a, R b) {
  if constexpr (scheme == van_leer) return choose(a * b > R(0), quotient(a * b, a + b), R(0));
  const R s = absolute(a), t = absolute(b);
  R size = R(0.5) * min(s, t);
  if constexpr (scheme != minmod) size = min(R(2) * size, R(0.25) * absolute(a + b));
  return choose(a * b > R(0), choose(a > R(0), size, -size), R(0));
}

template <class R> struct Sides {
  Five<R> lower, upper;  // at the lower and the upper face
};
template <int scheme, class R>
CEREUS_KERNEL Sides<R> linear(const Five<R>& before, const Five<R>& here, const Five<R>& after) {
  if constexpr (scheme == constant) return {here, here};
  const Five<R> half = each(
      HYDRO_EACH(R a, R b, R c) { return half_difference<scheme>(b - a, c - b); }, before, here, after);
  return {here - half, here + half};
}

// Colella and Woodward, J. Comp. Phys. 54 (1984) 174: the value at the face between b and c, eq. 1.6 with 1.8, and the
// parabola made monotonic, eq. 1.10.
template <class R> CEREUS_KERNEL R at_upper_face(R a, R b, R c, R d) {
  const R at_b = half_difference<mc>(b - a, c - b), at_c = half_difference<mc>(c - b, d - c);
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
