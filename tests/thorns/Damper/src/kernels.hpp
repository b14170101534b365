#pragma once
#include <cereus/kernel.hpp>
namespace Damper {
using namespace cereus;
template <class F> struct Wave { F u; };

template <int dim, class Real> struct Damp {
  Modify<Wave, interior, Real> w;
  CEREUS_KERNEL void operator()(auto& p) const { p(w.u) *= Real(0.99) + Real(0.001) * Real(p.x()); }
};
}  // namespace Damper
