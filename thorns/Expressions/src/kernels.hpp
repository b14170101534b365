// A formula at a point, and what it may name.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/steps.hpp>
namespace Expressions {
using namespace cereus;
inline constexpr int places = 4;  // places: x, y, z and t
using Inputs = choices<0, 1, 2, 4>;

template <int n> struct Several {
  template <class F> struct Group { F v[n]; };
};  // whatever the formula names
template <class F> struct Target { F v; };

template <int inputs, int dim, class Real> struct Values {
  Real v[places + 1 + inputs];
  CEREUS_KERNEL Values(const auto& p, Real target) : v{} {
    v[0] = static_cast<Real>(p.x()), v[3] = static_cast<Real>(p.time()), v[places] = target;
    if constexpr (dim > 1) v[1] = static_cast<Real>(p.y());
    if constexpr (dim > 2) v[2] = static_cast<Real>(p.z());
  }
};

// Target = formula of other variables.
template <int inputs, int dim, class Real> struct Set {
  static constexpr bool maps = same_type<Real, double>;
  Read<Several<inputs>::template Group, pointwise, Real> in;
  Write<Target, interior, Real> out;
  Steps program;
  CEREUS_KERNEL void operator()(const auto& p) const {
    Values<inputs, dim, Real> x(p, Real(0));
    for (int n = 0; n < inputs; ++n) x.v[places + 1 + n] = p(in.v[n]);
    p(out.v) = run<0>(program, x.v, p);
  }
  void each_formula(auto f) const { f(program); }
};
template <int dim, class Real> struct Set<0, dim, Real> {
  static constexpr bool maps = same_type<Real, double>;
  Write<Target, interior, Real> out;
  Steps program;
  void each_formula(auto f) const { f(program); }
  CEREUS_KERNEL void operator()(const auto& p) const {
    p(out.v) = run<0>(program, Values<0, dim, Real>(p, Real(0)).v, p);
  }
};
// Of the place alone, also outside the domain.
template <int dim, class Real> struct SetEverywhere {
  Write<Target, everywhere, Real> out;
  Steps program;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = run(program, Values<0, dim, Real>(p, Real(0)).v, p); }
};
// Target = formula of itself, and others.
template <int inputs, int dim, class Real> struct Change {
  static constexpr bool maps = same_type<Real, double>;
  Read<Several<inputs>::template Group, pointwise, Real> in;
  Modify<Target, interior, Real> out;
  Steps program;
  CEREUS_KERNEL void operator()(const auto& p) const {
    Values<inputs, dim, Real> x(p, p(out.v));
    for (int n = 0; n < inputs; ++n) x.v[places + 1 + n] = p(in.v[n]);
    p(out.v) = run(program, x.v, p);
  }
};
template <int dim, class Real> struct Change<0, dim, Real> {
  static constexpr bool maps = same_type<Real, double>;
  Modify<Target, interior, Real> out;
  Steps program;
  CEREUS_KERNEL void operator()(const auto& p) const {
    p(out.v) = run(program, Values<0, dim, Real>(p, p(out.v)).v, p);
  }
};
}  // namespace Expressions
