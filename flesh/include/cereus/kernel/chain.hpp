// Derivatives by x, y, z of what is known along the coordinates of a shell: the chain rule.
#pragma once
#include "stencil.hpp"
namespace cereus::detail {
// Σ over the coordinates of the shell from `c` on: ∂c/∂x_axis · ∂v/∂c.
template <int order, int axis, int c, class P, class V> CEREUS_KERNEL auto chain_first(const P& p, V v) {
  const auto here = ScaleOf<P, V>(p.shell().slope(c, axis) * p.inv_h(c)) * d1_sum<order, c, 1>(p, v);
  if constexpr (c == 2) return here;
  else return here + chain_first<order, axis, c + 1>(p, v);
}
// ∂²v/∂x_i∂x_j: Σ ∂c/∂x_i ∂c/∂x_j ∂²v/∂c² + ∂²c/∂x_i∂x_j ∂v/∂c, from the coordinate c on.
template <int order, int i, int j, int c, class P, class V> CEREUS_KERNEL auto chain_straight(const P& p, V v) {
  using Scale = ScaleOf<P, V>;
  const OnShell at = p.shell();
  const auto here = Scale(at.slope(c, i) * at.slope(c, j) * p.inv_h2(c)) * d2_sum<order, c, 0>(p, v) +
                    Scale(at.bend(c, i, j) * p.inv_h(c)) * d1_sum<order, c, 1>(p, v);
  if constexpr (c == 2) return here;
  else return here + chain_straight<order, i, j, c + 1>(p, v);
}
// Of it what has derivatives along two coordinates of the shell, c and e.
template <int order, int i, int j, int c, int e, class P, class V> CEREUS_KERNEL auto chain_across(const P& p, V v) {
  const OnShell at = p.shell();
  constexpr int a = c == 0 || e == 0, b = c == 1 || e == 1, r = c == 2 || e == 2;
  return ScaleOf<P, V>((at.slope(c, i) * at.slope(e, j) + at.slope(e, i) * at.slope(c, j)) * p.inv_h(c) * p.inv_h(e)) *
         product_sum<order, a, b, r, 0, 0, 0>(p, v);
}
template <int order, int i, int j, class P, class V> CEREUS_KERNEL auto chain_second(const P& p, V v) {
  return chain_straight<order, i, j, 0>(p, v) + chain_across<order, i, j, 0, 1>(p, v) +
         (chain_across<order, i, j, 0, 2>(p, v) + chain_across<order, i, j, 1, 2>(p, v));
}
// What does not depend on the radius stands by itself: where a thread goes along the radius, it is computed once.
template <int order, class P, class V> CEREUS_KERNEL auto chain_laplacian(const P& p, V v) {
  using Scale = ScaleOf<P, V>;
  const OnShell at = p.shell();
  const Scale aa(at.metric_aa() * p.inv_h2(0)), bb(at.metric_bb() * p.inv_h2(1)),
      ab(2 * at.metric_ab() * p.inv_h(0) * p.inv_h(1));
  const auto around =
      aa * d2_sum<order, 0, 0>(p, v) + bb * d2_sum<order, 1, 0>(p, v) + ab * product_sum<order, 1, 1, 0, 0, 0, 0>(p, v);
  return Scale(square(at.over_r)) * around + (Scale(p.inv_h2(2)) * d2_sum<order, 2, 0>(p, v) +
                                                 Scale(2 * at.over_r * p.inv_h(2)) * d1_sum<order, 2, 1>(p, v));
}
}  // namespace cereus::detail
