// Heat spreads from a hot cube: Jacobi's smoother, each point the mean of itself and its neighbours along the axes.
#pragma once
#include <cereus/kernel.hpp>
namespace Jacobi {
using namespace cereus;

template <class F> struct State { F u; };

template <int dim, class Real> struct Smooth {
  Read<State, star<1>, Real, 1> old;
  Write<State, interior, Real> now;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real sum = p(old.u) + at<-1, 0, 0>(p, old.u) + at<1, 0, 0>(p, old.u);
    if constexpr (dim > 1) sum = sum + at<0, -1, 0>(p, old.u) + at<0, 1, 0>(p, old.u);
    if constexpr (dim > 2) sum = sum + at<0, 0, -1>(p, old.u) + at<0, 0, 1>(p, old.u);
    p(now.u) = Real(1.0 / (2 * dim + 1)) * sum;
  }
};

template <int dim, class Real> struct HotCube {
  Write<State, everywhere, Real> s;
  double half_width;
  CEREUS_KERNEL void operator()(auto& p) const {
    bool inside = fabs(p.x()) < half_width;
    if constexpr (dim > 1) inside = inside && fabs(p.y()) < half_width;
    if constexpr (dim > 2) inside = inside && fabs(p.z()) < half_width;
    p(s.u) = inside ? Real(1) : Real(0);
  }
};
}  // namespace Jacobi
