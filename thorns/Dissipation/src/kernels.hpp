// Kreiss and Oliger's dissipation (Tellus 24 (1972) 199) at a point.
#pragma once
#include <cereus/kernel.hpp>
namespace Dissipation {
using namespace cereus;

template <class F> struct One { F v; };
template <class F> struct OneRhs { F v; };

// (−1)^(n+1) h⁻¹ δ²ⁿu / 4ⁿ along an axis, n = order/2 + 1: at most of order h^(order + 1), and −1/h of what alternates
// from point to point. On shells h is a length, not an angle.
template <int order, int axis> CEREUS_KERNEL auto damped(const auto& p, auto v) {
  using Real = real_of_t<typename decltype(v)::value_type>;
  const Real scale = Real(p.inv_dx(axis));
  if constexpr (order == 4) return scale * even_difference<axis>(p, v, -5. / 16, 15. / 64, -3. / 32, 1. / 64);
  if constexpr (order == 6)
    return scale * even_difference<axis>(p, v, -35. / 128, 7. / 32, -7. / 64, 1. / 32, -1. / 256);
  if constexpr (order == 8)
    return scale * even_difference<axis>(p, v, -63. / 256, 105. / 512, -15. / 128, 45. / 1024, -5. / 512, 1. / 1024);
}

template <int order, int dim, class T> struct Damp {
  static constexpr bool maps = same_type<real_of_t<T>, double>;
  Read<One, star<order / 2 + 1>, T> u;
  Modify<OneRhs, interior, T> rhs;
  real_of_t<T> strength;
  CEREUS_KERNEL void operator()(auto& p) const {
    auto sum = damped<order, 0>(p, u.v);
    if constexpr (dim > 1) sum = sum + damped<order, 1>(p, u.v);
    if constexpr (dim > 2) sum = sum + damped<order, 2>(p, u.v);
    p(rhs.v) += strength * sum;
  }
};
}  // namespace Dissipation
