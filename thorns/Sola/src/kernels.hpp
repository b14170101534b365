// Hirt's scheme for an incompressible fluid on a staggered grid: velocities lie on the lower faces of cells, pressure
// in their centres. README.md has the formulas.
#pragma once
#include <cereus/kernel.hpp>
namespace Sola {
using namespace cereus;

template <class F> struct U { F v; };
template <class F> struct V { F v; };
template <class F> struct W { F v; };
template <class F> struct P { F p; };
template <class F> struct Source { F source; };
template <class F> struct Potential { F psi; };

CEREUS_KERNEL bool on_wall(const auto& p, int axis) { return p.at_face(axis, 0) || p.at_face(axis, 1); }

template <int dim, class Real> struct SetRest {
  static constexpr bool stretches = false;
  Write<U, interior, Real> u;
  Write<V, interior, Real> v;
  Write<W, interior, Real> w;
  Write<P, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(u.v) = p(v.v) = p(w.v) = p(s.p) = Real(0); }
};

// Velocities after an explicit step with the old pressure.
template <int dim, class Real> struct Accelerate {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<U, box<1>, Real, 1> u;
  Read<V, box<1>, Real, 1> v;
  Read<W, box<1>, Real, 1> w;
  Read<P, star<1>, Real, 1> s;
  Write<U, interior, Real> u1;
  Write<V, interior, Real> v1;
  Write<W, interior, Real> w1;
  struct Vector {
    Real along[3];
  };
  Real upwind, viscosity, inverse_density;
  Vector gravity;

  template <int axis> CEREUS_KERNEL auto velocity() const {
    if constexpr (axis == 0) return u.v;
    else if constexpr (axis == 1) return v.v;
    else return w.v;
  }
  // The rate of change of the velocity along `c` by what flows along `axis`.
  template <int c, int axis> CEREUS_KERNEL Real flow(const auto& p, const InverseSpacings<dim, Real>& inverse) const {
    const auto q = velocity<c>(), across = velocity<axis>();
    const Real here = p(q), after = along<axis, 1>(p, q), before = along<axis, -1>(p, q);
    Real s = here;
    if constexpr (c != axis)
      s = Real(0.25) *
          ((p(across) + along<axis, 1>(p, across)) + (along<c, -1>(p, across) + beside<c, -1, axis, 1>(p, across)));
    const Real curved = (after - here) - (here - before), h = inverse.h[axis];
    return h * (Real(0.5) * (upwind * fabs(s) * curved - s * (after - before)) + viscosity * h * curved);
  }
  template <int c>
  CEREUS_KERNEL Real accelerated(const auto& p, const InverseSpacings<dim, Real>& inverse, Real dt) const {
    Real rate =
        gravity.along[c] - inverse_density * inverse.h[c] * (p(s.p) - along<c, -1>(p, s.p)) + flow<c, 0>(p, inverse);
    if constexpr (dim > 1) rate += flow<c, 1>(p, inverse);
    if constexpr (dim > 2) rate += flow<c, 2>(p, inverse);
    const Real q = p(velocity<c>()) + dt * rate;
    return on_wall(p, c) ? Real(0) : q;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const InverseSpacings<dim, Real> inverse(p);
    const Real dt = Real(p.dt());
    p(u1.v) = accelerated<0>(p, inverse, dt);
    if constexpr (dim > 1) p(v1.v) = accelerated<1>(p, inverse, dt);
    else p(v1.v) = Real(0);
    if constexpr (dim > 2) p(w1.v) = accelerated<2>(p, inverse, dt);
    else p(w1.v) = Real(0);
  }
};

