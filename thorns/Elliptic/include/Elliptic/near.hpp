// Values and coefficients around a point, on its own grid or on another one.
#pragma once
#include "axes.hpp"
namespace Elliptic {
template <class F> struct One { F v; };
// Across faces along each axis, and b. Between cells lie vertices, which have the index of the upper cell; between
// vertices lie cells, which have that of the lower one.
template <class F> struct Coefficients { F a[3], b; };
struct None {};
template <int form, class Reach, class Real> struct CoefficientsOf { using type = Read<Coefficients, Reach, Real>; };
template <class Reach, class Real> struct CoefficientsOf<constant, Reach, Real> { using type = None; };
template <class Reach, class Real> struct CoefficientsOf<on_cells, Reach, Real> { using type = None; };
template <int form, class Reach, class Real> using Given = typename CoefficientsOf<form, Reach, Real>::type;

struct Indices {
  int of[3];
  CEREUS_KERNEL int operator[](int d) const { return of[d]; }
};
CEREUS_KERNEL Indices place(const auto& p) { return {{p.index(0), p.index(1), p.index(2)}}; }

template <int form_, class Real, class P, class C> struct Around {
  static constexpr int form = form_;
  const P& p;
  const C& c;
  template <int axis, int side> CEREUS_KERNEL Real face(const Axis<Real>& x) const {
    if constexpr (form != variable) return 1;
    else if constexpr (side) return x.vertex ? p(c.a[axis]) : along<axis, 1>(p, c.a[axis]);
    else return x.vertex ? along<axis, -1>(p, c.a[axis]) : p(c.a[axis]);
  }
  CEREUS_KERNEL Real absorption(const Axes<Real>& axes) const {
    if constexpr (form != variable) return axes.absorption;
    else return p(c.b);
  }
};
template <int form, class Real, class P, class C> struct WithoutValues : Around<form, Real, P, C> {
  template <int axis, int n> CEREUS_KERNEL Real value() const { return 0; }
};
// Values that were read before, so that no branch waits for them.
template <int dim, class Real> struct Star { Real here, around[dim][2]; };
template <int form, class Real, class P, class C, int dim> struct Near : Around<form, Real, P, C> {
  const Star<dim, Real>& star;
  template <int axis, int n> CEREUS_KERNEL Real value() const { return star.around[axis][n > 0]; }
  CEREUS_KERNEL Real own() const { return star.here; }
};
template <int form, class Real, class P, class C>
CEREUS_KERNEL WithoutValues<form, Real, P, C> without_values(const P& p, const C& c) {
  return {{p, c}};
}
template <int form, class P, class C, int dim, class Real>
CEREUS_KERNEL Near<form, Real, P, C, dim> near(const P& p, const C& c, const Star<dim, Real>& star) {
  return {{p, c}, star};
}
// `of(axis, n)`: the value there; of<0, 0>() is that of the point.
template <int dim, class Real, class F> CEREUS_KERNEL Star<dim, Real> star_of(F of) {
  Star<dim, Real> s;
  s.here = of.template operator()<0, 0>();
  s.around[0][0] = of.template operator()<0, -1>(), s.around[0][1] = of.template operator()<0, 1>();
  if constexpr (dim > 1)
    s.around[1][0] = of.template operator()<1, -1>(), s.around[1][1] = of.template operator()<1, 1>();
  if constexpr (dim > 2)
    s.around[2][0] = of.template operator()<2, -1>(), s.around[2][1] = of.template operator()<2, 1>();
  return s;
}
template <int dim, class Real, class Reach> CEREUS_KERNEL Star<dim, Real> star_of(const auto& p, In<Real, Reach> v) {
  return star_of<dim, Real>([&]<int axis, int n>() __attribute__((always_inline)) { return along<axis, n>(p, v); });
}

// Around a point of another grid.
template <int form_, class Real, class P, class C> struct There {
  static constexpr int form = form_;
  const P& p;
  const C& c;
  In<Real, elsewhere> v;
  Elsewhere grid;
  Offset here;
  template <int axis, int n> CEREUS_KERNEL Real value() const { return element(p, v, here + n * grid.stride[axis]); }
  CEREUS_KERNEL Real own() const { return element(p, v, here); }
  template <int axis, int side> CEREUS_KERNEL Real face(const Axis<Real>& x) const {
    if constexpr (form != variable) return 1;
    else return element(p, c.a[axis], here + (side - x.vertex) * grid.stride[axis]);
  }
  CEREUS_KERNEL Real absorption(const Axes<Real>& axes) const {
    if constexpr (form != variable) return axes.absorption;
    else return element(p, c.b, here);
  }
};
template <int form, class P, class C, class Real>
CEREUS_KERNEL There<form, Real, P, C> there(
    const P& p, const C& c, In<Real, elsewhere> v, const Elsewhere& grid, Offset here) {
  return {p, c, v, grid, here};
}
}  // namespace Elliptic
