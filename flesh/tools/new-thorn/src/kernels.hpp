// The point updates of @NAME@: what each touches, and what happens at one point. Include cereus/kernel.hpp and headers
// of cereus/kernel/ only.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/noise.hpp>

namespace @NAME@ {
using namespace cereus;

template <class F> struct State { F u; };  // a group is a struct of grid functions
template <class F> struct Rhs { F u_rhs; };

// u = Π cos(πx_d) + a (2ξ − 1), with noise ξ that is the same on any number of processes
template <int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  Real amplitude;
  unsigned seed;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real u = cos(Real(pi) * Real(p.x()));
    if constexpr (dim > 1) u *= cos(Real(pi) * Real(p.y()));
    if constexpr (dim > 2) u *= cos(Real(pi) * Real(p.z()));
    p(s.u) = u + amplitude * (2 * noise<Real>(p, seed) - 1);
  }
};

// ∂u/∂t = D Δu. A kernel that reads neighbours, by at<1, 0, 0>(p, s.u) or laplacian<2>, says how far: star<1> is one
// point along each axis.
template <int dim, class Real> struct CalcRhs {
  Read<State, star<1>, Real> s;
  Write<Rhs, interior, Real> r;
  Real diffusivity;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = diffusivity * laplacian<2>(p, s.u); }
};

}  // namespace @NAME@
