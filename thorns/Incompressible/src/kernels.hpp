// Point updates beside the right-hand sides: initial data, projection, quantities for analysis.
#pragma once
#include <cereus/kernel/steps.hpp>

#include "rhs.hpp"
namespace Incompressible {
template <class F> struct Pressure { F p; };
template <class F> struct Potential { F potential; };
template <class F> struct Source { F source; };
template <class F> struct Fluid { F open; };  // 1 in a cell of fluid, 0 in a solid one
template <class F> struct One { F q; };       // a velocity
template <class F> struct Curved { F curved; };
template <class F> struct Implicit { F implicit; };
template <class F> struct Cells { F velocity[3], vorticity[3]; };
template <class F> struct Densities { F energy, enstrophy; };

// The value of the formula with this number: of a component of the velocity at its place, where p is at the place of u;
// or, as component 0, of a scalar at p.
template <int component, int dim, class Real> CEREUS_KERNEL Real value_at(const auto& p, const Steps& formula) {
  double at[] = {p.x(), p.y(), dim > 2 ? p.z() : 0, p.time()};
  if (component > 0) at[0] += 0.5 * p.h(0), at[component] -= 0.5 * p.h(component);
  return Real(run<component>(formula, at, p));
}
template <int dim, class Real> struct SetScalar {
  static constexpr bool stretches = false;
  static constexpr bool record = false;
  Write<Scalar, interior, Real> s;
  Steps formula;
  void each_formula(auto f) const { f(formula); }
  CEREUS_KERNEL void operator()(auto& p) const { p(s.s) = value_at<0, dim, Real>(p, formula); }
};
struct Formulas {
  Steps of[3];
  void each(auto f) const { f(of[0]), f(of[1]), f(of[2]); }
};
template <int dim, class Real> struct SetVelocity {
  static constexpr bool stretches = false;
  static constexpr bool record = false;
  Write<U, interior, Real> u;
  Write<V, interior, Real> v;
  Write<W, interior, Real> w;
  Formulas velocity;
  void each_formula(auto f) const { velocity.each(f); }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) = value_at<0, dim, Real>(p, velocity.of[0]), p(v.v) = value_at<1, dim, Real>(p, velocity.of[1]);
    if constexpr (dim > 2) p(w.w) = value_at<2, dim, Real>(p, velocity.of[2]);
    else p(w.w) = Real(0);
  }
};

// Whether fluid is on both sides of the lower face across an axis.
template <int axis> CEREUS_KERNEL bool is_open(const auto& p, auto open) {
  return p(open) * along<axis, -1>(p, open) > 0;
}
// No velocity beside solid cells.
template <int dim, class Real> struct Hold {
  static constexpr bool stretches = false;
  Read<Fluid, star<1>, Real> fluid;
  Modify<U, interior, Real> u;
  Modify<V, interior, Real> v;
  Modify<W, interior, Real> w;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) = is_open<0>(p, fluid.open) ? p(u.u) : Real(0), p(v.v) = is_open<1>(p, fluid.open) ? p(v.v) : Real(0);
    if constexpr (dim > 2) p(w.w) = is_open<2>(p, fluid.open) ? p(w.w) : Real(0);
  }
};

template <int dim, class Real>
CEREUS_KERNEL Real divergence(const auto& p, const auto& u, const auto& v, const auto& w) {
  Real sum = Real(p.inv_h(0)) * (along<0, 1>(p, u.u) - p(u.u)) + Real(p.inv_h(1)) * (along<1, 1>(p, v.v) - p(v.v));
  if constexpr (dim > 2) sum += Real(p.inv_h(2)) * (along<2, 1>(p, w.w) - p(w.w));
  return sum;
}
template <int dim, class Real> struct CalcSource {
  static constexpr bool stretches = false;
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  Write<Source, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.source) = divergence<dim, Real>(p, u, v, w); }
};
template <int axis, class Real> CEREUS_KERNEL Real slope_of(const auto& p, auto q) {
  return Real(p.inv_h(axis)) * (p(q) - along<axis, -1>(p, q));
}
// u − weight ∇φ, but into and out of solid cells.
template <int solid, int dim, class Real> struct Correct {
  static constexpr bool stretches = false;
  Read<Potential, star<1>, Real> s;
  typename Only<solid != 0, Read<Fluid, star<1>, Real>>::type fluid;
  Modify<U, interior, Real> u;
  Modify<V, interior, Real> v;
  Modify<W, interior, Real> w;
  Real weight;
  template <int c> CEREUS_KERNEL Real push(const auto& p) const {
    if constexpr (solid != 0)
      if (!is_open<c>(p, fluid.open)) return 0;
    return weight * slope_of<c, Real>(p, s.potential);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) -= push<0>(p), p(v.v) -= push<1>(p);
    if constexpr (dim > 2) p(w.w) -= push<2>(p);
  }
};

