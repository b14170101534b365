// Noise between 0 and 1, from the global index of a point and a seed alone: the same on any grid of blocks.
#pragma once
#include "handle.hpp"
namespace cereus {
template <class Real> CEREUS_KERNEL Real noise(const auto& p, unsigned seed) {
  unsigned long long x = seed;
  for (int d = 0; d < 3; ++d) {
    x += 0x9e3779b97f4a7c15ULL * static_cast<unsigned long long>(p.index(d) + 1000);
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ULL, x ^= x >> 27, x *= 0x94d049bb133111ebULL, x ^= x >> 31;
  }
  return Real(static_cast<double>(x >> 40) * (1.0 / 16777216));
}
}  // namespace cereus
