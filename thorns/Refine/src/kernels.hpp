// Measures of how fine a grid should be, at a point: whether they pass limits, and towards which neighbours of the
// block. A launch looks at some blocks, because a device is waited for after each.
#pragma once
#include <cereus/kernel.hpp>
namespace Refine {
using namespace cereus;

template <class F> struct One { F v; };

enum class Measure : int { value, gradient, curvature };

inline constexpr int together = 32;  // blocks of a launch, at most
// What some point of a block has, or'ed; below these bits are directions as Forest::Wish has them, in which a point
// above the limit is near.
enum Passed : unsigned { not_fine_enough = 1U << 27, not_too_fine = 1U << 28, not_finite = 1U << 29 };
struct Found {  // of each block; or of a point, which belongs to block `of`
  static constexpr int all = -1, none = -2;
  unsigned bits[together], mine;
  int of;
  static CEREUS_KERNEL constexpr Found identity() { return {{}, 0, all}; }
  CEREUS_KERNEL constexpr void combine(const Found& b) {
    for (int n = 0; n < together; ++n) bits[n] |= b.of == all ? b.bits[n] : b.of == n ? b.mine : 0;
  }
};

// Blocks of `size` cells an axis, from the cell `first` of a level on; a point behind the last block is the last one's.
struct Blocks {
  int first[3], size, last[3], buffer;  // last: the number of the last block along an axis
  long long place[together];            // of each block, as number() tells it; -1: there is none
  static constexpr CEREUS_KERNEL long long number(const int (&along)[3]) {
    return (static_cast<long long>(along[2]) << 42) + (static_cast<long long>(along[1]) << 21) + along[0];
  }
};

// value: |u|. gradient: h |∇u|, the change of u from one point to the next. curvature: the second differences of u by
// its first ones, from 0 to 1 (R. Löhner, Comput. Methods Appl. Mech. Eng. 61, 323 (1987), eq. 4).
template <int dim, class Real> struct Look {
  static constexpr bool stretches = false;
  Read<One, star<1>, Real> f;
  Measure measure;
  double refine, coarsen;  // limits of the measure
  Blocks blocks;

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
    int block[3] = {}, in_block[3] = {};
    for (int d = 0; d < dim; ++d) {
      const int index = p.index(d) - blocks.first[d];
      block[d] = min(index / blocks.size, blocks.last[d]), in_block[d] = index - block[d] * blocks.size;
    }
    const long long number = Blocks::number(block);
    Found found;  // of a point: what is of all blocks is not read
    found.of = Found::none;
    for (int n = 0; n < together; ++n)
      if (blocks.place[n] == number) found.of = n;
    constexpr double largest = 1.7976931348623157e308;
    found.mine = m <= largest ? 0 : not_finite;
    if (!(m < coarsen)) found.mine |= not_too_fine;
    if (!(m <= refine)) found.mine |= not_fine_enough | directions(in_block);
    return found;
  }
  // Towards all neighbours whose ends of the block are near.
  CEREUS_KERNEL unsigned directions(const int (&in_block)[3]) const {
    unsigned along[3] = {2, 2, 2};  // bits −1, 0, 1
    for (int d = 0; d < dim; ++d)
      along[d] |= (in_block[d] < blocks.buffer) | (in_block[d] >= blocks.size - blocks.buffer) << 2U;
    unsigned bits = 0;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) bits |= (along[0] >> i & along[1] >> j & along[2] >> k & 1) << (i + 3 * j + 9 * k);
    return bits;
  }
};
}  // namespace Refine
