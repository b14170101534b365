// Centred finite differences of orders 2, 4, 6, 8 from one table of coefficients
// (Fornberg, Math. Comp. 51 (1988) 699, table 1); tests check that they are exact on polynomials.
#pragma once
#include "axes.hpp"
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
// Σ w_m (v(+m) − v(−m)) along an axis, from m = 1.
template <int axis, int m, class P, class V, class... W>
CEREUS_KERNEL auto odd_sum(const P& p, V v, double w, W... more) {
  using Real = real_of_t<typename V::value_type>;
  const auto here = Real(w) * (along<axis, m>(p, v) - along<axis, -m>(p, v));
  if constexpr (sizeof...(W) == 0) return here;
  else return here + odd_sum<axis, m + 1>(p, v, more...);
}
template <int axis, int m, class P, class V, class... W>
CEREUS_KERNEL auto even_sum(const P& p, V v, double w, W... more) {
  using Real = real_of_t<typename V::value_type>;
  const auto here = Real(w) * (along<axis, m>(p, v) + along<axis, -m>(p, v));
  if constexpr (sizeof...(W) == 0) return here;
  else return here + even_sum<axis, m + 1>(p, v, more...);
}
// A derivative along several axes, one after another: n[a] times along axis a; i, j, k: where its inner part is taken.
template <int order, int nx, int ny, int nz, int i, int j, int k, class P, class V>
CEREUS_KERNEL auto product_sum(const P& p, V v);
template <int order, int n, int axis, int m, int ny, int nz, int i, int j, int k, class P, class V>
CEREUS_KERNEL auto product_terms(const P& p, V v) {
  using Real = real_of_t<typename V::value_type>;
  constexpr int x = axis == 0 ? m : 0, y = axis == 1 ? m : 0, z = axis == 2 ? m : 0;
  const auto term = [&] {
    if constexpr (n == 2 && m == 0) {
      return Real(d2<order>(0)) * product_sum<order, 0, ny, nz, i, j, k>(p, v);
    } else {
      const auto ahead = product_sum<order, 0, ny, nz, i + x, j + y, k + z>(p, v);
      const auto behind = product_sum<order, 0, ny, nz, i - x, j - y, k - z>(p, v);
      if constexpr (n == 1) return Real(d1<order>(m)) * (ahead - behind);
      else return Real(d2<order>(m)) * (ahead + behind);
    }
  };
  if constexpr (m == order / 2) return term();
  else return term() + product_terms<order, n, axis, m + 1, ny, nz, i, j, k>(p, v);
}
template <int order, int nx, int ny, int nz, int i, int j, int k, class P, class V>
CEREUS_KERNEL auto product_sum(const P& p, V v) {
  static_assert(nx <= 2 && ny <= 2 && nz <= 2);
  if constexpr (nx > 0) return product_terms<order, nx, 0, 2 - nx, ny, nz, i, j, k>(p, v);
  else if constexpr (ny > 0) return product_terms<order, ny, 1, 2 - ny, 0, nz, i, j, k>(p, v);
  else if constexpr (nz > 0) return product_terms<order, nz, 2, 2 - nz, 0, 0, i, j, k>(p, v);
  else if constexpr (on_shell<P>()) return p.template neighbour<i, j, k>(v);  // diagonals, whatever the handle says
  else return at<i, j, k>(p, v);
}
template <int order, int a, int b, int m, class P, class V> CEREUS_KERNEL auto diagonal_sum(const P& p, V v) {
  using Real = real_of_t<typename V::value_type>;
  constexpr int x = a == 0 ? m : 0, y = a == 1 || b == 1 ? m : 0, z = b == 2 ? m : 0;
  constexpr int up = b == 1 ? -y : y, back = -z;  // ahead along axis a, behind along axis b
  const auto ahead = at<x, y, z>(p, v) + at<-x, -y, -z>(p, v);
  const auto here = Real(d2<order>(m)) * (ahead - (at<x, up, back>(p, v) + at<-x, -up, -back>(p, v)));
  if constexpr (m == order / 2) return here;
  else return here + diagonal_sum<order, a, b, m + 1>(p, v);
}
}  // namespace detail

// One over the spacing along each axis, once for a point.
template <int dim, class Real> struct InverseSpacings {
  Real h[3];
  CEREUS_KERNEL explicit InverseSpacings(const auto& p)
      : h{Real(p.inv_h(0)), dim > 1 ? Real(p.inv_h(1)) : 0, dim > 2 ? Real(p.inv_h(2)) : 0} {}
};

namespace detail {
// What a point's derivatives are multiplied by: as many numbers as it has of a variable.
template <class P, class V> using ScaleOf = Number<P, real_of_t<typename V::value_type>>;
// The factors of the axes from this one on, where a second derivative takes a first one with it.
template <int order, int axis, int nx, int ny, int nz, class P, class V>
CEREUS_KERNEL auto stretched_product(const P& p, V v) {
  using Scale = ScaleOf<P, V>;
  constexpr int n = axis == 0 ? nx : axis == 1 ? ny : nz;
  if constexpr (axis == 3) return product_sum<order, nx, ny, nz, 0, 0, 0>(p, v);
  else {
    const auto here = stretched_product<order, axis + 1, nx, ny, nz>(p, v);
    if constexpr (n == 0) return here;
    else if constexpr (n == 1) return Scale(p.inv_dx(axis)) * here;
    else {
      constexpr int x = axis == 0 ? 1 : nx, y = axis == 1 ? 1 : ny, z = axis == 2 ? 1 : nz;
      return Scale(p.inv_dx2(axis)) * here -
             Scale(p.bend(axis) * p.inv_dx(axis)) * stretched_product<order, axis + 1, x, y, z>(p, v);
    }
  }
}
}  // namespace detail

