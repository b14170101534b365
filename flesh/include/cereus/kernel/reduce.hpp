// What a kernel may return: a value per point that the owner of the loop combines over all points.
// Combination must not depend on the order, so that no decomposition changes the bits; hence there is no plain sum of
// floating-point numbers: ExactSum rounds each term to a fixed grid (bound × 2⁻⁶²) and adds integers.
#pragma once
#include "math.hpp"
namespace cereus {
template <class Real> struct Max {
  Real value;
  static CEREUS_KERNEL constexpr Max identity() { return {Real(-__builtin_huge_val())}; }
  CEREUS_KERNEL constexpr void combine(Max b) { value = value < b.value ? b.value : value; }
};
template <class Real> struct Min {
  Real value;
  static CEREUS_KERNEL constexpr Min identity() { return {Real(__builtin_huge_val())}; }
  CEREUS_KERNEL constexpr void combine(Min b) { value = b.value < value ? b.value : value; }
};
struct Count {
  long long value;
  static CEREUS_KERNEL constexpr Count identity() { return {0}; }
  CEREUS_KERNEL constexpr void combine(Count b) { value += b.value; }
};
struct ExactSum {
  long long high, low;  // units of bound·2⁻⁶²: value = (high·2³² + low)·unit, low keeps 2³¹ terms without overflow
  static CEREUS_KERNEL constexpr ExactSum identity() { return {0, 0}; }
  // term / bound must lie in [-1, 1]; inverse_bound is 1/bound (a power of two keeps the rounding exact).
  static CEREUS_KERNEL ExactSum of(double term, double inverse_bound) {
    const long long q = static_cast<long long>(term * inverse_bound * 4611686018427387904.0);
    return {q >> 32, q & 0xffffffffLL};
  }
  CEREUS_KERNEL constexpr void combine(ExactSum b) {
    high += b.high;
    low += b.low;
    high += low >> 32;
    low &= 0xffffffffLL;
  }
  CEREUS_KERNEL constexpr double value(double bound) const {
    return (static_cast<double>(high) * 4294967296.0 + static_cast<double>(low)) * (bound / 4611686018427387904.0);
  }
};
}  // namespace cereus
