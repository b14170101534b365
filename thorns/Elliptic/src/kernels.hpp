// Fields from formulas of the place, the time, and variables of other thorns.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/steps.hpp>
namespace Elliptic {
using namespace cereus;
template <class F> struct Solution { F phi; };
template <class F> struct Terms { F source, coefficient, absorption; };

inline constexpr int places = 4, most_inputs = 4;        // places: x, y, z and t
template <class F> struct Inputs { F v[most_inputs]; };  // whatever the formulas name

struct Formulas {
  Steps guess, source, coefficient, absorption;
  void each(auto f) const { f(guess), f(source), f(coefficient), f(absorption); }
};
template <class Real, class S, class G>
CEREUS_KERNEL void set_fields(auto& p, const S& s, const G& g, const Formulas& of, const double* at) {
  p(s.phi) = Real(run<0>(of.guess, at, p));
  p(g.source) = Real(run<1>(of.source, at, p));
  p(g.coefficient) = Real(run<2>(of.coefficient, at, p));
  p(g.absorption) = Real(run<3>(of.absorption, at, p));
}
template <int dim, class Real> struct SetFields {
  static constexpr bool record = false;
  Write<Solution, interior, Real> s;
  Write<Terms, interior, Real> g;
  Formulas of;
  void each_formula(auto f) const { of.each(f); }
  CEREUS_KERNEL void operator()(auto& p) const {
    const double at[] = {p.x(), p.y(), p.z(), p.time()};
    set_fields<Real>(p, s, g, of, at);
  }
};
template <int dim, class Real> struct SetFromInputs {
  static constexpr bool record = false;
  Read<Inputs, pointwise, Real> in;
  Write<Solution, interior, Real> s;
  Write<Terms, interior, Real> g;
  Formulas of;
  void each_formula(auto f) const { of.each(f); }
  CEREUS_KERNEL void operator()(auto& p) const {
    const double at[] = {
        p.x(), p.y(), p.z(), p.time(), double(p(in.v[0])), double(p(in.v[1])), double(p(in.v[2])), double(p(in.v[3]))};
    set_fields<Real>(p, s, g, of, at);
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
