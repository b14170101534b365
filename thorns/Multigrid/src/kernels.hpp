// What multigrid and conjugate gradients do at a point of a level. README.md has the method.
#pragma once
#include "between.hpp"
namespace Multigrid {
// A sweep: z − ω (f − L z) / diagonal.
template <int form, int dim, class Real> struct First {  // from z = 0
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> f;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> z;
  Axes<Real> axes;
  Real omega;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real here = p(f.v);
    if constexpr (form == constant) p(z.v) = -omega * (here * axes.inverse);
    else p(z.v) = -omega * over(here, applied<dim>(axes, place(p), without_values<form, Real>(p, c)).among_images);
  }
};
// Two sweeps from z = 0, where coefficients are constant: what the first one gives is known from the source alone.
template <int dim, class Real> struct FirstTwo {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> f;
  Write<One, interior, Real> z;
  Axes<Real> axes;
  Real first, second;  // ω
  CEREUS_KERNEL void operator()(auto& p) const {
    const None none{};
    const Applied<Real> l = applied<dim>(axes, place(p), near<constant>(p, none, f.v));
    const Real here = p(f.v), scale = first * axes.inverse;
    p(z.v) = -scale * here - second * ((here + scale * (l.neighbours - l.diagonal * here)) * axes.inverse);
  }
};
template <int form, int dim, bool short_way, class Real, class Reach>
CEREUS_KERNEL Real swept(const auto& p, In<Real, Reach> z, Real f, const auto& c, const Axes<Real>& axes, Real omega) {
  const Applied<Real> l = applied<dim, short_way>(axes, place(p), near<form>(p, c, z));
  const Real here = p(z), left = f - (l.neighbours - l.diagonal * here);
  if constexpr (form == constant) return here - omega * (left * axes.inverse);
  else return here - omega * over(left, l.among_images);
}
template <int form, int dim, class Real> struct Sweep {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> z;
  Read<One, pointwise, Real> f;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> next;
  Axes<Real> axes;
  Real omega;
  CEREUS_KERNEL void operator()(auto& p) const { p(next.v) = swept<form, dim, true>(p, z.v, p(f.v), c, axes, omega); }
};
// The last sweep of a cycle, and what conjugate gradients need of its result z: z·r and z·q.
struct Products {
  Sum with_residual, with_applied;
  static CEREUS_KERNEL constexpr Products identity() { return {}; }
  CEREUS_KERNEL constexpr void combine(const Products& b) {
    with_residual.combine(b.with_residual), with_applied.combine(b.with_applied);
  }
};
template <int form, int dim, class Real> struct LastSweep {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> z;
  Read<One, pointwise, Real> f, q;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> next;
  Axes<Real> axes;
  Real omega;
  CEREUS_KERNEL Products operator()(auto& p) const {
    const Real now = swept<form, dim, false>(p, z.v, p(f.v), c, axes, omega);
    const double counted = double(share<dim>(axes, place(p))) * double(now);
    p(next.v) = now;
    return {counted * double(p(f.v)), counted * double(p(q.v))};
  }
};

// Conjugate gradients: the next direction z + β d, and q = L of it; gives their product.
template <int form, int dim, class Real> struct Direct {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> z, d;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> next, q;
  Axes<Real> axes;
  Real beta;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    const auto around = near<form>(p, c, z.v, d.v, beta);
    const Real here = p(z.v) + beta * p(d.v);
    const Applied<Real> l = applied<dim, false>(axes, place(p), around);
    const Real product = l.neighbours - l.diagonal * here;
    p(next.v) = here, p(q.v) = product;
    return double(share<dim>(axes, place(p))) * double(here) * double(product);
  }
};
// A step along it; gives the largest residual.
template <int dim, class Real> struct Advance {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> d, q;
  Modify<One, interior, Real> e, r;
  Real alpha;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    p(e.v) += alpha * p(d.v);
    const Real left = p(r.v) - alpha * p(q.v);
    p(r.v) = left;
    return {fabs(left)};
  }
};
template <int dim, class Real> struct Fill {
  static constexpr bool stretches = false;
  Write<One, interior, Real> x;
  CEREUS_KERNEL void operator()(auto& p) const { p(x.v) = Real(0); }
};
}  // namespace Multigrid
