// Sweeps of the method of lines that are not fused into a right-hand side: linear combinations and the error norm.
#pragma once
#include <cereus/kernel.hpp>
namespace MoL {
using namespace cereus;

template <int n> struct Some {
  template <class F> struct type { F v[n]; };
};
template <class F> struct Pair { F error, y; };

// target = Σ factor_i · v_i, added in the order of the n terms; for so many components at a time.
template <int n, int together, class Real> struct Combine {
  static constexpr bool stretches = false;
  struct Factors {
    real_of_t<Real> f[n];
  };
  Read<Some<n * together>::template type, pointwise, Real> s;  // the terms of a component side by side
  Write<Some<together>::template type, interior, Real> t;
  Factors a;
  template <int i, int first> CEREUS_KERNEL auto sum(auto& p) const {
    if constexpr (i == 0) return a.f[0] * p(s.v[first]);
    else return sum<i - 1, first>(p) + a.f[i] * p(s.v[first + i]);
  }
  template <int c> CEREUS_KERNEL void set(auto& p) const {
    p(t.v[c]) = sum<n - 1, c * n>(p);
    if constexpr (c + 1 < together) set<c + 1>(p);
  }
  CEREUS_KERNEL void operator()(auto& p) const { set<0>(p); }
};

// max |error| / (absolute + relative·|y|): a step is accepted up to 1.
template <class Real> struct ErrorNorm {
  static constexpr bool stretches = false;
  Read<Pair, pointwise, Real> s;
  Real absolute, relative;
  CEREUS_KERNEL Max<double> operator()(auto& p) const {
    return {double(fabs(p(s.error)) / (absolute + relative * fabs(p(s.y))))};
  }
};
}  // namespace MoL
