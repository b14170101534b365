// Sweeps of the method of lines that are not fused into a right-hand side: linear combinations and the error norm.
#pragma once
#include <cereus/kernel.hpp>
namespace MoL {
using namespace cereus;

template <int n> struct Terms {
  template <class F> struct type { F v[n]; };
};
template <class F> struct Target { F v; };
template <class F> struct Pair { F error, y; };

// target = Σ factor_i · v_i, added in the order of the terms.
template <int n, class Real> struct Combine {
  struct Factors {
    real_of_t<Real> f[n];
  };
  Read<Terms<n>::template type, pointwise, Real> s;
  Write<Target, interior, Real> t;
  Factors a;
  template <int i> CEREUS_KERNEL auto sum(auto& p) const {
    if constexpr (i == 0) return a.f[0] * p(s.v[0]);
    else return sum<i - 1>(p) + a.f[i] * p(s.v[i]);
  }
  CEREUS_KERNEL void operator()(auto& p) const { p(t.v) = sum<n - 1>(p); }
};

// max |error| / (absolute + relative·|y|): a step is accepted up to 1.
template <class Real> struct ErrorNorm {
  Read<Pair, pointwise, Real> s;
  Real absolute, relative;
  CEREUS_KERNEL Max<double> operator()(auto& p) const {
    return {double(fabs(p(s.error)) / (absolute + relative * fabs(p(s.y))))};
  }
};
}  // namespace MoL
