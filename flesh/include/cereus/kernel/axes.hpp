// Where the points of an axis lie: evenly, or as a table says; or where those of a shell around a cube do. A loop is
// compiled for one or the other.
#pragma once
#include "map.hpp"
namespace cereus {
struct UniformAxes {
  static constexpr bool stretched = false, mapped = false;
  CEREUS_KERNEL static double x(const Geometry& g, int axis, int i) {
    return g.origin[axis] + (i + g.centre[axis]) * g.spacing[axis];
  }
  CEREUS_KERNEL static double x(const Geometry& g, int axis, int i, int ahead) {
    return x(g, axis, i) + ahead * g.spacing[axis];
  }
  CEREUS_KERNEL static double inv_dx(const Geometry& g, int axis, int) { return g.inv_spacing[axis]; }
  CEREUS_KERNEL static double inv_dx2(const Geometry& g, int axis, int) { return g.inv_spacing2[axis]; }
  CEREUS_KERNEL static double bend(const Geometry&, int, int) { return 0; }
};
namespace detail {
// Of a table, which no kernel writes: on a device the compiler may keep what it has read across stores.
CEREUS_KERNEL double in_table(const double* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}
}  // namespace detail
struct StretchedAxes {
  static constexpr bool stretched = true, mapped = false;
  CEREUS_KERNEL static double x(const Geometry& g, int axis, int i, int ahead = 0) {
    return detail::in_table(g.axis[axis] + i + ahead);
  }
  CEREUS_KERNEL static double inv_dx(const Geometry& g, int axis, int i) {
    return detail::in_table(g.axis[axis] + g.pitch + i);
  }
  CEREUS_KERNEL static double inv_dx2(const Geometry& g, int axis, int i) { return square(inv_dx(g, axis, i)); }
  CEREUS_KERNEL static double bend(const Geometry& g, int axis, int i) {
    return detail::in_table(g.axis[axis] + 2 * g.pitch + i);
  }
};
// Points are evenly spaced in the coordinates of the shell; derivatives by x, y, z follow by the chain rule.
struct MappedAxes {
  static constexpr bool stretched = false, mapped = true;
  CEREUS_KERNEL static OnShell at(const Geometry& g, int i, int j, int k) {
    const double *a = g.axis[0] + i, *b = g.axis[1] + j, *r = g.axis[2] + k;
    const Offset over = 2 * g.pitch;  // the table of reciprocals
    using detail::in_table;
    return {g.map, in_table(a), in_table(b), in_table(r), in_table(a + over), in_table(b + over), in_table(r + over)};
  }
};
template <class Point> constexpr bool on_shell() {
  if constexpr (requires { Point::mapped; }) return Point::mapped;
  else return false;
}
template <class Point> constexpr bool on_stretched_axes() {
  if constexpr (requires { Point::stretched; }) return Point::stretched;
  else return false;
}
}  // namespace cereus
