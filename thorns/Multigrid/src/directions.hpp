// What conjugate gradients do at a point of the finest level.
#pragma once
#include <Elliptic/near.hpp>
namespace Multigrid {
using namespace Elliptic;
// The direction d becomes z + β d, and q = L d becomes L z + β q; gives their product. At first β is 0: nothing is
// read.
template <int form, int dim, class Rough, class Real> struct Direct {
  static constexpr bool stretches = false;
  Read<One, star<1>, Rough> z;
  Given<form, star<1>, Real> c;
  Modify<One, interior, Real> d, q;
  Axes<Real> axes;
  Real unit, beta;  // `unit`: what z counts in
  struct Seen {
    Star<dim, Rough> z;
    Real d, q;
  };
  CEREUS_KERNEL Seen read(const auto& p) const {
    return {star_of<dim>(p, z.v), beta != 0 ? p(d.v) : Real(0), beta != 0 ? p(q.v) : Real(0)};
  }
  CEREUS_KERNEL Star<dim, Real> in_units(const Star<dim, Rough>& seen) const {
    Star<dim, Real> s;
    s.here = unit * seen.here;
    for (int d = 0; d < dim; ++d)
      for (int n = 0; n < 2; ++n) s.around[d][n] = unit * seen.around[d][n];
    return s;
  }
  CEREUS_KERNEL Sum operator()(auto& p, const Seen& seen) const {
    const Star<dim, Real> around = in_units(seen.z);
    const Applied<Real> l = applied<dim>(axes, place(p), near<form>(p, c, around));
    const Real next = around.here + beta * seen.d;
    const Real product = l.neighbours - l.diagonal * around.here + beta * seen.q;
    p(d.v) = next, p(q.v) = product;
    return double(share<dim, form>(axes, place(p))) * double(next) * double(product);
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
  int first;  // step of a round: e was 0, which nobody has written
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
// Before the first cycle of a round.
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
