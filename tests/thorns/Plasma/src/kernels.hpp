// ∂u/∂t = φ, where −Δφ = u: an elliptic equation is solved in each stage.
#pragma once
#include <cereus/kernel.hpp>
namespace Plasma {
using namespace cereus;

template <class F> struct State { F u; };
template <class F> struct Rhs { F u_rhs; };
template <class F> struct Potential { F phi; };  // of the present iterate and of the next

template <int dim, class Real> struct Begin {
  Write<State, interior, Real> s;
  Write<Potential, interior, Real> phi;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(s.u) = 1 + p.x() * p.x() + Real(0.5) * p.y();
    p(phi.phi) = Real(0);
  }
};
template <int dim, class Real> struct Sweep {
  Read<Potential, star<1>, Real> now;
  Read<State, pointwise, Real> s;
  Write<Potential, interior, Real> next;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    const Real mean = Real(0.25) * (at<-1, 0, 0>(p, now.phi) + at<1, 0, 0>(p, now.phi) + at<0, -1, 0>(p, now.phi) +
                                       at<0, 1, 0>(p, now.phi) + p.h(0) * p.h(0) * p(s.u));
    const Real change = fabs(mean - p(now.phi));
    p(next.phi) = mean;
    return {change};
  }
};
template <int dim, class Real> struct Copy {
  Read<Potential, pointwise, Real> next;
  Write<Potential, interior, Real> now;
  CEREUS_KERNEL void operator()(auto& p) const { p(now.phi) = p(next.phi); }
};
template <int dim, class Real> struct CalcRhs {
  Read<Potential, pointwise, Real> phi;
  Write<Rhs, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = p(phi.phi); }
};
}  // namespace Plasma
