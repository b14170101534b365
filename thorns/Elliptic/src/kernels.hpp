// Fields from formulas of the place and the time.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/steps.hpp>
namespace Elliptic {
using namespace cereus;
template <class F> struct Solution { F phi; };
template <class F> struct Terms { F source, coefficient, absorption; };

struct Formulas {
  Steps guess, source, coefficient, absorption;
};
template <int dim, class Real> struct SetFields {
  static constexpr bool record = false;
  Write<Solution, interior, Real> s;
  Write<Terms, interior, Real> g;
  Formulas of;
  CEREUS_KERNEL void operator()(auto& p) const {
    const double at[] = {p.x(), p.y(), p.z(), p.time()};
    p(s.phi) = Real(run(of.guess, at, p));
    p(g.source) = Real(run(of.source, at, p));
    p(g.coefficient) = Real(run(of.coefficient, at, p));
    p(g.absorption) = Real(run(of.absorption, at, p));
  }
};
// Whether the equation is elliptic, and its absorption not negative.
template <int dim, class Real> struct Wrong {
  Read<Terms, pointwise, Real> g;
  CEREUS_KERNEL Count operator()(auto& p) const {
    return {!(p(g.coefficient) >= 0) || !(p(g.absorption) >= 0) ? 1 : 0};
  }
};
}  // namespace Elliptic
