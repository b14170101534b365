// Coefficients that vary, of the finest level and of coarser ones.
#pragma once
#include "transfer.hpp"
namespace Multigrid {
template <class Real> CEREUS_KERNEL Real harmonic(Real a, Real b) {
  return a + b > 0 ? quotient(2 * (a * b), a + b) : Real(0);
}
// Coefficients of the finest level, from those at points; at the outermost faces those of the outermost points.
template <int dim, class Real> struct LoadCoefficients {
  static constexpr bool stretches = false;
  Read<One, elsewhere, Real> a, b;
  Write<Coefficients, interior, Real> c;
  Axes<Real> axes;
  Elsewhere grid;
  int has_a, has_b;     // whether they vary
  Indices first, last;  // of the domain; of periodic axes, any
  CEREUS_KERNEL Real at(const auto& p, In<Real, elsewhere> v, int axis, int by) const {
    int i[3] = {p.index(0), p.index(1), p.index(2)};
    if (axis >= 0) i[axis] += by;
    for (int d = 0; d < 3; ++d) i[d] = min(max(i[d], first[d]), last[d]);
    return element(p, v, grid(i[0], i[1], i[2]));
  }
  template <int axis> CEREUS_KERNEL Real face(const auto& p) const {
    if (axis >= dim) return 0;
    return has_a ? harmonic(at(p, a.v, axis, 0), at(p, a.v, axis, axes.of[axis].vertex ? 1 : -1)) : Real(1);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(c.a[0]) = face<0>(p), p(c.a[1]) = face<1>(p), p(c.a[2]) = face<2>(p);
    p(c.b) = axes.absorption + (has_b ? at(p, b.v, -1, 0) : Real(0));
  }
};
// Of a coarser level: a face is the mean of those beside it, weighted as residuals are; the edge between two vertices
// is two edges, one after the other.
template <int dim, class Real> struct CoarsenCoefficients {
  static constexpr bool stretches = false;
  Read<Coefficients, elsewhere, Real> fine;
  Write<Coefficients, interior, Real> c;
  Axes<Real> axes;  // of the finer level
  Elsewhere grid;
  CEREUS_KERNEL Children<Real> beside(const auto& p, int d, int along, int edge) const {
    const int i = p.index(d), first = axes.of[d].ratio * i + edge;
    return d == along ? Children<Real>{first, first, 1, 1} : children(axes.of[d], i);
  }
  CEREUS_KERNEL Real mean(const auto& p, In<Real, elsewhere> v, int along, int edge = 0) const {
    const auto x = beside(p, 0, along, edge), y = beside(p, 1, along, edge), z = beside(p, 2, along, edge);
    Real sum = 0;
    for (int k = z.first; k <= z.last; ++k)
      for (int j = y.first; j <= y.last; ++j)
        for (int i = x.first; i <= x.last; ++i)
          sum += (x.weight(i) * (y.weight(j) * z.weight(k))) * element(p, v, grid(i, j, k));
    return sum;
  }
  template <int d> CEREUS_KERNEL Real face(const auto& p) const {
    const Real first = mean(p, fine.a[d], d);
    return axes.of[d].vertex && axes.of[d].ratio > 1 ? harmonic(first, mean(p, fine.a[d], d, 1)) : first;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(c.a[0]) = face<0>(p);
    p(c.a[1]) = dim > 1 ? face<1>(p) : Real(0);
    p(c.a[2]) = dim > 2 ? face<2>(p) : Real(0);
    p(c.b) = mean(p, fine.b, -1);
  }
};
}  // namespace Multigrid
