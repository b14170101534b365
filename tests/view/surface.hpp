// Kernels of surface.cpp.
#pragma once
#include <cereus/kernel.hpp>
using namespace cereus;
template <class F> struct State { F u, v; };
// u' = u + (right neighbour of v), v' = 2 v: the order of maps shows.
template <int dim, class Real> struct Shift {
  Read<State, star<1>, Real, 1> past;
  Write<State, interior, Real> now;
  Real c;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = p(past.u) + c * at<1, 0, 0>(p, past.v);
    p(now.v) = 2 * p(past.v);
  }
};
template <class F> struct Other { F w; };
template <int dim, class Real> struct Double {
  Modify<Other, interior, Real> o;
  CEREUS_KERNEL void operator()(auto& p) const { p(o.w) = 2 * p(o.w); }
};
template <int dim, class Real> struct AddOne {
  Modify<Other, interior, Real> o;
  CEREUS_KERNEL void operator()(auto& p) const { p(o.w) = p(o.w) + 1; }
};
template <int dim, class Real> struct Largest {
  Read<Other, pointwise, Real> o;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const { return {p(o.w)}; }
};
// Reaches two points: ghost zones become wider where it is declared late.
template <class F> struct Wide { F s; };
template <int dim, class Real> struct Far {
  Read<Other, star<2>, Real> o;
  Write<Wide, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.s) = at<-2, 0, 0>(p, o.w) + at<0, 2, 0>(p, o.w); }
};
// Neighbours of the state are read, those of s are not.
template <int dim, class Real> struct Both {
  Read<State, star<1>, Real, 1> past;
  Write<State, interior, Real> now;
  Write<Wide, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = p(past.u), p(now.v) = p(past.v);
    p(s.s) = at<1, 0, 0>(p, past.v);
  }
};
