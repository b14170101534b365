// Point updates beside the right-hand sides: initial data, projection, quantities for analysis.
#pragma once
#include <cereus/kernel/steps.hpp>

#include "rhs.hpp"
namespace Incompressible {
template <class F> struct Pressure { F p; };
template <class F> struct Source { F source; };
template <class F> struct Flow { F velocity[3]; };        // in cells
template <class F> struct Vorticity { F vorticity[3]; };  // in cells
template <class F> struct Densities { F energy, enstrophy; };

struct Formulas {
  Steps of[3];
};
// Of velocities at their places, p(u) at a lower face.
template <int dim, class Real> CEREUS_KERNEL Real value_at(const auto& p, const Steps& formula, int component) {
  double at[] = {p.x(), p.y(), dim > 2 ? p.z() : 0, p.time()};  // of u
  if (component > 0) at[0] += 0.5 * p.h(0), at[component] -= 0.5 * p.h(component);
  return Real(run(formula, at));
}

template <int dim, class Real> struct SetInitial {
  static constexpr bool record = false;
  Write<U, interior, Real> u;
  Write<V, interior, Real> v;
  Write<W, interior, Real> w;
  Formulas velocity;
  Faces still;  // nothing goes through
  CEREUS_KERNEL Real value(const auto& p, int c) const {
    return holds(p, still, c) ? Real(0) : value_at<dim, Real>(p, velocity.of[c], c);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) = value(p, 0), p(v.v) = value(p, 1);
    p(w.w) = dim > 2 ? value(p, 2) : Real(0);
  }
};
template <int dim, class Real> struct SetPressure {
  Write<Pressure, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.p) = Real(0); }
};
template <int dim, class Real> struct SetScalar {
  static constexpr bool record = false;
  Write<Scalar, interior, Real> s;
  Steps formula;
  CEREUS_KERNEL void operator()(auto& p) const {
    const double at[] = {p.x(), p.y(), dim > 2 ? p.z() : 0};
    p(s.s) = Real(run(formula, at));
  }
};
template <int dim, class Real> struct SetFluid {
  static constexpr bool record = false;
  Write<Fluid, interior, Real> f;
  Steps solid;
  CEREUS_KERNEL void operator()(auto& p) const {
    const double at[] = {p.x(), p.y(), dim > 2 ? p.z() : 0};
    p(f.open) = run(solid, at) > 0 ? Real(0) : Real(1);
  }
};
template <int dim, class Real> struct StopInSolid {
  Read<Fluid, star<1>, Real> fluid;
  Modify<U, interior, Real> u;
  Modify<V, interior, Real> v;
  Modify<W, interior, Real> w;
  template <int c> CEREUS_KERNEL Real open(const auto& p) const { return p(fluid.open) * along<c, -1>(p, fluid.open); }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) *= open<0>(p), p(v.v) *= open<1>(p);
    if constexpr (dim > 2) p(w.w) *= open<2>(p);
  }
};
// What flows in, where that changes in time.
template <int dim, class Real> struct SetInflow {
  static constexpr bool record = false;
  Modify<U, interior, Real> u;
  Modify<V, interior, Real> v;
  Modify<W, interior, Real> w;
  struct SixFormulas {
    Steps of[6];
  } velocity;
  Faces inflow;
  CEREUS_KERNEL Real value(const auto& p, int c, Real now) const {
    for (int side = 0; side < 2; ++side)
      if (inflow.of[2 * c + side] && p.at_face(c, side)) return value_at<dim, Real>(p, velocity.of[2 * c + side], c);
    return now;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) = value(p, 0, p(u.u)), p(v.v) = value(p, 1, p(v.v));
    if constexpr (dim > 2) p(w.w) = value(p, 2, p(w.w));
  }
};

template <int dim, class Real>
CEREUS_KERNEL Real divergence(const auto& p, const auto& u, const auto& v, const auto& w) {
  Real sum = Real(p.inv_h(0)) * (along<0, 1>(p, u.u) - p(u.u)) + Real(p.inv_h(1)) * (along<1, 1>(p, v.v) - p(v.v));
  if constexpr (dim > 2) sum += Real(p.inv_h(2)) * (along<2, 1>(p, w.w) - p(w.w));
  return sum;
}
template <int dim, class Real> struct CalcSource {
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  Write<Source, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.source) = divergence<dim, Real>(p, u, v, w); }
};
// u − weight ∇p, but into and out of solid cells.
template <int solid, int dim, class Real> struct Correct {
  Read<Pressure, star<1>, Real> s;
  typename Only<solid != 0, Read<Fluid, star<1>, Real>>::type fluid;
  Modify<U, interior, Real> u;
  Modify<V, interior, Real> v;
  Modify<W, interior, Real> w;
  Real weight;
  template <int c> CEREUS_KERNEL Real push(const auto& p) const {
    const Real slope = weight * Real(p.inv_h(c)) * (p(s.p) - along<c, -1>(p, s.p));
    if constexpr (solid != 0) return p(fluid.open) * along<c, -1>(p, fluid.open) > 0 ? slope : Real(0);
    else return slope;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(u.u) -= push<0>(p), p(v.v) -= push<1>(p);
    if constexpr (dim > 2) p(w.w) -= push<2>(p);
  }
};

