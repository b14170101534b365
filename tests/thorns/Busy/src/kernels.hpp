#pragma once
#include <cereus/kernel.hpp>
namespace Busy {
using namespace cereus;
template <class F> struct Wave { F u; };
template <class F> struct Work { F done; };

// The same number, whatever the number of rounds.
template <int dim, class Real> struct DoWork {
  Read<Wave, pointwise, Real> w;
  Write<Work, interior, Real> to;
  int rounds = 0;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real x = p(w.u);
    for (int n = 0; n < rounds; ++n) x = Real(0.5) * x + Real(1) / (Real(2) + x * x);
    p(to.done) = p(w.u) + (x > Real(1e9) ? Real(1) : Real(0));
  }
};
}  // namespace Busy
