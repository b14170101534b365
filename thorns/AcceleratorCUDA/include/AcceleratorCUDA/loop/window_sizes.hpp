// Which vectors of 16 bytes, the widest loads that there are, a thread's points read: known to the host as well, which
// decides by their number how a loop is launched.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
namespace cereus::detail {
// The vectors around one point (`lanes` points side by side): in its plane a cross (or all, with corners), above and
// below one vector a plane (or all). Numbered from below: what a thread that goes up (along the last axis) has seen
// before moves down in this order.
template <int reach, bool corners, int dim, int lanes> struct Window {
  static constexpr int side = (reach + lanes - 1) / lanes, row = 2 * side + 1;
  static constexpr int ry = dim > 1 ? reach : 0, rz = dim > 2 ? reach : 0;
  static constexpr int plane = corners ? row * (2 * ry + 1) : row + 2 * ry;
  static constexpr int size = corners ? plane * (2 * rz + 1) : plane + 2 * rz;

  static constexpr int index(int q, int j, int k) {
    if (corners) return (k + rz) * plane + (j + ry) * row + q + side;
    if (k < 0) return k + rz;
    if (k > 0) return rz + plane + k - 1;
    return rz + (j < 0 ? j + ry : j > 0 ? ry + row + j - 1 : ry + q + side);
  }
  struct Place {
    int q, j, k;
    constexpr Place above() const { return dim == 3 ? Place{q, j, k + 1} : Place{q, j + 1, k}; }
  };
  static constexpr Place place(int n) {
    if (corners) return {n % plane % row - side, n % plane / row - ry, n / plane - rz};
    if (n < rz) return {0, 0, n - rz};
    if (n >= rz + plane) return {0, 0, n - rz - plane + 1};
    const int in_plane = n - rz;
    if (in_plane < ry) return {0, in_plane - ry, 0};
    if (in_plane >= ry + row) return {0, in_plane - ry - row + 1, 0};
    return {in_plane - ry - side, 0, 0};
  }
  static constexpr bool has(Place at) {
    return at.j <= ry && at.k <= rz && (corners || (at.q != 0) + (at.j != 0) + (at.k != 0) <= 1);
  }
  // Whether it is in the window of the point below too, one plane (row, in 2D) higher.
  static constexpr bool seen_before(Place at) { return dim > 1 && has(at.above()); }
};

// How many vectors each handle of a kernel may need, at most and in all; 0 if there is one whose type does not fit.
template <int dim, int lanes> struct WindowSizes {
  int most = 1, all = 0;
  bool fits = true;
  template <class M> constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    if constexpr (T::mode == Mode::read) {
      constexpr int size = Window<T::reach, T::corners, dim, lanes>::size;
      most = size > most ? size : most;
      all += size * T::count;
      fits = fits && sizeof(typename T::Real) * lanes == 16;
    }
  }
};
template <class K, int dim, int lanes>
inline constexpr WindowSizes<dim, lanes> window_sizes = [] {
  WindowSizes<dim, lanes> s;
  K k{};
  for_each_handle(k, s);
  return s;
}();

// A thread updates as many points side by side as 16 bytes hold; one on shells, whose points differ.
template <class K, int dim, class Real, class Axes = UniformAxes> constexpr int lanes_of() {
  if constexpr (sizeof(Real) > 8 || Axes::mapped) return 1;
  else {
    constexpr int lanes = 16 / sizeof(Real);
    constexpr auto sizes = window_sizes<K, dim, lanes>;
    return sizes.fits && sizes.all > 0 && sizes.all <= 64 ? lanes : 1;
  }
}
}  // namespace cereus::detail
