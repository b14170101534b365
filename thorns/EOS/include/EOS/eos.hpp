// Equations of state, a closed list: a kernel takes one of them as a type, so that it is inlined. Each has
//   pressure(ρ, ρe), internal(ρ, p)   pressure, and internal energy of a volume, ρe
//   stiffness(ρ, p)                   ρ c², which needs no division
//   sound2(ρ, p)                      c², the square of the speed of sound
//   entropy(ρ, p)                     (p − least pressure) / ρ^γ, which shocks alone change
//   gruneisen()                       Γ = ∂p/∂(ρe) at constant ρ
//   least_pressure()                  at which c is 0
//   make(parameters)                  from the parameters of thorn EOS
#pragma once
#include "gamma.hpp"
#include "isothermal.hpp"
#include "stiffened.hpp"
namespace EOS {
inline constexpr cereus::choices<0, 1, 2> kinds;
inline constexpr const char* kind_names[] = {"gamma", "stiffened", "isothermal"};
template <int kind, class Real> struct Choose;
template <class Real> struct Choose<0, Real> { using type = Gamma<Real>; };
template <class Real> struct Choose<1, Real> { using type = Stiffened<Real>; };
template <class Real> struct Choose<2, Real> { using type = Isothermal<Real>; };
template <int kind, class Real> using Of = typename Choose<kind, Real>::type;
}  // namespace EOS