namespace detail {  // on shells around a cube: chain.hpp
template <int order, int axis, int c, class P, class V> CEREUS_KERNEL auto chain_first(const P& p, V v);
template <int order, int i, int j, class P, class V> CEREUS_KERNEL auto chain_second(const P& p, V v);
template <int order, class P, class V> CEREUS_KERNEL auto chain_laplacian(const P& p, V v);
}  // namespace detail

// ∂v/∂x_axis, to the given order.
template <int order, int axis, class P, class V> CEREUS_KERNEL auto derivative(const P& p, V v) {
  if constexpr (on_shell<P>()) return detail::chain_first<order, axis, 0>(p, v);
  else return detail::ScaleOf<P, V>(p.inv_dx(axis)) * detail::d1_sum<order, axis, 1>(p, v);
}
// ∂²v/∂x_axis². With the index i, and x' = dx/di: (v'' − x''/x' v') / x'².
template <int order, int axis, class P, class V> CEREUS_KERNEL auto second_derivative(const P& p, V v) {
  using Scale = detail::ScaleOf<P, V>;
  if constexpr (on_shell<P>()) return detail::chain_second<order, axis, axis>(p, v);
  else {
    const auto even = Scale(p.inv_dx2(axis)) * detail::d2_sum<order, axis, 0>(p, v);
    if constexpr (on_stretched_axes<P>()) return even - Scale(p.bend(axis)) * derivative<order, axis>(p, v);
    else return even;
  }
}
// Derivatives along several axes, nx, ny and nz times, 0 to 2 each: differences of differences.
template <int order, int nx, int ny, int nz, class P, class V> CEREUS_KERNEL auto mixed_derivative(const P& p, V v) {
  if constexpr (on_shell<P>()) {
    static_assert(nx + ny + nz == 2, "on shells there are first and second derivatives");
    return detail::chain_second < order, nx ? 0 : ny ? 1 : 2, nz ? 2 : ny ? 1 : 0 > (p, v);
  } else if constexpr (on_stretched_axes<P>() && (nx == 2 || ny == 2 || nz == 2))
    return detail::stretched_product<order, 0, nx, ny, nz>(p, v);
  else {
    detail::ScaleOf<P, V> scale = 1;
    if constexpr (nx > 0) scale = scale * detail::ScaleOf<P, V>(nx == 1 ? p.inv_dx(0) : p.inv_dx2(0));
    if constexpr (ny > 0) scale = scale * detail::ScaleOf<P, V>(ny == 1 ? p.inv_dx(1) : p.inv_dx2(1));
    if constexpr (nz > 0) scale = scale * detail::ScaleOf<P, V>(nz == 1 ? p.inv_dx(2) : p.inv_dx2(2));
    return scale * detail::product_sum<order, nx, ny, nz, 0, 0, 0>(p, v);
  }
}
// ∂²v/∂x_a∂x_b, a < b, from second differences along the two diagonals: a quarter of the points, another error of the
// same order.
template <int order, int a, int b, class P, class V> CEREUS_KERNEL auto diagonal_derivative(const P& p, V v) {
  if constexpr (on_shell<P>()) return detail::chain_second<order, a, b>(p, v);
  else return detail::ScaleOf<P, V>(0.25 * p.inv_dx(a) * p.inv_dx(b)) * detail::diagonal_sum<order, a, b, 1>(p, v);
}
// Differences along an axis with weights of one's own, on a grid of spacing 1: Σ w_m (v(+m) − v(−m)), from m = 1.
template <int axis, class P, class V, class... W> CEREUS_KERNEL auto odd_difference(const P& p, V v, W... w) {
  return detail::odd_sum<axis, 1>(p, v, w...);
}
// w₀ v + Σ w_m (v(+m) + v(−m)).
template <int axis, class P, class V, class... W>
CEREUS_KERNEL auto even_difference(const P& p, V v, double w0, W... w) {
  return real_of_t<typename V::value_type>(w0) * p(v) + detail::even_sum<axis, 1>(p, v, w...);
}
// Δv over the dimensions of the grid.
template <int order, class P, class V> CEREUS_KERNEL auto laplacian(const P& p, V v) {
  if constexpr (on_shell<P>()) return detail::chain_laplacian<order>(p, v);
  else if constexpr (P::dim == 1) return second_derivative<order, 0>(p, v);
  else {
    const auto x = second_derivative<order, 0>(p, v);
    const auto xy = x + second_derivative<order, 1>(p, v);
    if constexpr (P::dim == 2) return xy;
    else return xy + second_derivative<order, 2>(p, v);
  }
}
}  // namespace cereus
