// The solver has the punctures on its x axis: its axes, in those of the grid.
#pragma once
#include <cmath>

#include "bowen_york.hpp"

namespace TwoPunctures {
struct Frame {
  Vector<double> x, y, z;
  // Components along the axes of the solver.
  CEREUS_KERNEL Vector<double> seen(const Vector<double>& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
  Puncture<double> seen(const Puncture<double>& p) const {
    return {seen(p.place), p.bare, seen(p.momentum), seen(p.spin)};
  }
  Pair<double> seen(const Pair<double>& p) const { return {seen(p.plus), seen(p.minus), p.least}; }
};

inline Vector<double> unit(const Vector<double>& v) {
  const double size = std::hypot(v.x, v.y, v.z);
  return {v.x / size, v.y / size, v.z / size};
}
// With x along a direction. If that is an axis of the grid, the others follow in turn, so that numbers only change
// places.
inline Frame frame_along(const Vector<double>& direction) {
  const Vector<double> x = unit(direction), size{std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)};
  const bool first = size.x >= size.y && size.x >= size.z, second = !first && size.y >= size.z;
  const Vector<double> next{!first && !second ? 1. : 0., first ? 1. : 0., second ? 1. : 0.};
  const Vector<double> z = unit(cross(x, next));
  return {x, cross(z, x), z};
}
}  // namespace TwoPunctures
