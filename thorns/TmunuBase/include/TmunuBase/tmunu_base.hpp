// The energy–momentum tensor T_ab with lower indices: thorns of matter add to it, thorns of gravity read the sum.
#pragma once
#include <cereus/kernel.hpp>
namespace TmunuBase {
template <class F> struct Energy { F eTtt; };                                // T_tt
template <class F> struct Momentum { F eTtx, eTty, eTtz; };                  // T_ti
template <class F> struct Stress { F eTxx, eTxy, eTxz, eTyy, eTyz, eTzz; };  // T_ij
}  // namespace TmunuBase
