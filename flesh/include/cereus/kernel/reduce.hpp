// What a kernel may return: a value per point that the owner of the loop combines over all points.
// Combination must not depend on the order, so that no decomposition changes the bits: sums are of integers.
#pragma once
#include "math.hpp"
namespace cereus {
namespace detail {
inline constexpr double infinite = __builtin_bit_cast(double, 0x7ff0000000000000LL);  // NVRTC has no __builtin_huge_val
}
// The extremes keep not-a-number: one such term is enough, wherever it comes.
template <class Real> struct Max {
  Real value;
  static CEREUS_KERNEL constexpr Max identity() { return {Real(-detail::infinite)}; }
  CEREUS_KERNEL constexpr void combine(Max b) { value = b.value <= value || value != value ? value : b.value; }
};
template <class Real> struct Min {
  Real value;
  static CEREUS_KERNEL constexpr Min identity() { return {Real(detail::infinite)}; }
  CEREUS_KERNEL constexpr void combine(Min b) { value = value <= b.value || value != value ? value : b.value; }
};
struct Count {
  long long value;
  static CEREUS_KERNEL constexpr Count identity() { return {0}; }
  CEREUS_KERNEL constexpr void combine(Count b) { value += b.value; }
};
// A sum of numbers of any size. Each is cut at the multiples of 2²⁴, each piece the nearest whole number, and the
// pieces are added as integers in the four highest places of all terms. What is left out of a term is less than 2⁻⁷² of
// the largest, whatever the order. 2³⁹ terms fit; with an infinite one among them the sum is NaN.
struct Sum {
  int top = -1;  // the highest place; place 0 begins with the smallest double, 2⁻¹⁰⁷⁴; or `whole`
  bool finite = true;
  long long place[4] = {};  // from the highest down
  double term = 0;
  double limit = 0;                 // terms smaller than this fit the places; 0: none does
  static constexpr int whole = -2;  // there is one term, not yet cut

  static CEREUS_KERNEL constexpr Sum identity() { return {}; }
  constexpr Sum() = default;
  CEREUS_KERNEL constexpr Sum(double x) : top(whole), term(x) {}
  constexpr void operator+=(double x) { combine(x); }
  CEREUS_KERNEL constexpr void combine(const Sum& b) {
    if (b.top == whole && size(b.term) < limit) add(b.term);
    else *this = merged(*this, b);
  }
  CEREUS_KERNEL constexpr double value() const {
    Sum s = top == whole ? cut(term) : *this;
    if (!s.finite) return __builtin_bit_cast(double, 0x7ff8000000000000LL);
    auto& carried = s.place;
    double sum = 0;
    for (int n = 3; n > 0; --n) carried[n - 1] += carried[n] >> 24, carried[n] &= 0xffffff;
    for (long long c : carried) sum = sum * 16777216.0 + static_cast<double>(c);
    const long long power = 24LL * (s.top - 3) - 1074, half = power / 2;  // 2^power may be no double
    return sum * __builtin_bit_cast(double, (1023 + half) << 52) *
           __builtin_bit_cast(double, (1023 + power - half) << 52);
  }

 private:
  static constexpr int lowest = 3, highest = 85;  // with these highest places add() computes with normal doubles
  static CEREUS_KERNEL constexpr double size(double x) { return x < 0 ? -x : x; }
  static CEREUS_KERNEL constexpr double power_of_two(int n) { return __builtin_bit_cast(double, (1023LL + n) << 52); }
  CEREUS_KERNEL constexpr void set_limit() {
    limit = top >= lowest && top <= highest && finite ? power_of_two(24 * (top + 1) - 1074) : 0;
  }
  // A sum that nvcc does not contract: a term that is a product would come in before it is rounded, and merged() takes
  // it rounded.
  static CEREUS_KERNEL constexpr double plus(double a, double b) {
#ifdef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated()) return __dadd_rn(a, b);
#endif
    return a + b;
  }
  // A number that has whole multiples of 2ⁿ alone around it rounds what is added to it to one. Ties go to an even one,
  // so that pieces from a higher place on are those from a lower one, and zeros.
  CEREUS_KERNEL constexpr void add(double left) {
    auto coarse = __builtin_bit_cast(long long, limit) + (28LL << 52 | 1LL << 51);  // 1.5 · 2⁵² of the highest place
    for (long long& p : place) {
      const auto around = __builtin_bit_cast(double, coarse), sum = plus(left, around);
      p += __builtin_bit_cast(long long, sum) - coarse;
      left = plus(left, around - sum);
      coarse -= 24LL << 52;
    }
  }
  static CEREUS_KERNEL constexpr Sum cut(double term) {
    const int exponent = static_cast<int>(__builtin_bit_cast(unsigned long long, term) >> 52 & 0x7ff);
    const int top = (exponent + 51) / 24 < lowest ? lowest : (exponent + 51) / 24, far = top > highest ? 40 : 0;
    Sum s;
    s.top = top - far, s.finite = exponent < 0x7ff;
    s.set_limit();
    if (s.finite) s.add(far ? term * power_of_two(-24 * 40) : term);
    s.top = top, s.set_limit();
    return s;
  }
  // By so many places. Indices are constants: else a device keeps the places in memory.
  CEREUS_KERNEL constexpr void lower(int by) {
    for (int n = 0; n < 4; ++n)
      if (n < by) place[3] = place[2], place[2] = place[1], place[1] = place[0], place[0] = 0;
  }
  CEREUS_RARE static constexpr Sum merged(Sum a, Sum b) {
    if (a.top == whole) a = cut(a.term);
    if (b.top == whole) b = cut(b.term);
    a.finite = a.finite && b.finite;
    const int top = a.top < b.top ? b.top : a.top;
    a.lower(top - a.top), b.lower(top - b.top);
    for (int n = 0; n < 4; ++n) a.place[n] += b.place[n];
    a.top = top, a.set_limit();
    return a;
  }
};
}  // namespace cereus
