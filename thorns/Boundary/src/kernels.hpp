// What is written at one point of an outer boundary: a constant, a mirror image, a polynomial continued outwards, or,
// on a right-hand side, the rate of change of an outgoing wave. Where the face lies is known only at run time, so all
// of them gather.
#pragma once
#include <cereus/kernel.hpp>
namespace Boundary {
using namespace cereus;

template <class F> struct One { F v; };     // whichever variable is at hand
template <class F> struct OneRhs { F v; };  // and its right-hand side

template <class P, class V> CEREUS_KERNEL auto gather_along(const P& p, V v, int axis, int n) {
  return gather(p, v, axis == 0 ? n : 0, axis == 1 ? n : 0, axis == 2 ? n : 0);
}

template <int dim, class T> struct Fill {
  Write<One, boundary, T> to;
  T value;
  CEREUS_KERNEL void operator()(auto& p) const { p(to.v) = value; }
};

template <class F> struct Other { F v; };  // another buffer of it
template <int dim, class T> struct Keep {
  Read<Other, pointwise, T> from;
  Write<One, boundary, T> to;
  CEREUS_KERNEL void operator()(auto& p) const { p(to.v) = p(from.v); }
};

// u(i) = sign · u(mirror − i) + shift, with indices along the axis.
template <int dim, class T> struct Mirror {
  Modify<One, boundary, T> to;
  int axis, mirror;
  real_of_t<T> sign;
  bool shifted;  // not just shift ≠ 0: adding 0 would turn −0 into 0, and a mirror image has the same bits
  T shift;
  CEREUS_KERNEL void operator()(auto& p) const {
    const T image = sign * gather_along(p, to.v, axis, mirror - 2 * p.index(axis));
    p(to.v) = shifted ? image + shift : image;
  }
};

// The weight of the j-th interior point in the polynomial through points 0 … order, m points outside of point 0:
// Lagrange's Π_{i≠j} (m + i) / (i − j), which is an integer.
CEREUS_KERNEL constexpr int extrapolation_weight(int order, int m, int j) {
  int numerator = 1, denominator = 1;
  for (int i = 0; i <= order; ++i)
    if (i != j) numerator *= m + i, denominator *= i - j;
  return numerator / denominator;
}

template <int dim, class T> struct Extrapolate {
  Modify<One, boundary, T> to;
  int axis, first, inward, order;  // first: the outermost interior point; inward: +1 at a lower face, −1 at an upper
  CEREUS_KERNEL void operator()(auto& p) const {
    const int away = first - p.index(axis);
    T sum{};
    for (int j = 0; j <= order; ++j)
      sum +=
          real_of_t<T>(extrapolation_weight(order, inward * away, j)) * gather_along(p, to.v, axis, away + inward * j);
    p(to.v) = sum;
  }
};

struct Outward {
  int n[3];
};  // per axis: −1 at a radiating lower face, +1 at an upper one, 0 elsewhere

// NewRad: the right-hand side of an outgoing wave u = u₀ + f(r − v t) / r^((dim−1)/2), plus what is not wave-like one
// point inwards, which is taken to fall off as r^−power. See README.md.
template <int dim, class T> struct Radiate {
  using Real = real_of_t<T>;
  Read<One, box<2>, T> s;
  Modify<OneRhs, interior, T> r;
  Outward out;
  T value;
  Real speed;
  int power;
  // ∂u/∂x_axis to second order, `in` points inwards: one-sided across the face where there is no neighbour, else
  // centred.
  CEREUS_KERNEL T slope(const auto& p, int axis, int in) const {
    const auto u = [&](int n) __attribute__((always_inline)) {
      return gather(p, s.v, -in * out.n[0] + (axis == 0 ? n : 0), -in * out.n[1] + (axis == 1 ? n : 0),
          -in * out.n[2] + (axis == 2 ? n : 0));
    };
    const Real half = Real(0.5) * Real(p.inv_h(axis));
    const int n = in == 0 ? out.n[axis] : 0;
    if (n == 0) return half * (u(1) - u(-1));
    return (Real(n) * half) * (Real(3) * u(0) - Real(4) * u(-n) + u(-2 * n));
  }
  // vⁱ ∂ᵢu + (dim−1)/2 · v (u − u₀) / r, and the radius where that is.
  CEREUS_KERNEL T outgoing(const auto& p, int in, Real& radius) const {
    const double x[3] = {p.x() - in * out.n[0] * p.h(0), dim > 1 ? p.y() - in * out.n[1] * p.h(1) : 0,
        dim > 2 ? p.z() - in * out.n[2] * p.h(2) : 0};
    radius = Real(cereus::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    const Real v = speed / radius;
    T sum = (Real(0.5 * (dim - 1)) * v) * (gather(p, s.v, -in * out.n[0], -in * out.n[1], -in * out.n[2]) - value);
    for (int d = 0; d < dim; ++d) sum += (v * Real(x[d])) * slope(p, d, in);
    return sum;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    Real here, inner;
    T rate = Real(-1) * outgoing(p, 0, here);
    if (power > 0) {
      const T rest = outgoing(p, 1, inner) + gather(p, r.v, -out.n[0], -out.n[1], -out.n[2]);
      Real falloff = 1;
      for (int n = 0; n < power; ++n) falloff *= inner / here;
      rate += falloff * rest;
    }
    p(r.v) = rate;
  }
};
}  // namespace Boundary
