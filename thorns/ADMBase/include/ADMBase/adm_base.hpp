// The geometry of a slice of spacetime in the variables of Arnowitt, Deser and Misner: what thorns of gravity exchange.
#pragma once
#include <cereus/kernel.hpp>
namespace ADMBase {
template <class F> struct Metric { F gxx, gxy, gxz, gyy, gyz, gzz; };     // γ_ij
template <class F> struct Curvature { F kxx, kxy, kxz, kyy, kyz, kzz; };  // K_ij = −½ £_n γ_ij
template <class F> struct Lapse { F alp; };                               // α
template <class F> struct Shift { F betax, betay, betaz; };               // β^i
}  // namespace ADMBase
