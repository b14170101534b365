// dz/dt = i z, z(0) = 1: solved by exp(i t). Kernels of complex numbers.
#pragma once
#include <cereus/kernel.hpp>
namespace ODEComplex {
using namespace cereus;

template <class F> struct State { F z; };
template <class F> struct Rhs { F z_rhs; };

template <int dim, class Complex> struct SetOne {
  Write<State, interior, Complex> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.z) = Complex{1, 0}; }
};
template <int dim, class Complex> struct CalcRhs {
  Read<State, pointwise, Complex> s;
  Write<Rhs, interior, Complex> r;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Complex z = p(s.z);
    p(r.z_rhs) = Complex{-z.im, z.re};
  }
};
}  // namespace ODEComplex
