// What a kernel may return: a value per point that the owner of the loop combines over all points.
// Combination must not depend on the order, so that no decomposition changes the bits: sums are of integers.
#pragma once
#include "math.hpp"
namespace cereus {
// The extremes keep not-a-number: one such term is enough, wherever it comes.
template <class Real> struct Max {
  Real value;
  static CEREUS_KERNEL constexpr Max identity() { return {Real(-__builtin_huge_val())}; }
  CEREUS_KERNEL constexpr void combine(Max b) { value = b.value <= value || value != value ? value : b.value; }
};
template <class Real> struct Min {
  Real value;
  static CEREUS_KERNEL constexpr Min identity() { return {Real(__builtin_huge_val())}; }
  CEREUS_KERNEL constexpr void combine(Min b) { value = value <= b.value || value != value ? value : b.value; }
};
struct Count {
  long long value;
  static CEREUS_KERNEL constexpr Count identity() { return {0}; }
  CEREUS_KERNEL constexpr void combine(Count b) { value += b.value; }
};
// A sum of numbers of any size. Each is cut at the multiples of 2²⁴, and the pieces are added as integers in the four
// highest places of all terms. What is left out of a term is less than 2⁻⁷² of the largest, whatever the order. 2³⁹
// terms fit; with an infinite one among them the sum is NaN.
struct Sum {
  int top = -1;  // the highest place; place 0 begins with the smallest double, 2⁻¹⁰⁷⁴; or `whole`
  bool finite = true;
  long long place[4] = {};  // from the highest down
  double term = 0;
  static constexpr int whole = -2;  // there is one term, not yet cut

  static CEREUS_KERNEL constexpr Sum identity() { return {}; }
  constexpr Sum() = default;
  CEREUS_KERNEL constexpr Sum(double x) : top(whole), term(x) {}
  constexpr void operator+=(double x) { combine(x); }
  CEREUS_KERNEL constexpr void combine(const Sum& b) {
    const int e = exponent_of(b.term);
    if ((top < 3) | (b.top != whole) | (e == 0x7ff) | ((e + 51) / 24 > top)) {  // one branch
      *this = merged(*this, b);
      return;
    }
    // As cut() would, by arithmetic: a fraction of its time.
    double left = b.term * __builtin_bit_cast(double, (1023LL + 1074 - 24 * top) << 52);
    for (long long& p : place) {
      const auto piece = static_cast<long long>(left);
      p += piece;
      left = (left - static_cast<double>(piece)) * 16777216.0;
    }
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
  static CEREUS_KERNEL constexpr int exponent_of(double x) {
    return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 52 & 0x7ff);
  }
  // Indices are constants, here and below: else a device keeps the places in memory.
  static CEREUS_KERNEL constexpr Sum cut(double term) {
    Sum s;
    const auto bits = __builtin_bit_cast(unsigned long long, term);
    const int exponent = exponent_of(term), low = exponent > 0 ? exponent - 1 : 0;
    const unsigned long long mantissa = (bits & 0xfffffffffffffULL) | (exponent > 0 ? 1ULL << 52 : 0);
    const int shift = low % 24,
              high = shift > 19 && mantissa >> (72 - shift) ? 3 : 2;  // the piece with the leading bit
    s.top = low / 24 + high, s.finite = exponent < 0x7ff;
    for (int n = 0; n < 4; ++n) {
      const int from = 24 * (high - n) - shift;
      const unsigned long long piece = from <= -24 ? 0 : from < 0 ? mantissa << -from : mantissa >> from;
      s.place[n] = static_cast<long long>(piece & 0xffffff) * (bits >> 63 ? -1 : 1);
    }
    return s;
  }
  CEREUS_KERNEL constexpr void lower(int by) {  // by so many places
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
    a.top = top;
    return a;
  }
};
}  // namespace cereus
