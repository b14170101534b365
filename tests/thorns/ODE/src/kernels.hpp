// du/dt = ½ p (u^((p−1)/p) + (1+t)^(p−1)), u(0) = 1, at every point: solved by (1+t)^p, on which a method of order p −
// 1 errs.
#pragma once
#include <cereus/kernel.hpp>
namespace ODE {
using namespace cereus;

template <class F> struct State { F u; };
template <class F> struct Rhs { F u_rhs; };

template <class Real> CEREUS_KERNEL Real slope(Real u, Real t, Real p) {
  return Real(0.5) * p * (pow(u, (p - 1) / p) + pow(1 + t, p - 1));
}

template <int dim, class Real> struct SetOne {
  Write<State, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.u) = Real(1); }
};

template <int dim, class Real> struct CalcRhs {
  Read<State, pointwise, Real> s;
  Write<Rhs, interior, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = slope(p(s.u), Real(p.time()), power); }
};
}  // namespace ODE
