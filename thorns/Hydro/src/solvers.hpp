// The flux across a face with normal x, from the primitives on its two sides.
#pragma once
#include "five.hpp"
namespace Hydro {
enum Solver : int { hllc, hll, roe, llf };

// Means with the weights √ρ (Roe, J. Comp. Phys. 43 (1981) 357), and the speeds of sound. One division serves all; in
// float it bears densities from 1e-25 to 1e25.
template <class R> struct Means {
  R left, right, spread;  // weights; √ρ_l √ρ_r / (√ρ_l + √ρ_r)²
  R cl, cr;
  template <class Eos> CEREUS_KERNEL Means(const Five<R>& l, const Five<R>& r, const Eos& eos) {
    const R a = root(l.density), b = root(r.density), sum = a + b, i = quotient(R(1), a * b * sum);
    const R mean = i * (a * b);  // 1/(a + b); with a and b exchanged the same bits
    left = a * mean, right = b * mean, spread = left * right;
    cl = root(eos.stiffness(l.density, l.last)) * (i * b * sum);
    cr = root(eos.stiffness(r.density, r.last)) * (i * a * sum);
  }
  CEREUS_KERNEL R operator()(R l, R r) const { return left * l + right * r; }
};
template <class R> struct Waves { R slow, fast; };
// Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294, eq. 5.2, with the mean speed of sound as in Toro, Riemann Solvers and
// Numerical Methods for Fluid Dynamics, 3rd ed. (2009), eq. 10.53 and 10.54.
template <class R, class Eos> CEREUS_KERNEL Waves<R> einfeldt(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  const Means<R> mean(l, r, eos);
  const R q = mean(l.x, r.x), jump = r.x - l.x;
  const R c = root(mean(mean.cl * mean.cl, mean.cr * mean.cr) + R(0.5) * mean.spread * (jump * jump));
  return {min(q - c, l.x - mean.cl), max(q + c, r.x + mean.cr)};
}

// Toro, Spruce and Speares, Shock Waves 4 (1994) 25; wave speeds cut at 0 (Batten et al., SIAM J. Sci. Comput. 18
// (1997) 1553) make one formula of the four cases. At a contact at rest no mass crosses, to the last bit.
template <class R, class Eos> CEREUS_KERNEL Five<R> solve_hllc(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  const Waves<R> wave = einfeldt(l, r, eos);
  const R ml = l.density * (wave.slow - l.x), mr = r.density * (wave.fast - r.x);
  const R contact = quotient((r.last - l.last) + (ml * l.x - mr * r.x), ml - mr);
  const auto from_left = contact >= R(0);
  const Five<R> q = select(from_left, l, r);
  const R speed = choose(from_left, min(wave.slow, R(0)), max(wave.fast, R(0)));
  const R energy = eos.internal(q.density, q.last) + R(0.5) * q.density * square_of_velocity(q);
  const R g = speed - q.x, share = quotient(contact, speed - contact), m = q.density * g, mass = m * share;
  const R pressure = q.last + m * (contact - q.x);
  return {mass, mass * contact + pressure, mass * q.y, mass * q.z,
      (g * energy - q.last * q.x + pressure * contact) * share + pressure * contact};
}
// Harten, Lax and van Leer, SIAM Review 25 (1983) 35.
template <class R, class Eos> CEREUS_KERNEL Five<R> solve_hll(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  const Waves<R> wave = einfeldt(l, r, eos);
  const R slow = min(wave.slow, R(0)), fast = max(wave.fast, R(0)), i = quotient(R(1), fast - slow);
  const Five<R> ul = conserved(l, eos), ur = conserved(r, eos);
  return i * ((fast * flux(l, ul) - slow * flux(r, ur)) + (slow * fast) * (ur - ul));
}
// Rusanov, USSR Comp. Math. Math. Phys. 1 (1962) 304.
template <class R, class Eos> CEREUS_KERNEL Five<R> solve_llf(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  const R a = max(absolute(l.x) + sound(l, eos), absolute(r.x) + sound(r, eos));
  const Five<R> ul = conserved(l, eos), ur = conserved(r, eos);
  return R(0.5) * ((flux(l, ul) + flux(r, ur)) - a * (ur - ul));
}
// Roe's, with the sound waves as wide as the speeds on both sides differ (Harten and Hyman, J. Comp. Phys. 50 (1983)
// 235). A strong expansion into near-vacuum is not for it.
template <class R, class Eos> CEREUS_KERNEL Five<R> solve_roe(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  const Means<R> mean(l, r, eos);
  const Five<R> ul = conserved(l, eos), ur = conserved(r, eos), jump = r - l;
  const R cl = mean.cl, cr = mean.cr;
  const R c2 = mean(cl * cl, cr * cr) + R(0.5) * eos.gruneisen() * mean.spread * square_of_velocity(jump);
  const R c = root(c2), density = root(l.density * r.density), i = quotient(R(0.5), c2);
  const R u = mean(l.x, r.x), v = mean(l.y, r.y), w = mean(l.z, r.z);
  const R h = mean(quotient(ul.last + l.last, l.density), quotient(ur.last + r.last, r.density));
  const auto width = HYDRO_EACH(R speed, R left, R right) {
    return max(absolute(speed), max(speed - left, right - speed));
  };
  const R down = width(u - c, l.x - cl, r.x - cr) * (i * (jump.last - density * c * jump.x));
  const R up = width(u + c, l.x + cl, r.x + cr) * (i * (jump.last + density * c * jump.x));
  const R still = absolute(u) * (jump.density - R(2) * i * jump.last), shear = absolute(u) * density;
  const R both = down + up, apart = c * (up - down);
  const Five<R> change{both + still, u * (both + still) + apart, v * (both + still) + shear * jump.y,
      w * (both + still) + shear * jump.z,
      h * both + u * apart + still * R(0.5) * (u * u + (v * v + w * w)) + shear * (v * jump.y + w * jump.z)};
  return R(0.5) * ((flux(l, ul) + flux(r, ur)) - change);
}
template <int solver, class R, class Eos>
CEREUS_KERNEL Five<R> solve(const Five<R>& l, const Five<R>& r, const Eos& eos) {
  if constexpr (solver == hllc) return solve_hllc(l, r, eos);
  else if constexpr (solver == hll) return solve_hll(l, r, eos);
  else if constexpr (solver == roe) return solve_roe(l, r, eos);
  else return solve_llf(l, r, eos);
}
}  // namespace Hydro
