// Counts what is no finite number, and finds the first such point by its number on the level, x fastest.
#pragma once
#include <cereus/kernel.hpp>
namespace NaNChecker {
using namespace cereus;

template <class F> struct One { F v; };

// By bits, so that no compiler flag can think it away: 1 not-a-number, 2 infinite, 0 finite.
CEREUS_KERNEL constexpr int kind_of(double x) {
  const long long bits = __builtin_bit_cast(long long, x) & 0x7fffffffffffffffLL;
  return (bits > 0x7ff0000000000000LL) + 2 * (bits == 0x7ff0000000000000LL);
}
CEREUS_KERNEL constexpr int kind_of(float x) { return kind_of(static_cast<double>(x)); }
template <class Real> CEREUS_KERNEL constexpr int kind_of(complex<Real> z) {
  const int re = kind_of(z.re), im = kind_of(z.im);
  return ((re | im) & 1) ? 1 : re | im;
}

struct Bad {
  long long nans, infinities, first;
  static CEREUS_KERNEL constexpr Bad identity() { return {0, 0, 0x7fffffffffffffffLL}; }
  CEREUS_KERNEL constexpr void combine(Bad b) {
    nans += b.nans;
    infinities += b.infinities;
    first = b.first < first ? b.first : first;
  }
};

struct Numbering {  // of all points of a level
  int first[3];
  long long stride[3];
};

template <int dim, class Real> struct FindBad {
  Read<One, pointwise, Real> f;
  Numbering numbering;
  CEREUS_KERNEL Bad operator()(const auto& p) const {
    const long long kind = kind_of(p(f.v));
    long long number = p.index(0) - numbering.first[0];
    if constexpr (dim > 1) number += (p.index(1) - numbering.first[1]) * numbering.stride[1];
    if constexpr (dim > 2) number += (p.index(2) - numbering.first[2]) * numbering.stride[2];
    const long long finite = -static_cast<long long>(kind == 0);  // a mask, so that the loop vectorises
    return {kind & 1, kind >> 1, number | (finite & 0x7fffffffffffffffLL)};
  }
};
}  // namespace NaNChecker
