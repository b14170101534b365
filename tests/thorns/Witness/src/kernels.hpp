// What the evolution writes: the time, at each point.
#pragma once
#include <cereus/kernel.hpp>
namespace Witness {
using namespace cereus;
template <class F> struct Clock { F now; };

template <int dim, class Real> struct SetNow {
  Write<Clock, interior, Real> c;
  CEREUS_KERNEL void operator()(auto& p) const { p(c.now) = Real(p.time()) + Real(p.index(0)); }
};
}  // namespace Witness
