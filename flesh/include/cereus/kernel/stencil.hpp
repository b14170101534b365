// Centred finite differences of orders 2, 4, 6, 8 from one table of coefficients
// (Fornberg, Math. Comp. 51 (1988) 699, table 1); tests check that they are exact on polynomials.
#pragma once
#include "handle.hpp"
namespace cereus {
namespace detail {
// Coefficient of the m-th neighbour, m = 0 … order/2, of the first and second derivative on a unit grid.
template <int order> CEREUS_KERNEL constexpr double d1(int m) {
  static_assert(order == 2 || order == 4 || order == 6 || order == 8, "orders 2, 4, 6, 8");
  constexpr double c[4][5] = {
      {0, 1. / 2}, {0, 2. / 3, -1. / 12}, {0, 3. / 4, -3. / 20, 1. / 60}, {0, 4. / 5, -1. / 5, 4. / 105, -1. / 280}};
  return c[order / 2 - 1][m];
}
template <int order> CEREUS_KERNEL constexpr double d2(int m) {
  static_assert(order == 2 || order == 4 || order == 6 || order == 8, "orders 2, 4, 6, 8");
  constexpr double c[4][5] = {{-2, 1}, {-5. / 2, 4. / 3, -1. / 12}, {-49. / 18, 3. / 2, -3. / 20, 1. / 90},
      {-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560}};
  return c[order / 2 - 1][m];
}
template <int order, int axis, int m, class P, class V> CEREUS_KERNEL auto d1_sum(const P& p, V v) {
  using Real = real_of_t<typename V::value_type>;
  constexpr Real c = Real(d1<order>(m));
  const auto here = c * (along<axis, m>(p, v) - along<axis, -m>(p, v));
  if constexpr (m == order / 2) return here;
  else return here + d1_sum<order, axis, m + 1>(p, v);
}
template <int order, int axis, int m, class P, class V> CEREUS_KERNEL auto d2_sum(const P& p, V v) {
  using Real = real_of_t<typename V::value_type>;
  constexpr Real c = Real(d2<order>(m));
  if constexpr (m == 0) return c * p(v) + d2_sum<order, axis, 1>(p, v);
  else {
    const auto here = c * (along<axis, m>(p, v) + along<axis, -m>(p, v));
    if constexpr (m == order / 2) return here;
    else return here + d2_sum<order, axis, m + 1>(p, v);
  }
}
}  // namespace detail

// ∂v/∂x_axis, to the given order.
template <int order, int axis, class P, class V> CEREUS_KERNEL auto derivative(const P& p, V v) {
  return real_of_t<typename V::value_type>(p.inv_h(axis)) * detail::d1_sum<order, axis, 1>(p, v);
}
// ∂²v/∂x_axis².
template <int order, int axis, class P, class V> CEREUS_KERNEL auto second_derivative(const P& p, V v) {
  return real_of_t<typename V::value_type>(p.inv_h2(axis)) * detail::d2_sum<order, axis, 0>(p, v);
}
// Δv over the dimensions of the grid.
template <int order, class P, class V> CEREUS_KERNEL auto laplacian(const P& p, V v) {
  const auto x = second_derivative<order, 0>(p, v);
  if constexpr (P::dim == 1) return x;
  else {
    const auto xy = x + second_derivative<order, 1>(p, v);
    if constexpr (P::dim == 2) return xy;
    else return xy + second_derivative<order, 2>(p, v);
  }
}
}  // namespace cereus
