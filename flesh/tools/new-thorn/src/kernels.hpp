// The point updates of @NAME@: what each touches, and what happens at one point. Include cereus/kernel.hpp only.
#pragma once
#include <cereus/kernel.hpp>

namespace @NAME@ {
using namespace cereus;

template <class F> struct State { F u; };  // a group is a struct of grid functions
template <class F> struct Rhs { F u_rhs; };

// u = 1
template <int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.u) = Real(1); }
};

// ∂u/∂t = −rate·u. To read a neighbour, at<1, 0, 0>(p, s.u), declare how far: star<1> in place of pointwise.
template <int dim, class Real> struct CalcRhs {
  Read<State, pointwise, Real> s;
  Write<Rhs, interior, Real> r;
  Real rate;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = -rate * p(s.u); }
};

}  // namespace @NAME@