// Implicit viscosity, of one velocity q: Δq when a step begins; and −(q + weight (½ν of that − ∇p)), the source of
// (weight ½ν Δ − 1) q' = ….
template <int dim, class Real> struct CalcCurved {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> v;
  Write<Curved, interior, Real> c;
  CEREUS_KERNEL void operator()(auto& p) const { p(c.curved) = laplacian<2>(p, v.q); }
};
inline constexpr choices<0, 1, 2> axes;
template <int axis, int dim, class Real> struct CalcImplicit {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> v;
  Read<Curved, pointwise, Real> c;
  Read<Pressure, star<1>, Real> s;
  Write<Implicit, interior, Real> known;
  Real viscosity, weight;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real slope = 0;
    if constexpr (axis < dim) slope = slope_of<axis, Real>(p, s.p);
    p(known.implicit) = -(p(v.q) + weight * (Real(0.5) * viscosity * p(c.curved) - slope));
  }
};
// The pressure with what a projection adds to it, where viscosity saw the velocity before that (Brown, Cortez and
// Minion, J. Comp. Phys. 168 (2001) 464).
template <int dim, class Real> struct AddPressure {
  static constexpr bool stretches = false;
  Read<Potential, pointwise, Real> more;
  Read<Source, pointwise, Real> s;
  Modify<Pressure, interior, Real> sum;
  Real viscosity;
  CEREUS_KERNEL void operator()(auto& p) const { p(sum.p) += p(more.potential) - Real(0.5) * viscosity * p(s.source); }
};

// The largest |u| + |v| + |w| of a cell, for the step.
template <int dim, class Real> struct CalcSpeed {
  static constexpr bool stretches = false;
  Read<Pressure, pointwise, Real> cell;  // the first handle says where the loop goes
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  template <int axis> CEREUS_KERNEL Real faster(const auto& p, auto q) const {
    return max(fabs(p(q)), fabs(along<axis, 1>(p, q)));
  }
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    Real sum = faster<0>(p, u.u) + faster<1>(p, v.v);
    if constexpr (dim > 2) sum += faster<2>(p, w.w);
    return {sum == sum ? sum : Real(__builtin_huge_val())};
  }
};
// The largest |∇·u| of a cell, times the least spacing.
template <int dim, class Real> struct CalcDivergence {
  static constexpr bool stretches = false;
  Read<Pressure, pointwise, Real> cell;
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    Real h = min(Real(p.h(0)), Real(p.h(1)));
    if constexpr (dim > 2) h = min(h, Real(p.h(2)));
    return {h * fabs(divergence<dim, Real>(p, u, v, w))};
  }
};

// ∂_a (velocity along b) − ∂_b (velocity along a) at the edge of the cell beside its lower corner, or m and n further.
template <int a, int m, int b, int n, class Real> CEREUS_KERNEL Real curl_at(const auto& p, auto va, auto vb) {
  const Real rise = Real(p.inv_h(a)) * (beside<a, m, b, n>(p, vb) - beside<a, m - 1, b, n>(p, vb));
  return rise - Real(p.inv_h(b)) * (beside<a, m, b, n>(p, va) - beside<a, m, b, n - 1>(p, va));
}
template <class Real> struct Curl {  // in a cell, along one axis: the mean over four edges, and that of squares
  Real mean, square;
};
template <int a, int b, class Real> CEREUS_KERNEL Curl<Real> curl(const auto& p, auto va, auto vb) {
  const Real e[] = {curl_at<a, 0, b, 0, Real>(p, va, vb), curl_at<a, 1, b, 0, Real>(p, va, vb),
      curl_at<a, 0, b, 1, Real>(p, va, vb), curl_at<a, 1, b, 1, Real>(p, va, vb)};
  return {Real(0.25) * ((e[0] + e[1]) + (e[2] + e[3])),
      Real(0.25) * ((square(e[0]) + square(e[1])) + (square(e[2]) + square(e[3])))};
}
// At centres of cells: what analysis and pictures look at.
template <int dim, class Real> struct CalcCells {
  static constexpr bool stretches = false;
  Read<U, box<1>, Real> u;
  Read<V, box<1>, Real> v;
  Read<W, box<1>, Real> w;
  Write<Cells, interior, Real> f;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real mean = 0, x = 0, y = 0;
    if constexpr (dim > 2) {
      mean = Real(0.5) * (p(w.w) + along<2, 1>(p, w.w));
      x = curl<1, 2, Real>(p, v.v, w.w).mean, y = curl<2, 0, Real>(p, w.w, u.u).mean;
    }
    p(f.velocity[0]) = Real(0.5) * (p(u.u) + along<0, 1>(p, u.u));
    p(f.velocity[1]) = Real(0.5) * (p(v.v) + along<1, 1>(p, v.v));
    p(f.velocity[2]) = mean, p(f.vorticity[0]) = x, p(f.vorticity[1]) = y;
    p(f.vorticity[2]) = curl<0, 1, Real>(p, u.u, v.v).mean;
  }
};
// ½ u² and ½ (∇×u)², whose means over a periodic box are those over faces and edges.
template <int dim, class Real> struct CalcDensities {
  static constexpr bool stretches = false;
  Read<U, box<1>, Real> u;
  Read<V, box<1>, Real> v;
  Read<W, box<1>, Real> w;
  Write<Densities, interior, Real> f;
  template <int axis> CEREUS_KERNEL Real squares(const auto& p, auto q) const {
    return Real(0.5) * (square(p(q)) + square(along<axis, 1>(p, q)));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    Real energy = squares<0>(p, u.u) + squares<1>(p, v.v), enstrophy = curl<0, 1, Real>(p, u.u, v.v).square;
    if constexpr (dim > 2) {
      energy += squares<2>(p, w.w);
      enstrophy += curl<1, 2, Real>(p, v.v, w.w).square + curl<2, 0, Real>(p, w.w, u.u).square;
    }
    p(f.energy) = Real(0.5) * energy, p(f.enstrophy) = Real(0.5) * enstrophy;
  }
};
}  // namespace Incompressible
