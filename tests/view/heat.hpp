// The kernel of heat.cpp.
#pragma once
#include <cereus/kernel.hpp>
using namespace cereus;
template <class F> struct Heat { F t; };
template <int dim, class Real> struct Diffuse {
  Read<Heat, star<1>, Real, 1> past;
  Write<Heat, interior, Real> now;
  Real c;
  CEREUS_KERNEL void operator()(auto& p) const { p(now.t) = at<0, 0, 0>(p, past.t) + c * laplacian<2>(p, past.t); }
};
