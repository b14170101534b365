// Conservative finite differences: fluxes at cell centres, split into what goes up and down, interpolated to faces (Shu
// and Osher, J. Comp. Phys. 83 (1989) 32). Values are those at the centres, not averages.
#pragma once
#include "reconstruct.hpp"
namespace Hydro {
template <class R, class U = Five<R>> struct Centre {
  U u, f;
  R speed;
  CEREUS_KERNEL U up(R a) const { return a * u + f; }  // twice f⁺, of speed a
  CEREUS_KERNEL U down(R a) const { return a * u - f; }
};
template <class R, class Eos> CEREUS_KERNEL Centre<R> centre(const Five<R>& u, const Five<R>& q, const Eos& eos) {
  return {u, flux(q, u), absolute(q.x) + sound(q, eos)};
}
// Whether a gas may have these conserved variables.
template <class R, class Eos> CEREUS_KERNEL auto possible(const Five<R>& u, const Eos& eos) {
  const Five<R> momentum = u;
  const R internal = u.last - R(0.5) * quotient(square_of_velocity(momentum), u.density);
  return u.density > R(0) && eos.pressure(u.density, internal) > R(eos.least_pressure());
}

// So small that it counts beside nothing, with a cube that is still a number.
template <class R> constexpr double tiny() {
  if constexpr (requires { R::lanes; }) return sizeof(R) / R::lanes == 4 ? 1e-12 : 1e-40;
  else return sizeof(R) == 4 ? 1e-12 : 1e-40;
}
// At the face between c and d. WENO-Z: Borges et al., J. Comp. Phys. 227 (2008) 3191, eq. 25 to 28, with τ/β_k to the
// power q.
template <int q, class R> CEREUS_KERNEL R weno_z(R a, R b, R c, R d, R e) {
  const R small = R(tiny<R>());
  const R s = a - R(2) * b + c, t = b - R(2) * c + d, w = c - R(2) * d + e;
  const R sa = a - R(4) * b + R(3) * c, ta = b - d, wa = R(3) * c - R(4) * d + e;
  const R b0 = R(13. / 12) * s * s + R(0.25) * sa * sa + small, b1 = R(13. / 12) * t * t + R(0.25) * ta * ta + small;
  const R b2 = R(13. / 12) * w * w + R(0.25) * wa * wa + small, tau = absolute(b0 - b2);
  const auto weight = HYDRO_EACH(R d, R beta, R other, R another) {
    if constexpr (q == 1) return d * (beta + tau) * other * another;  // d (1 + τ/β), over a common denominator
    else return d + d * square(min(quotient(tau, beta), R(1e9)));     // beyond which the others count nothing
  };
  const R w0 = weight(R(1), b0, b1, b2), w1 = weight(R(6), b1, b0, b2), w2 = weight(R(3), b2, b0, b1);
  const R sum =
      w0 * (R(2) * a - R(7) * b + R(11) * c) + w1 * (R(5) * c - b + R(2) * d) + w2 * (R(2) * c + R(5) * d - e);
  return quotient(sum, R(6) * (w0 + w1 + w2));
}
template <class R> CEREUS_KERNEL R third_order(R b, R c, R d) { return R(1. / 6) * (R(5) * c - b + R(2) * d); }

// Of six cells, the speed and the flux at the face between the third and the fourth.
template <int scheme, class R>
CEREUS_KERNEL R split_speed(const Centre<R>& a, const Centre<R>& b, const Centre<R>& c, const Centre<R>& d,
    const Centre<R>& e, const Centre<R>& f) {
  const R speed = max(c.speed, d.speed);
  if constexpr (scheme == upwind3) return speed;
  else return max(speed, max(max(a.speed, b.speed), max(e.speed, f.speed)));
}
template <int scheme, class R, class U>
CEREUS_KERNEL U high_order(const Centre<R, U>& a, const Centre<R, U>& b, const Centre<R, U>& c, const Centre<R, U>& d,
    const Centre<R, U>& e, const Centre<R, U>& f, R speed) {
  U up, down;
  if constexpr (scheme != upwind3) {
    constexpr int q = scheme == weno5 ? 1 : 2;
    const auto at_face = HYDRO_EACH(R v, R w, R x, R y, R z) { return weno_z<q>(v, w, x, y, z); };
    up = each(at_face, a.up(speed), b.up(speed), c.up(speed), d.up(speed), e.up(speed));
    down = each(at_face, f.down(speed), e.down(speed), d.down(speed), c.down(speed), b.down(speed));
  } else {
    const auto at_face = HYDRO_EACH(R w, R x, R y) { return third_order(w, x, y); };
    up = each(at_face, b.up(speed), c.up(speed), d.up(speed));
    down = each(at_face, e.down(speed), d.down(speed), c.down(speed));
  }
  return R(0.5) * (up - down);
}
template <class R, class U> CEREUS_KERNEL U first_order(const Centre<R, U>& c, const Centre<R, U>& d, R speed) {
  return R(0.5) * (c.up(speed) - d.down(speed));
}
// Whether both cells would still be a gas after they gave and took twice that flux for a step: else that of first order
// is taken (Hu, Adams and Shu, J. Comp. Phys. 242 (2013) 169). `twice`: 2 dt/h.
template <class R, class Eos>
CEREUS_KERNEL auto may_cross(const Five<R>& high, const Centre<R>& c, const Centre<R>& d, const Eos& eos, R twice) {
  return possible(c.u - twice * high, eos) && possible(d.u + twice * high, eos);
}
template <int scheme, class R, class Eos>
CEREUS_KERNEL Five<R> split_flux(const Centre<R>& a, const Centre<R>& b, const Centre<R>& c, const Centre<R>& d,
    const Centre<R>& e, const Centre<R>& f, const Eos& eos, R twice) {
  const R speed = split_speed<scheme>(a, b, c, d, e, f);
  const Five<R> high = high_order<scheme>(a, b, c, d, e, f, speed);
  return select(may_cross(high, c, d, eos, twice), high, first_order(c, d, speed));
}
}  // namespace Hydro
