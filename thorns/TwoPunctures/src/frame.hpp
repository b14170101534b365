// The solver has the punctures on its x axis: its axes, in those of the grid.
#pragma once
#include "bowen_york.hpp"

namespace TwoPunctures {
struct Frame {
  Vector<double> x, y, z;
  // Components along the axes of the solver.
  CEREUS_KERNEL Vector<double> seen(const Vector<double>& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
  CEREUS_KERNEL Puncture<double> seen(const Puncture<double>& p) const {
    return {seen(p.place), p.bare, seen(p.momentum), seen(p.spin)};
  }
  CEREUS_KERNEL Pair<double> seen(const Pair<double>& p) const { return {seen(p.plus), seen(p.minus), p.least}; }
};

CEREUS_KERNEL Vector<double> unit(const Vector<double>& v) {
  const double size = cereus::sqrt(dot(v, v));
  return {v.x / size, v.y / size, v.z / size};
}
// With x along a direction. If that is an axis of the grid, the others follow in turn, so that numbers only change
// places.
CEREUS_KERNEL Frame frame_along(const Vector<double>& direction) {
  const Vector<double> x = unit(direction), size{cereus::fabs(x.x), cereus::fabs(x.y), cereus::fabs(x.z)};
  const bool first = size.x >= size.y && size.x >= size.z, second = !first && size.y >= size.z;
  const Vector<double> next{!first && !second ? 1. : 0., first ? 1. : 0., second ? 1. : 0.};
  const Vector<double> z = unit(cross(x, next));
  return {x, cross(z, x), z};
}
}  // namespace TwoPunctures
