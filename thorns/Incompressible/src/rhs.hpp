// Right-hand sides on a staggered grid: velocities lie on the lower faces of cells, scalars in their centres. README.md
// has the formulas.
#pragma once
#include <cereus/kernel.hpp>
namespace Incompressible {
using namespace cereus;

template <class F> struct U { F u; };
template <class F> struct V { F v; };
template <class F> struct W { F w; };
template <class F> struct URhs { F u_rhs; };
template <class F> struct VRhs { F v_rhs; };
template <class F> struct WRhs { F w_rhs; };
template <class F> struct Scalar { F s; };
template <class F> struct ScalarRhs { F s_rhs; };

// Which kernel: whether fluxes are limited, a scalar drives the flow.
inline constexpr int limited = 1, buoyant = 2;
inline constexpr choices<0, 1, 2, 3> forms;
inline constexpr choices<0, 1> either;
struct None {};
template <bool there, class Handle> struct Only { using type = None; };
template <class Handle> struct Only<true, Handle> { using type = Handle; };
template <int form> using Around = box<(form & limited) ? 2 : 1>;  // what fluxes read

// What goes across a face with velocity s, of a quantity that is b and c on its two sides, and a and d further away. As
// a mean, with `upwind` of the difference taken off (0: centred; 1: donor cell); or linear in the cell upwind, with van
// Leer's slopes (J. Comp. Phys. 32 (1979) 101).
template <class Real> CEREUS_KERNEL Real flux(Real s, Real b, Real c, Real upwind) {
  return Real(0.5) * (s * (b + c) - upwind * fabs(s) * (c - b));
}
template <class Real> CEREUS_KERNEL Real slope(Real l, Real r) {
  return l * r > 0 ? quotient(2 * l * r, l + r) : Real(0);
}
template <class Real> CEREUS_KERNEL Real limited_flux(Real s, Real a, Real b, Real c, Real d) {
  return s * (s > 0 ? b + Real(0.5) * slope(b - a, c - b) : c - Real(0.5) * slope(c - b, d - c));
}
// Across the face `side` (0 lower, 1 upper) along an axis, of a quantity at points.
template <int form, int axis, int side, class Real>
CEREUS_KERNEL Real flux_of(const auto& p, auto q, Real s, Real upwind) {
  const Real b = along<axis, side - 1>(p, q), c = along<axis, side>(p, q);
  if constexpr (form & limited)
    return limited_flux(s, Real(along<axis, side - 2>(p, q)), b, c, Real(along<axis, side + 1>(p, q)));
  else return flux(s, b, c, upwind);
}
template <class Real> struct Vector { Real of[3]; };

// Velocities, without pressure.
template <int form, int dim, class Real> struct CalcRhs {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<U, Around<form>, Real> u;
  Read<V, Around<form>, Real> v;
  Read<W, Around<form>, Real> w;
  typename Only<(form & buoyant) != 0, Read<Scalar, star<1>, Real>>::type t;
  Write<URhs, interior, Real> u1;
  Write<VRhs, interior, Real> v1;
  Write<WRhs, interior, Real> w1;
  Real upwind, viscosity, expansion, reference;
  Vector<Real> force;  // and what a scalar above its reference is pushed against
  Vector<Real> gravity;

  template <int axis> CEREUS_KERNEL auto velocity() const {
    if constexpr (axis == 0) return u.u;
    else if constexpr (axis == 1) return v.v;
    else return w.w;
  }
  // The velocity along `axis` where the velocity along c has its face `side`.
  template <int c, int axis, int side> CEREUS_KERNEL Real across(const auto& p) const {
    const auto s = velocity<axis>();
    if constexpr (c == axis) return Real(0.5) * (along<axis, side - 1>(p, s) + along<axis, side>(p, s));
    else return Real(0.5) * (along<axis, side>(p, s) + beside<axis, side, c, -1>(p, s));
  }
  template <int c, int axis> CEREUS_KERNEL Real change(const auto& p, const InverseSpacings<dim, Real>& inverse) const {
    const auto q = velocity<c>();
    const Real here = p(q), curved = (along<axis, 1>(p, q) - here) - (here - along<axis, -1>(p, q)),
               h = inverse.h[axis];
    const Real up = flux_of<form, axis, 1>(p, q, across<c, axis, 1>(p), upwind);
    const Real down = flux_of<form, axis, 0>(p, q, across<c, axis, 0>(p), upwind);
    return h * ((down - up) + viscosity * h * curved);
  }
  template <int c> CEREUS_KERNEL Real rate(const auto& p, const InverseSpacings<dim, Real>& inverse) const {
    Real sum = force.of[c] + (change<c, 0>(p, inverse) + change<c, 1>(p, inverse));
    if constexpr (dim > 2) sum += change<c, 2>(p, inverse);
    if constexpr ((form & buoyant) != 0)
      sum -= expansion * gravity.of[c] * (Real(0.5) * (p(t.s) + along<c, -1>(p, t.s)) - reference);
    return sum;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const InverseSpacings<dim, Real> inverse(p);
    p(u1.u_rhs) = rate<0>(p, inverse);
    p(v1.v_rhs) = rate<1>(p, inverse);
    if constexpr (dim > 2) p(w1.w_rhs) = rate<2>(p, inverse);
    else p(w1.w_rhs) = Real(0);
  }
};

// A scalar that the flow carries, and that diffuses.
template <int form, int dim, class Real> struct CalcScalar {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  Read<Scalar, Around<form>, Real> s;
  Write<ScalarRhs, interior, Real> s1;
  Real upwind, diffusivity;
  template <int axis>
  CEREUS_KERNEL Real change(const auto& p, auto velocity, const InverseSpacings<dim, Real>& inverse) const {
    const Real here = p(s.s), h = inverse.h[axis];
    const Real curved = (along<axis, 1>(p, s.s) - here) - (here - along<axis, -1>(p, s.s));
    const Real up = flux_of<form, axis, 1>(p, s.s, Real(along<axis, 1>(p, velocity)), upwind);
    const Real down = flux_of<form, axis, 0>(p, s.s, Real(p(velocity)), upwind);
    return h * ((down - up) + diffusivity * h * curved);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const InverseSpacings<dim, Real> inverse(p);
    Real sum = change<0>(p, u.u, inverse) + change<1>(p, v.v, inverse);
    if constexpr (dim > 2) sum += change<2>(p, w.w, inverse);
    p(s1.s_rhs) = sum;
  }
};
}  // namespace Incompressible