// ∇·u, Σ (q₊ − q)/h.
template <int dim, class Real>
CEREUS_KERNEL Real divergence(const auto& p, const auto& u, const auto& v, const auto& w) {
  Real sum = Real(p.inv_h(0)) * (along<0, 1>(p, u.v) - p(u.v));
  if constexpr (dim > 1) sum += Real(p.inv_h(1)) * (along<1, 1>(p, v.v) - p(v.v));
  if constexpr (dim > 2) sum += Real(p.inv_h(2)) * (along<2, 1>(p, w.v) - p(w.v));
  return sum;
}
// Sweeps push all velocities by the slopes of what they add to the pressure. So what all of them add is one potential
// ψ = dt δp/ρ, and the velocity changes by −∇ψ: a sweep is ψ −= κ (D − Δψ), with D the divergence before the first.
template <int dim, class Real> CEREUS_KERNEL Real push_of(const auto& p, Real relaxation) {  // κ
  Real curvature = square(Real(p.inv_h(0)));
  if constexpr (dim > 1) curvature += square(Real(p.inv_h(1)));
  if constexpr (dim > 2) curvature += square(Real(p.inv_h(2)));
  return quotient(relaxation, 2 * curvature);
}
template <int dim, class Real> struct FirstSweep {
  static constexpr bool stretches = false;
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  Write<Source, interior, Real> d;
  Write<Potential, interior, Real> s;
  Real relaxation;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real here = divergence<dim, Real>(p, u, v, w);
    p(d.source) = here;
    p(s.psi) = -push_of<dim>(p, relaxation) * here;
  }
};
template <int dim, class Real> struct Sweep {
  static constexpr bool stretches = false;
  Read<Potential, star<1>, Real> s;
  Read<Source, pointwise, Real> d;
  Write<Potential, interior, Real> s1;
  Real relaxation;
  // h² of the curvature along an axis; nothing pushes through walls.
  template <int axis> CEREUS_KERNEL Real curved(const auto& p, Real here) const {
    const Real before = p.at_face(axis, 0) ? here : along<axis, -1>(p, s.psi);
    const Real after = p.at_face(axis, 1, 1) ? here : along<axis, 1>(p, s.psi);
    return square(Real(p.inv_h(axis))) * ((after - here) - (here - before));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real here = p(s.psi);
    Real laplacian = curved<0>(p, here);
    if constexpr (dim > 1) laplacian += curved<1>(p, here);
    if constexpr (dim > 2) laplacian += curved<2>(p, here);
    p(s1.psi) = here - push_of<dim>(p, relaxation) * (p(d.source) - laplacian);
  }
};
// What all sweeps add to the pressure pushes.
template <int dim, class Real> struct Push {
  static constexpr bool stretches = false;
  Read<U, pointwise, Real> u;
  Read<V, pointwise, Real> v;
  Read<W, pointwise, Real> w;
  Read<P, pointwise, Real, 1> s;
  Read<Potential, star<1>, Real> psi;
  Write<U, interior, Real> u1;
  Write<V, interior, Real> v1;
  Write<W, interior, Real> w1;
  Write<P, interior, Real> s1;
  Real density;
  template <int c> CEREUS_KERNEL Real pushed(const auto& p, auto q) const {
    const Real moved = p(q) - Real(p.inv_h(c)) * (p(psi.psi) - along<c, -1>(p, psi.psi));
    return on_wall(p, c) ? Real(0) : moved;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u1.v) = pushed<0>(p, u.v);
    if constexpr (dim > 1) p(v1.v) = pushed<1>(p, v.v);
    else p(v1.v) = Real(0);
    if constexpr (dim > 2) p(w1.v) = pushed<2>(p, w.v);
    else p(w1.v) = Real(0);
    p(s1.p) = p(s.p) + quotient(density, Real(p.dt())) * p(psi.psi);
  }
};

// How far the flow is from free of sources: the largest |∇·u| of a cell.
template <int dim, class Real> struct Divergence {
  static constexpr bool stretches = false;
  Read<P, pointwise, Real> cell;  // the first handle says where the loop goes
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const { return {fabs(divergence<dim, Real>(p, u, v, w))}; }
};
}  // namespace Sola
