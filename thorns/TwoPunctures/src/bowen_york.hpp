// The momentum constraint's solution of J. M. Bowen and J. W. York, Phys. Rev. D 21 (1980) 2047, and where its two
// punctures are.
#pragma once
#include <cereus/kernel.hpp>

namespace TwoPunctures {
using cereus::square, cereus::max;

template <class Real> struct Vector { Real x, y, z; };
template <class Real> CEREUS_KERNEL Real dot(const Vector<Real>& a, const Vector<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real> CEREUS_KERNEL Vector<Real> cross(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Real> struct Symmetric { Real xx, xy, xz, yy, yz, zz; };
template <class Real> CEREUS_KERNEL Real squared(const Symmetric<Real>& k) {
  return square(k.xx) + square(k.yy) + square(k.zz) + 2 * (square(k.xy) + square(k.xz) + square(k.yz));
}

template <class Real> struct Puncture {
  Vector<Real> place;  // from the point between the two
  Real bare;           // mass m
  Vector<Real> momentum, spin;
  // Away from the puncture, not closer than `least`.
  CEREUS_KERNEL Real distance(const Vector<Real>& x, Real least) const {
    return max(cereus::sqrt(square(x.x - place.x) + square(x.y - place.y) + square(x.z - place.z)), least);
  }
  // Its share of Ā_ij = (3/2r²)[P_i n_j + P_j n_i − (δ_ij − n_i n_j) P·n] − (3/r³)[(n×S)_i n_j + (n×S)_j n_i], added.
  CEREUS_KERNEL void add(Symmetric<Real>& k, const Vector<Real>& x, Real least) const {
    const Real over = 1 / distance(x, least), a = Real(1.5) * square(over), c = 3 * over * square(over);
    const Vector<Real> n{(x.x - place.x) * over, (x.y - place.y) * over, (x.z - place.z) * over}, w = cross(n, spin);
    const Vector<Real> v{a * momentum.x - c * w.x, a * momentum.y - c * w.y, a * momentum.z - c * w.z};
    const Real t = a * dot(momentum, n);
    k.xx += 2 * v.x * n.x - t * (1 - n.x * n.x), k.yy += 2 * v.y * n.y - t * (1 - n.y * n.y);
    k.zz += 2 * v.z * n.z - t * (1 - n.z * n.z), k.xy += v.x * n.y + v.y * n.x + t * n.x * n.y;
    k.xz += v.x * n.z + v.z * n.x + t * n.x * n.z, k.yz += v.y * n.z + v.z * n.y + t * n.y * n.z;
  }
};

template <class Real> struct Pair {
  Puncture<Real> plus, minus;  // opposite each other; the solver has them at x = b and x = −b
  Real least;                  // distances are not below it
  CEREUS_KERNEL Symmetric<Real> curvature(const Vector<Real>& x) const {
    Symmetric<Real> k{};
    plus.add(k, x, least), minus.add(k, x, least);
    return k;
  }
  // 1 + m₊/2r₊ + m₋/2r₋
  CEREUS_KERNEL Real singular(const Vector<Real>& x) const {
    return 1 + plus.bare / (2 * plus.distance(x, least)) + minus.bare / (2 * minus.distance(x, least));
  }
};
}  // namespace TwoPunctures
