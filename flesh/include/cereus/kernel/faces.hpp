// Fluxes across the faces of cells: a face belongs to two cells, and the owner of the loop may know one side's already.
#pragma once
#include "handle.hpp"
namespace cereus {
template <class Flux> struct Sides { Flux lower, upper; };
// A large kernel that says `static constexpr bool shares_faces = true;` asks for the fluxes across the two faces of a
// cell along an axis by faces_of<axis>(*this, p), once for each axis of the grid, and has
//   template <int axis, int side> auto face(const auto& p) const;  // across its lower (0) or upper (1) face alone
//   template <int axis> auto faces(const auto& p) const;           // across both, as Sides
// of which the numbers are of type Number<P, Real>, and the same to the last bit whoever computes them.
template <int axis, class K, class P> CEREUS_KERNEL auto faces_of(const K& k, const P& p) {
  if constexpr (requires { P::shares_faces; }) return p.template faces<axis>(k);
  else return k.template faces<axis>(p);
}
template <class K> constexpr bool shares_faces() {
  return requires { K::shares_faces; };
}
namespace detail {
template <class T> const T& some();
}
template <class K, class P> using FluxOf = decltype(detail::some<K>().template face<0, 0>(detail::some<P>()));
}  // namespace cereus
