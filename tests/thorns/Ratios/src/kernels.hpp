#pragma once
#include <cereus/kernel.hpp>
namespace Ratios {
using namespace cereus;
template <class F> struct Given { F a, b; };
template <class F> struct Found { F ratio, root; };

// 2ⁿ, by multiplication alone: 0 or infinite where that leaves what there is.
template <class Real> CEREUS_KERNEL Real power_of_two(int n) {
  Real all = 1, one = n < 0 ? Real(0.5) : Real(2);
  for (unsigned rest = static_cast<unsigned>(n < 0 ? -n : n); rest; rest >>= 1, one *= one)
    if (rest & 1) all *= one;
  return all;
}
CEREUS_KERNEL unsigned shuffled(unsigned n) {
  for (int round = 0; round < 3; ++round) n = (n ^ n >> 15) * 2246822519U + 374761393U;
  return n;
}

// Numbers of all magnitudes, first what is special.
template <int dim, class Real> struct Give {
  Write<Given, interior, Real> given;
  CEREUS_KERNEL static Real special(unsigned n) {
    constexpr int most = sizeof(Real) == 8 ? 1023 : 127;
    const Real infinite = power_of_two<Real>(2 * most + 2);
    switch (n % 8) {
      case 0: return Real(0);
      case 1: return -Real(0);
      case 2: return infinite;
      case 3: return -infinite;
      case 4: return infinite - infinite;
      case 5: return power_of_two<Real>(-most - 2);  // less than a normal number
      case 6: return power_of_two<Real>(1 - most);
      default: return power_of_two<Real>(most);
    }
  }
  CEREUS_KERNEL static Real usual(unsigned n) {
    constexpr unsigned most = sizeof(Real) == 8 ? 1023 : 127;
    const unsigned m = shuffled(n), l = shuffled(n + 77777), e = shuffled(n + 777777);
    const Real mantissa = Real(1) + Real(m >> 1) * power_of_two<Real>(-31) + Real(l >> 12) * power_of_two<Real>(-52);
    return (m & 1 ? -mantissa : mantissa) *
           power_of_two<Real>(static_cast<int>(e % (2 * most - 1)) + 1 - static_cast<int>(most));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const unsigned n = static_cast<unsigned>(p.index(0)) +
                       64U * (static_cast<unsigned>(p.index(1)) + 64U * static_cast<unsigned>(p.index(2)));
    p(given.a) = n < 64 ? special(n / 8) : usual(n);
    p(given.b) = n < 64 ? special(n) : usual(n + 1000000);
  }
};

template <int dim, class Real> struct Find {
  Read<Given, pointwise, Real> given;
  Write<Found, interior, Real> found;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(found.ratio) = quotient(p(given.a), p(given.b));
    p(found.root) = inverse_sqrt(p(given.b));
  }
};
}  // namespace Ratios
