// Between a field and its waves: mirror images, and one over the eigenvalues.
#pragma once
#include <Elliptic/near.hpp>
namespace Fourier {
using namespace Elliptic;

// An axis of n cells as a part of a periodic one: its mirror images, with signs, at both ends.
struct Fold {
  int n, period, vertex, signs[2];  // of images at the lower and the upper end
  // The index of which i is an image; the sign goes into `sign`.
  CEREUS_KERNEL int operator()(int i, int& sign) const {
    if (period > 2 * n && i >= 2 * n) i = period - (vertex ? 0 : 1) - i, sign *= signs[0];
    if (period > n && i >= n + vertex) i = 2 * n - (vertex ? 0 : 1) - i, sign *= signs[1];
    return i;
  }
};
struct Folds {
  Fold x, y, z;
};
template <int dim, class Real> struct Unfold {
  Read<One, elsewhere, Real> r;
  Write<One, interior, Real> x;
  Folds fold;
  Elsewhere grid;
  CEREUS_KERNEL void operator()(auto& p) const {
    int sign = 1;
    const int i = fold.x(p.index(0), sign), j = fold.y(p.index(1), sign), k = fold.z(p.index(2), sign);
    p(x.v) = Real(sign) * element(p, r.v, grid(grid.first[0] + i, grid.first[1] + j, grid.first[2] + k));
  }
};
// Each wave over its eigenvalue. The mean, where that is 0, stays 0.
template <int dim, class Complex> struct Divide {
  using Real = real_of_t<Complex>;
  Modify<One, interior, Complex> c;
  struct Waves {
    double weight[3], per_index[3];  // a/h²; 2π over the period
    double absorption, points;
  } of;
  CEREUS_KERNEL double eigenvalue(int axis, int k) const {
    return of.weight[axis] * 2 * (cos(of.per_index[axis] * k) - 1);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    double l = eigenvalue(0, p.index(0)) - of.absorption;
    if constexpr (dim > 1) l += eigenvalue(1, p.index(1));
    if constexpr (dim > 2) l += eigenvalue(2, p.index(2));
    p(c.v) = l < 0 ? Real(1 / (l * of.points)) * p(c.v) : Complex{};
  }
};
// From one grid to another one of the same points.
template <int dim, class Real> struct Take {
  Read<One, elsewhere, Real> from;
  Write<One, interior, Real> to;
  Elsewhere grid;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(to.v) = element(p, from.v, grid(p.index(0), p.index(1), p.index(2)));
  }
};
}  // namespace Fourier
