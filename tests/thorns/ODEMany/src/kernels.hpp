// The equation of ODE in other dress: with two and three timelevels, and as a sum of two terms by two kernels.
#pragma once
#include <cereus/kernel.hpp>
namespace ODEMany {
using namespace cereus;

template <class F> struct Two { F u2; };
template <class F> struct TwoRhs { F u2_rhs; };
template <class F> struct Three { F u3; };
template <class F> struct ThreeRhs { F u3_rhs; };
template <class F> struct Summed { F u_sum; };
template <class F> struct SummedRhs { F u_sum_rhs; };
template <class F> struct Matter { F u_matter; };
template <class F> struct MatterRhs { F u_matter_rhs; };
template <class F> struct Stress { F stress; };
template <class F> struct Total { F total; };
template <class F> struct Past { F past2, past3, older3; };

template <class Real> CEREUS_KERNEL Real of_state(Real u, Real p) { return Real(0.5) * p * pow(u, (p - 1) / p); }
template <class Real> CEREUS_KERNEL Real of_time(Real t, Real p) { return Real(0.5) * p * pow(1 + t, p - 1); }

template <int dim, class Real> struct SetOne {
  Write<Two, interior, Real> a;
  Write<Three, interior, Real> b;
  Write<Summed, interior, Real> c;
  Write<Matter, interior, Real> d;
  Write<Past, interior, Real> past;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(d.u_matter) = Real(1);
    p(a.u2) = Real(1);
    p(b.u3) = Real(1);
    p(c.u_sum) = Real(1);
    p(past.past2) = Real(0);
    p(past.past3) = Real(0);
    p(past.older3) = Real(0);
  }
};
template <int dim, class Real> struct TwoSlope {
  Read<Two, pointwise, Real> s;
  Write<TwoRhs, interior, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.u2_rhs) = of_state(p(s.u2), power) + of_time(Real(p.time()), power);
  }
};
template <int dim, class Real> struct ThreeSlope {
  Read<Three, pointwise, Real> s;
  Write<ThreeRhs, interior, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.u3_rhs) = of_state(p(s.u3), power) + of_time(Real(p.time()), power);
  }
};
template <int dim, class Real> struct AddState {
  Read<Summed, pointwise, Real> s;
  Add<SummedRhs, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_sum_rhs) += of_state(p(s.u_sum), power); }
};
template <int dim, class Real> struct AddTime {
  Add<SummedRhs, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_sum_rhs) += of_time(Real(p.time()), power); }
};
// The term with u, in two halves, each by a kernel; the time is that of the right-hand side that reads it.
template <int dim, class Real> struct AddStress {
  Read<Matter, pointwise, Real> s;
  Add<Stress, Real> t;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const { p(t.stress) += Real(0.5) * of_state(p(s.u_matter), power); }
};
template <int dim, class Real> struct MatterSlope {
  Read<Stress, pointwise, Real> t;
  Write<MatterRhs, interior, Real> r;
  Real power;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_matter_rhs) = p(t.stress) + of_time(Real(p.time()), power); }
};
template <int dim, class Real> struct AddTotal {
  Read<Matter, pointwise, Real> s;
  Add<Total, Real> t;
  CEREUS_KERNEL void operator()(auto& p) const { p(t.total) += p(s.u_matter); }
};
template <int dim, class Real> struct CopyPast {
  Read<Two, pointwise, Real, 1> two;
  Read<Three, pointwise, Real, 1> three;
  Read<Three, pointwise, Real, 2> older;
  Write<Past, interior, Real> past;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(past.past2) = p(two.u2);
    p(past.past3) = p(three.u3);
    p(past.older3) = p(older.u3);
  }
};
}  // namespace ODEMany
