// Measures of how fine a grid should be, at a point of one block: the largest of the block, and towards which
// neighbours it is above a limit.
#pragma once
#include <cereus/kernel.hpp>
namespace Refine {
using namespace cereus;

template <class F> struct One { F v; };

enum class Measure : int { value, gradient, curvature };

struct Found {
  long long largest;  // bits of a double that is not negative; beyond infinity: not a number
  long long around;   // directions as Forest::Wish has them
  static CEREUS_KERNEL constexpr Found identity() { return {0, 0}; }
  CEREUS_KERNEL constexpr void combine(Found b) {
    largest = b.largest > largest ? b.largest : largest;
    around |= b.around;
  }
};

struct Ends {  // points below `lower` and from `upper` on are near the ends of the block
  int lower[3], upper[3];
};

// value: |u|. gradient: h |∇u|, the change of u from one point to the next. curvature: the second differences of u by
// its first ones, from 0 to 1 (R. Löhner, Comput. Methods Appl. Mech. Eng. 61, 323 (1987), eq. 4).
template <int dim, class Real> struct Look {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> f;
  Measure measure;
  double limit;  // of the measure
  Ends ends;

  template <int axis> CEREUS_KERNEL void add(const auto& p, double& over, double& under) const {
    constexpr double ripple = 0.01;  // what does not count, of the values themselves
    const auto up = static_cast<double>(at < axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0 > (p, f.v));
    const auto down = static_cast<double>(at < axis == 0 ? -1 : 0, axis == 1 ? -1 : 0, axis == 2 ? -1 : 0 > (p, f.v));
    const auto here = static_cast<double>(p(f.v));
    const double first = measure == Measure::gradient ? (up - down) / 2 : up - 2 * here + down;
    const double second = cereus::fabs(up - here) + cereus::fabs(here - down) +
                          ripple * (cereus::fabs(up) + 2 * cereus::fabs(here) + cereus::fabs(down));
    over += first * first, under += second * second;
  }
  CEREUS_KERNEL Found operator()(const auto& p) const {
    double over = 0, under = 0;
    add<0>(p, over, under);
    if constexpr (dim > 1) add<1>(p, over, under);
    if constexpr (dim > 2) add<2>(p, over, under);
    const double m = measure == Measure::value      ? cereus::fabs(static_cast<double>(p(f.v)))
                     : measure == Measure::gradient ? cereus::sqrt(over)
                     : under > 0                    ? cereus::sqrt(over / under)
                                                    : over;
    long long around = 0;
    if (!(m <= limit)) around = directions(p);
    return {__builtin_bit_cast(long long, m) & 0x7fffffffffffffffLL, around};
  }
  // Towards all neighbours whose ends of the block are near.
  CEREUS_KERNEL long long directions(const auto& p) const {
    long long along[3] = {2, 2, 2};  // bits −1, 0, 1
    for (int d = 0; d < dim; ++d) along[d] |= (p.index(d) < ends.lower[d]) | (p.index(d) >= ends.upper[d]) << 2;
    long long bits = 0;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) bits |= (along[0] >> i & along[1] >> j & along[2] >> k & 1) << (i + 3 * j + 9 * k);
    return bits;
  }
};
}  // namespace Refine
