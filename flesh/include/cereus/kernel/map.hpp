// Six shells of an inflated cube, around ±x, ±y, ±z (Ronchi, Iacono and Paolucci, J. Comput. Phys. 124 (1996) 93).
// The shell around ±x has the coordinates (a, b, r) with tan a = y/x, tan b = z/x, −π/4 ≤ a, b ≤ π/4, r² = x² + y² +
// z²; the others follow by x → y → z → x. With D² = 1 + tan²a + tan²b, x = ± r/D.
#pragma once
#include "launch.hpp"
#include "math.hpp"
namespace cereus {
// A point of a shell, and what derivatives there are made of; of Lanes (lanes.hpp) several of a row.
template <class N> struct ShellPoint {
  int map;    // 1 … 6: around +x, −x, +y, −y, +z, −z
  N a, b, r;  // the tangents of its two angles, and its radius
  // Reciprocals, which tables have: 1/(1 + a²), 1/(1 + b²), 1/r.
  N over_a = N(1) / (N(1) + a * a), over_b = N(1) / (N(1) + b * b), over_r = N(1) / r;
  // The axis of space that is n-th for this shell: 0 the one around which it lies, 1 that of a, 2 that of b.
  CEREUS_KERNEL static constexpr int axis(int map, int n) { return ((map - 1) / 2 + n) % 3; }
  // Which of these an axis of space is.
  CEREUS_KERNEL static constexpr int turn(int map, int axis) { return (axis + 3 - (map - 1) / 2) % 3; }

  CEREUS_KERNEL N d() const { return sqrt(N(1) + a * a + b * b); }
  CEREUS_KERNEL N first() const { return map % 2 ? r / d() : -r / d(); }  // along the axis around which it lies
  CEREUS_KERNEL N over_first() const { return map % 2 ? d() * over_r : -(d() * over_r); }
  CEREUS_KERNEL N x(int axis) const {
    const int n = turn(map, axis);
    return n == 0 ? first() : first() * (n == 1 ? a : b);
  }
  // ∂(a, b, r)/∂x_axis: of a coordinate c, 0, 1 or 2.
  CEREUS_KERNEL N slope(int c, int axis) const {
    const int n = turn(map, axis);
    if (c == 2) return x(axis) * over_r;
    const N t = c == 0 ? a : b, step = over_first() * (c == 0 ? over_a : over_b);
    if (n == 0) return -t * step;
    return n == c + 1 ? step : N(0);
  }
  // ∂²(a, b, r)/∂x_i∂x_j.
  CEREUS_KERNEL N bend(int c, int i, int j) const {
    if (c == 2) return (N(i == j) - x(i) * x(j) * square(over_r)) * over_r;
    const N t = c == 0 ? a : b, scale = square(over_first() * (c == 0 ? over_a : over_b));
    const int n = turn(map, i), m = turn(map, j);
    if (n == 0 && m == 0) return N(2) * t * scale;
    if (n == c + 1 && m == c + 1) return N(-2) * t * scale;
    return (n == 0 || m == 0) && n + m == c + 1 ? (t * t - N(1)) * scale : N(0);
  }
  // The metric r² ∇c·∇e of the angles, which does not depend on r; ∇r is orthogonal to both, and of length 1.
  // ∇²a = ∇²b = 0, ∇²r = 2/r.
  CEREUS_KERNEL N metric_aa() const { return (N(1) + a * a + b * b) * over_a; }
  CEREUS_KERNEL N metric_bb() const { return (N(1) + a * a + b * b) * over_b; }
  CEREUS_KERNEL N metric_ab() const { return a * b * (metric_aa() * over_b); }
  // dx dy dz over da db dr.
  CEREUS_KERNEL N volume() const { return r * r * (N(1) + a * a) * (N(1) + b * b) / (d() * d() * d()); }
};
using OnShell = ShellPoint<double>;
}  // namespace cereus
