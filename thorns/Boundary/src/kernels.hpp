// What is written at one point of an outer boundary: a constant, a mirror image, a polynomial continued outwards, or,
// on a right-hand side, the rate of change of an outgoing wave. Where the face lies is known only at run time, so all
// of them gather.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/steps.hpp>
namespace Boundary {
using namespace cereus;

inline constexpr int together = 24;                    // variables of one launch, at most
template <class F> struct Some { F v[together]; };     // the variables of a launch; of fewer the last one repeats
template <class F> struct SomeRhs { F v[together]; };  // and their right-hand sides
template <class F> struct One { F v; };
inline constexpr int in_formula = 8;
template <class F> struct OfGroup { F v[in_formula]; };  // the variables of a group

// Kernels that treat several variables alike have a function by_groups<many>() for some of them: so many are read
// before one of them is written. On a device, where a thread would wait for each, a thread has a group of `at_once`
// (see AcceleratorCUDA/loop/block.hpp); on the host, one that goes through all, one by one.

template <class P, class V> CEREUS_KERNEL auto gather_along(const P& p, V v, int axis, int n) {
  return gather(p, v, axis == 0 ? n : 0, axis == 1 ? n : 0, axis == 2 ? n : 0);
}

// What the kernels at faces across an axis know of it: the outermost interior points, and what each variable has there.
template <class T> struct Across {
  int axis, first, last, count;  // the indices of these points; so many variables
  T value[together][2];          // by side
};

template <int dim, class T> struct Fill {
  static constexpr bool stretches = false;
  static constexpr int at_once = 8;
  Modify<Some, boundary, T> to;
  Across<T> face;
  CEREUS_KERNEL int picks() const { return face.count; }
  CEREUS_KERNEL void operator()(auto& p) const { by_groups<1>(p, 0, face.count); }
  template <int many> CEREUS_KERNEL void by_groups(auto& p, int begin, int end) const {
    const bool upper = p.index(face.axis) >= face.last;
    for (int n = begin; n < end; ++n) p(to.v[n]) = upper ? face.value[n][1] : face.value[n][0];
  }
};

template <class F> struct Other { F v; };  // another buffer of it
template <int dim, class T> struct Keep {
  static constexpr bool stretches = false;
  Read<Other, pointwise, T> from;
  Write<One, boundary, T> to;
  CEREUS_KERNEL void operator()(auto& p) const { p(to.v) = p(from.v); }
};

template <class Real> struct Signs { Real of[together]; };
// u(i) = sign · u(mirror − i) + value, with indices along the axis.
template <int dim, class T> struct Mirror {
  static constexpr bool stretches = false;
  static constexpr int at_once = 8;
  Modify<Some, boundary, T> to;
  Across<T> face;
  int low, high;  // the sum of the indices of a point and its image, by side
  Signs<real_of_t<T>> sign;
  bool shifted;  // not just value ≠ 0: adding 0 would turn −0 into 0, and a mirror image has the same bits
  CEREUS_KERNEL int picks() const { return face.count; }
  CEREUS_KERNEL void operator()(auto& p) const { by_groups<1>(p, 0, face.count); }
  template <int many> CEREUS_KERNEL void by_groups(auto& p, int begin, int end) const {
    const bool upper = p.index(face.axis) >= face.last;
    const int to_image = (upper ? high : low) - 2 * p.index(face.axis);
    for (int first = begin; first < end; first += many) {
      T image[many];
      for (int n = 0; n < many; ++n) {
        const int v = min(first + n, end - 1);
        image[n] = sign.of[v] * gather_along(p, to.v[v], face.axis, to_image);
      }
      for (int n = 0; n < many && first + n < end; ++n) {
        const auto& value = face.value[first + n];
        p(to.v[first + n]) = shifted ? image[n] + (upper ? value[1] : value[0]) : image[n];
      }
    }
  }
};

// A formula of x, y, z, t, and of what all variables of a group are at the mirror image of the point. On a face, with
// a formula that is g − u, u = g/2 holds.
template <int dim, class T> struct FillFormula {
  static constexpr int places = 4;
  static constexpr bool record = false;
  Modify<OfGroup, boundary, T> to;
  Steps steps;
  int axis, image, target;  // the sum of the indices of a point and its image; which variable is set
  bool on_face;
  CEREUS_KERNEL void operator()(auto& p) const {
    T values[places + in_formula] = {T(p.x()), T(p.y()), T(p.z()), T(p.time())};
    for (int n = 0; n < in_formula; ++n) values[places + n] = gather_along(p, to.v[n], axis, image - 2 * p.index(axis));
    for (int n = 0; n < in_formula; ++n)
      if (on_face && n == target) values[places + n] = 0;
    const T result = (on_face ? T(0.5) : T(1)) * run(steps, values, p);
    for (int n = 0; n < in_formula; ++n)
      if (n == target) p(to.v[n]) = result;
  }
};

inline constexpr int most_order = 4;
// The weight of the j-th interior point in the polynomial through points 0 … order, m points outside of point 0:
// Lagrange's Π_{i≠j} (m + i) / (i − j), which is an integer.
CEREUS_KERNEL constexpr int extrapolation_weight(int order, int m, int j) {
  int numerator = 1, denominator = 1;
  for (int i = 0; i <= order; ++i)
    if (i != j) numerator *= m + i, denominator *= i - j;
  return numerator / denominator;
}

template <class Real> struct Weights {
  static constexpr int layers = 8;  // integers are slow to divide: farther out that is done at each point
  Real of[layers][most_order + 1];
};

template <int dim, class T> struct Extrapolate {
  static constexpr bool stretches = false;
  static constexpr int at_once = 4;
  Modify<Some, boundary, T> to;
  Across<T> face;
  int order;
  Weights<real_of_t<T>> weights;
  CEREUS_KERNEL int picks() const { return face.count; }
  CEREUS_KERNEL void operator()(auto& p) const { by_groups<1>(p, 0, face.count); }
  template <int many> CEREUS_KERNEL void by_groups(auto& p, int begin, int end) const {
    const int inward = p.index(face.axis) > face.last ? -1 : 1;
    const int away = (inward < 0 ? face.last : face.first) - p.index(face.axis);
    const int m = inward * away;
    for (int first = begin; first < end; first += many) {
      T sum[many] = {};
      for (int j = 0; j <= order; ++j) {
        const auto weight =
            m <= weights.layers ? weights.of[m - 1][j] : real_of_t<T>(extrapolation_weight(order, m, j));
        for (int n = 0; n < many; ++n)
          sum[n] += weight * gather_along(p, to.v[min(first + n, end - 1)], face.axis, away + inward * j);
      }
      for (int n = 0; n < many && first + n < end; ++n) p(to.v[first + n]) = sum[n];
    }
  }
};

template <class T> struct Waves {
  static constexpr int nowhere = -(1 << 30);
  int first[3], last[3];  // the outermost points of faces that radiate, by axis; else nowhere
  real_of_t<T> speed[together][2];
};
struct Outward {
  int n[3];
};  // per axis: −1 at a radiating lower face, +1 at an upper one, 0 elsewhere
// NewRad: the right-hand side of an outgoing wave u = u₀ + f(r − v t) / r^((dim−1)/2), plus what is not wave-like one
// point inwards, which is taken to fall off as r^−power. See README.md.
// A launch takes the faces across one axis. A point on an edge or a corner belongs to the first of its axes. On a shell
// the wave leaves along its radius alone.
template <int dim, class T> struct Radiate {
  static constexpr bool maps = same_type<real_of_t<T>, double>;
  static constexpr int at_once = 2;
  using Real = real_of_t<T>;
  Read<Some, box<2>, T> s;
  Modify<SomeRhs, interior, T> r;
  Across<T> face;
  Waves<T> waves;
  int power;
  CEREUS_KERNEL Outward outward(const auto& p) const {
    Outward out{};
    for (int d = 0; d < dim; ++d) out.n[d] = (p.index(d) == waves.last[d]) - (p.index(d) == waves.first[d]);
    return out;
  }
  // ∂u/∂x_axis to second order, `in` points inwards: one-sided across the face where there is no neighbour, else
  // centred.
  template <class V> CEREUS_KERNEL T slope(const auto& p, V v, const Outward& out, int axis, int in) const {
    const auto u = [&](int n) __attribute__((always_inline)) {
      return gather(p, v, -in * out.n[0] + (axis == 0 ? n : 0), -in * out.n[1] + (axis == 1 ? n : 0),
          -in * out.n[2] + (axis == 2 ? n : 0));
    };
    const Real half = Real(0.5) * Real(inverse_distance(p, axis, -in * out.n[axis]));
    const int n = in == 0 ? out.n[axis] : 0;
    const bool centred = n == 0;  // no branch around what is read: of all variables it comes at once
    const T here = u(centred ? 1 : 0), next = u(centred ? -1 : -n), last = u(centred ? -1 : -2 * n);
    return centred ? half * (here - next) : (Real(n) * half) * (Real(3) * here - Real(4) * next + last);
  }
  template <class P> CEREUS_KERNEL static double inverse_distance(const P& p, int axis, int ahead) {
    if constexpr (on_shell<P>()) return p.inv_h(axis);
    else return p.inv_dx(axis, ahead);
  }
  // vⁱ ∂ᵢu + (dim−1)/2 · v (u − u₀) / r at a point `in` points inwards, which lies at x.
  template <class V>
  CEREUS_KERNEL T outgoing(
      const auto& p, V u, const Outward& out, int in, const double (&x)[3], Real radius, Real fast, T far) const {
    const Real v = quotient(fast, radius);
    T sum = (Real(0.5 * (dim - 1)) * v) * (gather(p, u, -in * out.n[0], -in * out.n[1], -in * out.n[2]) - far);
    for (int d = first_axis(p); d < dim; ++d) sum += (v * Real(x[d])) * slope(p, u, out, d, in);
    return sum;
  }
  template <class P> CEREUS_KERNEL static int first_axis(const P&) { return on_shell<P>() ? 2 : 0; }
  // Where the point `in` points inwards is; on a shell, along its radius.
  template <class P> CEREUS_KERNEL static void place(const P& p, const Outward& out, int in, double (&x)[3]) {
    if constexpr (on_shell<P>()) x[0] = x[1] = 0, x[2] = p.shell().r - in * out.n[2] * p.h(2);
    else
      for (int d = 0; d < 3; ++d) x[d] = d < dim ? p.coordinate(d, -in * out.n[d]) : 0;
  }
  CEREUS_KERNEL int picks() const { return face.count; }
  CEREUS_KERNEL void operator()(auto& p) const { by_groups<1>(p, 0, face.count); }
  template <int many> CEREUS_KERNEL void by_groups(auto& p, int begin, int end) const {
    const Outward out = outward(p);
    double x[2][3];
    Real radius[2];
    for (int in = 0; in < 2; ++in) {
      place(p, out, in, x[in]);
      radius[in] = Real(cereus::sqrt(x[in][0] * x[in][0] + x[in][1] * x[in][1] + x[in][2] * x[in][2]));
    }
    const Real nearer = radius[1] / radius[0];
    Real falloff = 1;
    for (int n = 0; n < power; ++n) falloff *= nearer;
    for (int first = begin; first < end; first += many) {
      T rate[many];
      for (int n = 0; n < many; ++n) rate[n] = rate_of(p, min(first + n, end - 1), out, x, radius, falloff);
      for (int n = 0; n < many && first + n < end; ++n) p(r.v[first + n]) = rate[n];
    }
  }
  CEREUS_KERNEL T rate_of(
      const auto& p, int n, const Outward& out, const double (&x)[2][3], const Real (&radius)[2], Real falloff) const {
    const bool upper = (face.axis == 0 ? out.n[0] : face.axis == 1 ? out.n[1] : out.n[2]) > 0;
    const Real fast = upper ? waves.speed[n][1] : waves.speed[n][0];
    const T far = upper ? face.value[n][1] : face.value[n][0];
    T rate = Real(-1) * outgoing(p, s.v[n], out, 0, x[0], radius[0], fast, far);
    if (power > 0)
      rate += falloff * (outgoing(p, s.v[n], out, 1, x[1], radius[1], fast, far) +
                            gather(p, r.v[n], -out.n[0], -out.n[1], -out.n[2]));
    return rate;
  }
};
}  // namespace Boundary
