// The two passes of a reduction. Both return integers, so that no order of combination changes a bit: the first finds
// the extreme values; the second, which then knows how large values are, finds where they lie and sums in fixed point.
#pragma once
#include <cereus/kernel.hpp>
namespace Reduce {
using namespace cereus;

template <class F> struct One { F v; };

// What is reduced: the value, of a complex number its modulus; in double precision whatever the variable's type.
template <class Real> CEREUS_KERNEL double measure(Real x) { return static_cast<double>(x); }
template <class Real> CEREUS_KERNEL double measure(complex<Real> z) {
  const double a = cereus::fabs(static_cast<double>(z.re)), b = cereus::fabs(static_cast<double>(z.im));
  const double large = a < b ? b : a, small = a < b ? a : b;
  if (!(large > 0) || large > 1.7976931348623157e308) return a + b;  // 0, infinity, not-a-number
  const double ratio = small / large;                                // squares of large numbers would overflow
  return large * cereus::sqrt(1 + ratio * ratio);
}

// Doubles as integers of the same order; not-a-number lies beyond the infinities, −0 below +0.
CEREUS_KERNEL constexpr long long key_of(double x) {
  const long long bits = __builtin_bit_cast(long long, x);
  return bits < 0 ? bits ^ 0x7fffffffffffffffLL : bits;
}
CEREUS_KERNEL constexpr double value_of(long long key) {
  return __builtin_bit_cast(double, key < 0 ? key ^ 0x7fffffffffffffffLL : key);
}
inline constexpr long long key_of_infinity = 0x7ff0000000000000LL, key_of_minus_infinity = ~key_of_infinity;

struct Extremes {  // keys
  long long smallest, largest;
  static CEREUS_KERNEL constexpr Extremes identity() { return {0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1}; }
  CEREUS_KERNEL constexpr void combine(Extremes b) {
    smallest = b.smallest < smallest ? b.smallest : smallest;
    largest = b.largest > largest ? b.largest : largest;
  }
  CEREUS_KERNEL constexpr bool has_nan() const { return smallest < key_of_minus_infinity || largest > key_of_infinity; }
};

template <int dim, class Real> struct FindExtremes {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> f;
  CEREUS_KERNEL Extremes operator()(const auto& p) const {
    const long long key = key_of(measure(p(f.v)));
    return {key, key};
  }
};

// A sum of terms of [-1, 1], each rounded to a multiple of 2⁻⁶⁰ and split in two integers; 2³³ terms fit. Sum of
// the flesh needs no scale, but takes three pieces of each term.
struct FixedSum {
  long long high, low;
  static CEREUS_KERNEL constexpr FixedSum identity() { return {0, 0}; }
  static CEREUS_KERNEL constexpr FixedSum of(double term) {
    const double scaled = term * 1073741824.0;  // 2³⁰
    const int whole = static_cast<int>(scaled);
    return {whole, static_cast<int>((scaled - whole) * 1073741824.0)};
  }
  CEREUS_KERNEL constexpr void combine(FixedSum b) {
    high += b.high;
    low += b.low;
  }
  CEREUS_KERNEL constexpr double value() const {
    return (static_cast<double>(high) + static_cast<double>(low) / 1073741824.0) / 1073741824.0;
  }
};

struct Moments {
  long long at_low, at_high;  // number of the first point with key ≤ low, with key ≥ high
  FixedSum sum, absolute, squares;
  static CEREUS_KERNEL constexpr Moments identity() {
    return {0x7fffffffffffffffLL, 0x7fffffffffffffffLL, {0, 0}, {0, 0}, {0, 0}};
  }
  CEREUS_KERNEL constexpr void combine(const Moments& b) {
    at_low = b.at_low < at_low ? b.at_low : at_low;
    at_high = b.at_high < at_high ? b.at_high : at_high;
    sum.combine(b.sum);
    absolute.combine(b.absolute);
    squares.combine(b.squares);
  }
};

// What the second pass must know. Points are numbered over the whole level, x fastest.
struct Terms {
  long long low, high;  // keys to look for
  double root_scale;    // scale is its square: as one number it might not be finite
  int first[3];         // global index of the level's first point
  long long stride[3];  // of the numbers
  int lower_face[3],
      upper_face[3];  // indices that count half: vertices on an outer boundary; −2³¹ where there are none
  int every[3];       // so do those that are so many, or some times as many, above lower_face; 0: no others
  double inv_every[3];
  double part[3];  // on stretched axes: one over the largest distance of points
  // On a shell part[0] is one over its largest radius, squared, and part[2] over the distance of radii; half the width
  // of the cube that it surrounds.
  double cube;
};

// What a point of a shell counts beside the volume of its cell, `q` points outside of the cube's surface along the
// radius: the trapezoidal rule from there on, where the value is interpolated.
CEREUS_KERNEL double outside_cube(double q) {
  return q <= -1 ? 0 : q <= 0 ? 0.5 * (q + 1) * (q + 1) : q <= 1 ? 0.5 * (q * (2 - q) + 1) : 1;
}
CEREUS_KERNEL double weight_on(const OnShell& at, const double (&part)[3], double cube) {
  return at.volume() * part[0] * outside_cube((at.r - cube * at.d()) * part[2]);
}

template <int dim, class Real> struct SumMoments {
  static constexpr bool maps = true;
  Read<One, pointwise, Real> f;
  Terms terms;

  // 1 where the point lies on an outer face of this axis. Integers and masks throughout: conditions on floating-point
  // numbers become branches, and the loop no longer vectorises.
  CEREUS_KERNEL long long halves(const auto& p, int axis) const {
    const int i = p.index(axis),
              times = static_cast<int>((i - terms.first[axis] + 0.5) * terms.inv_every[axis]) * terms.every[axis];
    return (i - times == terms.lower_face[axis]) | (i == terms.upper_face[axis]);
  }
  template <class P> CEREUS_KERNEL Moments operator()(const P& p) const {
    const double v = measure(p(f.v));
    const long long key = key_of(v);
    long long half = halves(p, 0), number = p.index(0) - terms.first[0];
    if constexpr (dim > 1) half += halves(p, 1), number += (p.index(1) - terms.first[1]) * terms.stride[1];
    if constexpr (dim > 2) half += halves(p, 2), number += (p.index(2) - terms.first[2]) * terms.stride[2];
    double w = __builtin_bit_cast(double, (1023 - half) << 52);  // 2^−half
    if constexpr (on_shell<P>()) w *= weight_on(p.shell(), terms.part, terms.cube);
    else if constexpr (on_stretched_axes<P>())
      for (int d = 0; d < dim; ++d) w *= terms.part[d] / p.inv_dx(d);
    // What is not finite adds nothing: what it makes of the sums is known from the first pass.
    const long long finite = -static_cast<long long>((key > key_of_minus_infinity) & (key < key_of_infinity));
    const double r =
        __builtin_bit_cast(double, __builtin_bit_cast(long long, v) & finite) * terms.root_scale * terms.root_scale;
    constexpr long long nowhere = 0x7fffffffffffffffLL;
    const long long not_low = -static_cast<long long>(key > terms.low),
                    not_high = -static_cast<long long>(key < terms.high);
    return {number | (not_low & nowhere), number | (not_high & nowhere), FixedSum::of(w * r),
        FixedSum::of(w * cereus::fabs(r)), FixedSum::of(w * r * r)};
  }
};
}  // namespace Reduce
