// Kernels of which the test has all loops compiled: as C++, and as text.
#pragma once
#include <cereus/kernel/chain.hpp>
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
#include <cereus/kernel/reduce.hpp>
#include <cereus/kernel/stencil.hpp>
namespace LateKernelsTest {
using namespace cereus;
template <class F> struct Wave { F u; };
template <class F> struct Rates { F u_rhs; };
template <class F> struct Many { F v[7]; };

// Light: its updates march.
template <int dim, class Real> struct Spread {
  Read<Wave, star<1>, Real> wave;
  Write<Rates, interior, Real> rates;
  Real speed;
  CEREUS_KERNEL void operator()(auto& p) const { p(rates.u_rhs) = speed * laplacian<2>(p, wave.u); }
};
// Reads nothing.
template <int dim, class Real> struct Begin {
  Write<Wave, interior, Real> wave;
  CEREUS_KERNEL void operator()(auto& p) const { p(wave.u) = Real(p.x()); }
};
// For shells, too.
template <int dim, class Real> struct Along {
  static constexpr bool maps = true;
  Read<Wave, star<1>, Real> wave;
  Write<Rates, interior, Real> rates;
  CEREUS_KERNEL void operator()(auto& p) const { p(rates.u_rhs) = derivative<2, 0>(p, wave.u); }
};
// Reads, and modifies interiors.
template <int dim, class Real> struct Modified {
  Read<Wave, star<1>, Real> wave;
  Modify<Many, interior, Real> many;
  CEREUS_KERNEL void operator()(auto& p) const { p(many.v[3]) += derivative<2, 0>(p, wave.u); }
};
template <int dim, class Real> struct Largest {
  Read<Wave, pointwise, Real> wave;
  CEREUS_KERNEL Max<Real> operator()(const auto& p) const { return {p(wave.u)}; }
};
}  // namespace LateKernelsTest
