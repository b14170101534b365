// How texts of equations see a shell around a cube: points are evenly spaced along its coordinates, where differences
// are those of a uniform grid; what these become derivatives by x, y, z with is computed once for a point.
#pragma once
#include "axes.hpp"
namespace cereus {
// Whether a kernel's point is on a shell, by decltype(p).
template <class Point> inline constexpr bool is_on_shell = on_shell<Point>();
template <class Point> inline constexpr bool is_on_shell<Point&> = on_shell<Point>();
// A point as one of the grid of coordinates.
template <class P> struct AlongShell {
  static constexpr int dim = 3;
  const P& p;
  template <class V> CEREUS_KERNEL auto operator()(V v) const { return p(v); }
  template <int i, int j, int k, class V> CEREUS_KERNEL auto neighbour(V v) const {
    return p.template neighbour<i, j, k>(v);
  }
  CEREUS_KERNEL double inv_h(int axis) const { return p.inv_h(axis); }
  CEREUS_KERNEL double inv_h2(int axis) const { return p.inv_h2(axis); }
  CEREUS_KERNEL double inv_dx(int axis) const { return p.inv_h(axis); }
  CEREUS_KERNEL double inv_dx2(int axis) const { return p.inv_h2(axis); }
};
template <class P, class Real> struct NumberOf<AlongShell<P>, Real> : NumberOf<P, Real> {};
template <class P> CEREUS_KERNEL AlongShell<P> along_shell(const P& p) { return {p}; }

// ∂c/∂x_i and ∂²c/∂x_i∂x_j of the coordinates c, the latter for i ≤ j, in the order xx, xy, xz, yy, yz, zz.
template <class N> struct ShellFrame {
  N slope[3][3], bend[3][6], inv_r;
  CEREUS_KERNEL explicit ShellFrame(const ShellPoint<N>& at) : inv_r(at.over_r) {
    for (int c = 0; c < 3; ++c)
      for (int i = 0, n = 0; i < 3; ++i) {
        slope[c][i] = at.slope(c, i);
        for (int j = i; j < 3; ++j) bend[c][n++] = at.bend(c, i, j);
      }
  }
};
}  // namespace cereus
