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
// A sum of numbers of any size. Each is cut at the multiples of 2⁴⁰, each piece the nearest whole number, and pieces of
// a place are added without rounding: as doubles while these have room, then as integers. The three highest places of
// all terms stay. What is left out of a term is at most 2⁻⁸⁰ of the largest, whatever the order. 2³⁹ terms fit; with
// an infinite one among them the sum is NaN.
struct Sum {
  int top = -1;   // the highest place; place 0 begins with the smallest double, 2⁻¹⁰⁷⁴; or `whole`
  int added = 0;  // terms since pieces were carried last, at most
  bool finite = true;
  double piece[3] = {};             // of places from the highest down, in units of the lowest; or the one term
  long long carried[3] = {};        // what pieces had no room for, in units of 2⁴⁰ in that place
  double limit = 0;                 // terms smaller than this are added at once; 0: none is
  static constexpr int whole = -2;  // there is one term, not yet cut

  static CEREUS_KERNEL constexpr Sum identity() { return {}; }
  constexpr Sum() = default;
  CEREUS_KERNEL constexpr Sum(double x) : top(whole), piece{x} {}
  constexpr void operator+=(double x) { combine(x); }
  CEREUS_KERNEL constexpr void combine(const Sum& b) {
    if (b.top == top && b.top != whole && added + b.added < room) add_pieces(b);
    else if (b.top != whole) *this = merged(*this, b);
    else if (const double term = b.piece[0]; size(term) < limit && added < room) ++added, add(term * scale());
    else *this = merged(*this, cut(term));
  }
  CEREUS_KERNEL constexpr double value() const {
    Sum s = top == whole ? cut(piece[0]) : *this;
    if (!s.finite) return __builtin_bit_cast(double, 0x7ff8000000000000LL);
    s.carry();
    const long long low = s.count(2), middle = s.count(1) + s.carried[2] + (low >> 40),
                    high = s.count(0) + s.carried[1] + (middle >> 40), above = s.carried[0] + (high >> 40);
    constexpr long long digits = (1LL << 40) - 1;
    const long long places[] = {high & digits, middle & digits, low & digits};
    double sum = static_cast<double>(above);
    for (const long long n : places) sum = sum * 0x1p40 + static_cast<double>(n);
    const int power = power_of(s.top), half = power / 2;  // 2^power may be no double
    return sum * power_of_two(half) * power_of_two(power - half);
  }

 private:
  static constexpr int room = 8000;               // so many pieces of 2³⁹, and twice as many, are exact in double
  static constexpr int lowest = 4, highest = 51;  // with these highest places scale() and `limit` are normal doubles
  static CEREUS_KERNEL constexpr double unit(int place) {  // in units of the lowest of the three
    return place == 0 ? 0x1p80 : place == 1 ? 0x1p40 : 1;
  }
  static CEREUS_KERNEL constexpr double size(double x) { return x < 0 ? -x : x; }
  static CEREUS_KERNEL constexpr double power_of_two(int n) { return __builtin_bit_cast(double, (1023LL + n) << 52); }
  static CEREUS_KERNEL constexpr int power_of(int top) { return 40 * (top - 2) - 1074; }  // of the lowest place
  CEREUS_KERNEL constexpr void set_limit() {
    limit = top >= lowest && top <= highest && finite ? power_of_two(power_of(top) + 119) : 0;
  }
  CEREUS_KERNEL constexpr double scale() const {  // one over the unit of the lowest place
    return __builtin_bit_cast(double, ((2 * 1023ULL + 119) << 52) - __builtin_bit_cast(unsigned long long, limit));
  }
  // The nearest whole number of units: where a number has whole multiples of a unit alone around it, the sum with it is
  // rounded to one. Ties go to an even one, so that pieces from a higher place on are those from a lower one, and
  // zeros.
  static CEREUS_KERNEL constexpr double rounded(double x, double of) {
    const double around = 0x1.8p52 * of;
    return (x + around) - around;
  }
  CEREUS_KERNEL constexpr void add(double left) {
    for (int n = 0; n < 3; ++n) {
      const double whole_number = rounded(left, unit(n));
      piece[n] += whole_number, left -= whole_number;
    }
  }
  // Of a sum with the same places. What carrying had left in its pieces takes the room of one more term.
  CEREUS_KERNEL constexpr void add_pieces(const Sum& b) {
    for (int n = 0; n < 3; ++n) piece[n] += b.piece[n], carried[n] += b.carried[n];
    added += b.added + 1, finite = finite && b.finite;
  }
  CEREUS_KERNEL constexpr void carry() {
    for (int n = 0; n < 3; ++n) {
      const double above = unit(n) * 0x1p40, over = rounded(piece[n], above);
      carried[n] += static_cast<long long>(over * (1 / above)), piece[n] -= over;
    }
    added = 0;
  }
  CEREUS_KERNEL constexpr long long count(int n) const { return static_cast<long long>(piece[n] * (1 / unit(n))); }
  CEREUS_RARE static constexpr Sum cut(double term) {
    const int exponent = static_cast<int>(__builtin_bit_cast(unsigned long long, term) >> 52 & 0x7ff);
    Sum s;
    s.top = (exponent + 52) / 40 < 2 ? 2 : (exponent + 52) / 40, s.finite = exponent < 0x7ff;
    const int power = -power_of(s.top), half = power / 2;
    if (s.finite) s.add(term * power_of_two(half) * power_of_two(power - half));
    return s;
  }
  // By so many places. Indices are constants: else a device keeps the places in memory.
  CEREUS_KERNEL constexpr void lower(int by) {
    for (int n = 0; n < 3; ++n)
      if (n < by) {
        piece[2] = piece[1] * 0x1p-40, piece[1] = piece[0] * 0x1p-40, piece[0] = 0;
        carried[2] = carried[1], carried[1] = carried[0], carried[0] = 0;
      }
  }
  CEREUS_RARE static constexpr Sum merged(Sum a, Sum b) {
    if (a.top == whole) a = cut(a.piece[0]);
    const int top = a.top < b.top ? b.top : a.top;
    a.lower(top - a.top), b.lower(top - b.top);
    a.add_pieces(b), a.top = top, a.carry(), a.set_limit();
    return a;
  }
};
}  // namespace cereus