// Half a step of viscosity, implicit: (1 − f Δ) q' = (1 + f Δ) q with f = ν dt/4; the right-hand side, times −1.
template <class F> struct One { F q; };
template <class F> struct Given { F source; };
template <int dim, class Real> struct ViscousSource {
  Read<One, star<1>, Real> v;
  Write<Given, interior, Real> s;
  Real viscosity;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(s.source) = -(p(v.q) + Real(0.25) * viscosity * Real(p.dt()) * laplacian<2>(p, v.q));
  }
};

// The largest |u| + |v| + |w| of a cell, for the step.
template <int dim, class Real> struct CalcSpeed {
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

// At centres of cells: what analysis and pictures look at.
template <int dim, class Real> struct CalcFlow {
  Read<U, star<1>, Real> u;
  Read<V, star<1>, Real> v;
  Read<W, star<1>, Real> w;
  Write<Flow, interior, Real> f;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(f.velocity[0]) = Real(0.5) * (p(u.u) + along<0, 1>(p, u.u));
    p(f.velocity[1]) = Real(0.5) * (p(v.v) + along<1, 1>(p, v.v));
    if constexpr (dim > 2) p(f.velocity[2]) = Real(0.5) * (p(w.w) + along<2, 1>(p, w.w));
    else p(f.velocity[2]) = p(w.w);
  }
};
// ∂_a (velocity along b) − ∂_b (velocity along a) at the edge of the cell beside its lower corner, or m and n further.
template <int a, int m, int b, int n, class Real> CEREUS_KERNEL Real curl_at(const auto& p, auto va, auto vb) {
  const Real rise = Real(p.inv_h(a)) * (beside<a, m, b, n>(p, vb) - beside<a, m - 1, b, n>(p, vb));
  return rise - Real(p.inv_h(b)) * (beside<a, m, b, n>(p, va) - beside<a, m, b, n - 1>(p, va));
}
template <class Real> struct Edges { Real of[4]; };  // of a cell, along one axis
template <int a, int b, class Real> CEREUS_KERNEL Edges<Real> curls(const auto& p, auto va, auto vb) {
  return {{curl_at<a, 0, b, 0, Real>(p, va, vb), curl_at<a, 1, b, 0, Real>(p, va, vb),
      curl_at<a, 0, b, 1, Real>(p, va, vb), curl_at<a, 1, b, 1, Real>(p, va, vb)}};
}
template <class Real> CEREUS_KERNEL Real mean(const Edges<Real>& e) {
  return Real(0.25) * ((e.of[0] + e.of[1]) + (e.of[2] + e.of[3]));
}
template <class Real> CEREUS_KERNEL Real mean_square(const Edges<Real>& e) {
  return Real(0.25) * ((square(e.of[0]) + square(e.of[1])) + (square(e.of[2]) + square(e.of[3])));
}
template <int dim, class Real> struct CalcVorticity {
  Read<U, box<1>, Real> u;
  Read<V, box<1>, Real> v;
  Read<W, box<1>, Real> w;
  Write<Vorticity, interior, Real> f;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real x = 0, y = 0;
    if constexpr (dim > 2) x = mean(curls<1, 2, Real>(p, v.v, w.w)), y = mean(curls<2, 0, Real>(p, w.w, u.u));
    p(f.vorticity[0]) = x, p(f.vorticity[1]) = y;
    p(f.vorticity[2]) = mean(curls<0, 1, Real>(p, u.u, v.v));
  }
};
// ½ u² and ½ ω², whose means over a periodic box are those over faces and edges.
template <int dim, class Real> struct CalcDensities {
  Read<U, box<1>, Real> u;
  Read<V, box<1>, Real> v;
  Read<W, box<1>, Real> w;
  Write<Densities, interior, Real> f;
  template <int axis> CEREUS_KERNEL Real squares(const auto& p, auto q) const {
    return Real(0.5) * (square(p(q)) + square(along<axis, 1>(p, q)));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    Real energy = squares<0>(p, u.u) + squares<1>(p, v.v), enstrophy = mean_square(curls<0, 1, Real>(p, u.u, v.v));
    if constexpr (dim > 2) {
      energy += squares<2>(p, w.w);
      enstrophy += mean_square(curls<1, 2, Real>(p, v.v, w.w)) + mean_square(curls<2, 0, Real>(p, w.w, u.u));
    }
    p(f.energy) = Real(0.5) * energy, p(f.enstrophy) = Real(0.5) * enstrophy;
  }
};
}  // namespace Incompressible
