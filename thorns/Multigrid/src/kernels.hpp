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
  CEREUS_KERNEL Star<dim, Real> read(const auto& p) const { return star_of<dim>(p, f.v); }
  CEREUS_KERNEL void operator()(auto& p, const Star<dim, Real>& seen) const {
    const None none{};
    const Applied<Real> l = applied<dim>(axes, place(p), near<constant>(p, none, seen));
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
    const double counted = double(share<dim>(axes, place(p))) * double(now);
    p(next.v) = now;
    return {counted * double(seen.f), counted * double(seen.q)};
  }
  CEREUS_KERNEL Products operator()(auto& p) const { return (*this)(p, read(p)); }
};

// Conjugate gradients: the next direction d, z + β d, and q = L of it, L z + β q; gives their product.
template <int form, int dim, class Rough, class Real> struct Direct {
  static constexpr bool stretches = false;
  Read<One, star<1>, Rough> z;
  Given<form, star<1>, Real> c;
  Modify<One, interior, Real> d, q;
  Axes<Real> axes;
  Real unit, beta;  // of z
  struct Seen {
    Star<dim, Real> z;
    Real d, q;
  };
  CEREUS_KERNEL Seen read(const auto& p) const {
    const auto value = [&]<int axis, int n>() __attribute__((always_inline)) { return unit * along<axis, n>(p, z.v); };
    return {star_of<dim, Real>(value), beta != 0 ? p(d.v) : Real(0), beta != 0 ? p(q.v) : Real(0)};
  }
  CEREUS_KERNEL Sum operator()(auto& p, const Seen& seen) const {
    const Applied<Real> l = applied<dim>(axes, place(p), near<form>(p, c, seen.z));
    const Real next = seen.z.here + beta * seen.d;
    const Real product = l.neighbours - l.diagonal * seen.z.here + beta * seen.q;
    p(d.v) = next, p(q.v) = product;
    return double(share<dim>(axes, place(p))) * double(next) * double(product);
  }
  CEREUS_KERNEL Sum operator()(auto& p) const { return (*this)(p, read(p)); }
};
// The residual in the units of a cycle, as its source; where the types are one, the residual itself is.
template <class Rough, class Real> struct SourceOf {
  using type = Write<One, interior, Rough>;
  static CEREUS_KERNEL void set(auto& p, const type& f, Real left, Real by) { p(f.v) = Rough(left * by); }
};
template <class Real> struct SourceOf<Real, Real> {
  using type = None;
  static CEREUS_KERNEL void set(auto&, const type&, Real, Real) {}
};
// A step along the direction; gives the largest residual.
template <int dim, class Rough, class Real> struct Advance {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> d, q;
  Modify<One, interior, Real> e, r;
  typename SourceOf<Rough, Real>::type f;
  Real alpha, by;
  int first;  // e is 0, and not there yet
  struct Seen {
    Real e, r, d, q;
  };
  CEREUS_KERNEL Seen read(const auto& p) const { return {first ? Real(0) : p(e.v), p(r.v), p(d.v), p(q.v)}; }
  CEREUS_KERNEL Max<Real> operator()(auto& p, const Seen& seen) const {
    const Real left = seen.r - alpha * seen.q;
    p(e.v) = seen.e + alpha * seen.d, p(r.v) = left;
    SourceOf<Rough, Real>::set(p, f, left, by);
    return {fabs(left)};
  }
  CEREUS_KERNEL Max<Real> operator()(auto& p) const { return (*this)(p, read(p)); }
};
template <int dim, class Rough, class Real> struct Convert {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> r;
  typename SourceOf<Rough, Real>::type f;
  Real by;
  CEREUS_KERNEL void operator()(auto& p) const { SourceOf<Rough, Real>::set(p, f, p(r.v), by); }
};
template <int dim, class Real> struct Fill {
  static constexpr bool stretches = false;
  Write<One, interior, Real> x;
  CEREUS_KERNEL void operator()(auto& p) const { p(x.v) = Real(0); }
};
}  // namespace Multigrid
