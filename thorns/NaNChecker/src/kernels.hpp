// Counts what is no finite number, or too large, and finds the first such point by its number on the level, x fastest.
#pragma once
#include <cereus/kernel.hpp>
namespace NaNChecker {
using namespace cereus;

template <class F> struct One { F v; };

// By bits, so that no compiler flag can think it away: 1 not-a-number, 2 infinite, 4 finite with a magnitude beyond the
// limit, 0 none of these.
CEREUS_KERNEL constexpr int kind_of(double x, double limit) {
  constexpr long long infinity = 0x7ff0000000000000LL;
  const long long bits = __builtin_bit_cast(long long, x) & 0x7fffffffffffffffLL;
  return (bits > infinity) + 2 * (bits == infinity) +
         4 * ((bits > __builtin_bit_cast(long long, limit)) & (bits < infinity));
}
CEREUS_KERNEL constexpr int kind_of(float x, double limit) { return kind_of(static_cast<double>(x), limit); }
template <class Real> CEREUS_KERNEL constexpr int kind_of(complex<Real> z, double limit) {
  const int either = kind_of(z.re, limit) | kind_of(z.im, limit);
  return (either & 1) ? 1 : (either & 2) ? 2 : either;
}

struct Bad {
  long long nans, infinities, beyond, first;
  static CEREUS_KERNEL constexpr Bad identity() { return {0, 0, 0, 0x7fffffffffffffffLL}; }
  CEREUS_KERNEL constexpr void combine(Bad b) {
    nans += b.nans;
    infinities += b.infinities;
    beyond += b.beyond;
    first = b.first < first ? b.first : first;
  }
};

struct Low {  // at or below a floor
  long long count, first;
  static CEREUS_KERNEL constexpr Low identity() { return {0, 0x7fffffffffffffffLL}; }
  CEREUS_KERNEL constexpr void combine(Low b) {
    count += b.count;
    first = b.first < first ? b.first : first;
  }
};

struct Numbering {  // of all points of a level
  int first[3];
  long long stride[3];
  template <int dim> CEREUS_KERNEL constexpr long long of(const auto& p) const {
    long long number = p.index(0) - first[0];
    if constexpr (dim > 1) number += (p.index(1) - first[1]) * stride[1];
    if constexpr (dim > 2) number += (p.index(2) - first[2]) * stride[2];
    return number;
  }
};

template <int dim, class Real> struct FindBad {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> f;
  Numbering numbering;
  double limit;
  CEREUS_KERNEL Bad operator()(const auto& p) const {
    const long long kind = kind_of(p(f.v), limit);
    const long long finite = -static_cast<long long>(kind == 0);  // a mask, so that the loop vectorises
    return {kind & 1, (kind >> 1) & 1, kind >> 2, numbering.template of<dim>(p) | (finite & 0x7fffffffffffffffLL)};
  }
};

template <int dim, class Real> struct FindLow {
  static constexpr bool stretches = false;
  Read<One, pointwise, Real> f;
  Numbering numbering;
  double limit;
  CEREUS_KERNEL Low operator()(const auto& p) const {
    const bool low = static_cast<double>(p(f.v)) <= limit;
    return {low, numbering.template of<dim>(p) | (-static_cast<long long>(!low) & 0x7fffffffffffffffLL)};
  }
};
}  // namespace NaNChecker
