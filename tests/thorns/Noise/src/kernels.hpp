#pragma once
#include <cereus/kernel.hpp>
namespace Noise {
using namespace cereus;
template <class F> struct Wave { F u, rho; };

// Pseudo-random multiples of 2⁻²⁰ between −1 and 1: the same bits wherever they are computed.
template <int dim, class Real> struct SetNoise {
  Write<Wave, interior, Real> w;
  CEREUS_KERNEL static Real value(unsigned n) {  // rounds of a linear congruence and shifts
    for (int round = 0; round < 3; ++round) n = (n ^ n >> 15) * 2246822519U + 374761393U;
    return static_cast<Real>(static_cast<int>(n >> 11) - (1 << 20)) * Real(1.0 / (1 << 20));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    unsigned n = static_cast<unsigned>(p.index(0));
    if constexpr (dim > 1) n += 4099U * static_cast<unsigned>(p.index(1));
    if constexpr (dim > 2) n += 16785409U * static_cast<unsigned>(p.index(2));
    p(w.u) = value(n);
    p(w.rho) = value(n + 77777U);
  }
};
}  // namespace Noise
