// What sweeps do at a point of a level. README.md has the method.
#pragma once
#include <Elliptic/near.hpp>
namespace Multigrid {
using namespace Elliptic;
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
    if constexpr (form != variable) p(z.v) = -omega * (here * axes.inverse);
    else p(z.v) = -omega * over(here, applied<dim>(axes, place(p), without_values<form, Real>(p, c)).among_images);
  }
};
// Two sweeps from z = 0, where coefficients are constant: what the first one gives is known from the source alone.
template <int form, int dim, class Real> struct FirstTwo {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> f;
  Write<One, interior, Real> z;
  Axes<Real> axes;
  Real first, second;  // ω
  CEREUS_KERNEL Star<dim, Real> read(const auto& p) const { return star_of<dim>(p, f.v); }
  CEREUS_KERNEL void operator()(auto& p, const Star<dim, Real>& seen) const {
    const None none{};
    const Applied<Real> l = applied<dim>(axes, place(p), near<form>(p, none, seen));
    const Real scale = first * axes.inverse;
    p(z.v) =
        -scale * seen.here - second * ((seen.here + scale * (l.neighbours - l.diagonal * seen.here)) * axes.inverse);
  }
  CEREUS_KERNEL void operator()(auto& p) const { (*this)(p, read(p)); }
};
template <int form, int dim, class Real>
CEREUS_KERNEL Real swept(
    const auto& p, const auto& c, const Star<dim, Real>& z, Real f, const Axes<Real>& axes, Real omega) {
  const Applied<Real> l = applied<dim>(axes, place(p), near<form>(p, c, z));
  const Real here = z.here, left = f - (l.neighbours - l.diagonal * here);
  if constexpr (form != variable) return here - omega * (left * axes.inverse);
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
  struct Seen {
    Star<dim, Real> z;
    Real f;
  };
  CEREUS_KERNEL Seen read(const auto& p) const { return {star_of<dim>(p, z.v), p(f.v)}; }
  CEREUS_KERNEL void operator()(auto& p, const Seen& seen) const {
    p(next.v) = swept<form, dim>(p, c, seen.z, seen.f, axes, omega);
  }
  CEREUS_KERNEL void operator()(auto& p) const { (*this)(p, read(p)); }
};
// The last sweep of a cycle, and what conjugate gradients need of its result z: z·r and z·q.
struct Products {
  Sum with_residual, with_applied;
  static CEREUS_KERNEL constexpr Products identity() { return {}; }
  CEREUS_KERNEL constexpr void combine(const Products& b) {
    with_residual.combine(b.with_residual), with_applied.combine(b.with_applied);
  }
};
template <int form, int dim, class Rough, class Real> struct LastSweep {
  static constexpr bool stretches = false;
  Read<One, star<1>, Rough> z;
  Read<One, pointwise, Rough> f;
  Read<One, pointwise, Real> q;
  Given<form, star<1>, Rough> c;
  Write<One, interior, Rough> next;
  Axes<Rough> axes;
  Rough omega;
  struct Seen {
    Star<dim, Rough> z;
    Rough f;
    Real q;
  };
  CEREUS_KERNEL Seen read(const auto& p) const { return {star_of<dim>(p, z.v), p(f.v), p(q.v)}; }
  CEREUS_KERNEL Products operator()(auto& p, const Seen& seen) const {
    const Rough now = swept<form, dim>(p, c, seen.z, seen.f, axes, omega);
    const double counted = double(share<dim, form>(axes, place(p))) * double(now);
    p(next.v) = now;
    return {counted * double(seen.f), counted * double(seen.q)};
  }
  CEREUS_KERNEL Products operator()(auto& p) const { return (*this)(p, read(p)); }
};
}  // namespace Multigrid
