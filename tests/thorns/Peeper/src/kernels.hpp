#pragma once
#include <cereus/kernel.hpp>
namespace Peeper {
using namespace cereus;
template <class F> struct Seen { F seen; };
template <class F> struct Found { F found; };

// Looks at a neighbour where the data have one value in 2⁵³ only: no recording sees it.
template <int dim, class Real> struct LookRarely {
  Read<Seen, star<1>, Real> in;
  Write<Found, interior, Real> out;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(out.found) = p(in.seen);
    if (p(in.seen) == Real(0.3125)) p(out.found) = at<1, 0, 0>(p, in.seen);
  }
};

template <int dim, class Real> struct Gather {
  Read<Seen, star<1>, Real> in;
  Write<Found, interior, Real> out;
  int far;
  CEREUS_KERNEL void operator()(auto& p) const { p(out.found) = gather(p, in.seen, far, 0, 0); }
};

template <int dim, class Real> struct SetSeen {
  Write<Seen, interior, Real> out;
  CEREUS_KERNEL void operator()(auto& p) const { p(out.seen) = Real(0.0625) * Real(p.index(0)); }  // 0.3125 at i = 5
};
}  // namespace Peeper
