// Fluxes across the faces of cells: a face belongs to two cells, and the owner of the loop may know one side's already.
#pragma once
#include "handle.hpp"
namespace cereus {
template <class Flux> struct Sides { Flux lower, upper; };
// A large kernel that says `static constexpr bool shares_faces = true;` asks for the fluxes across the two faces of a
// cell along an axis by faces_of<axis>(*this, p), once for each axis of the grid, and has
//   template <int axis, int side> auto face(const auto& p) const;  // across its lower (0) or upper (1) face alone
//   template <int axis> auto faces(const auto& p) const;           // across both, as Sides
// of which the numbers are of type Number<P, Real>, and the same to the last bit whoever computes them. It may have
//   static constexpr bool keeps_cells = true;
//   template <int axis, int n> auto cell(const auto& p) const;   // from the numbers of the n-th cell alone
//   template <int axis, int n> auto sides(const auto& p) const;  // what that cell is at its two faces, as Sides
//   template <int axis, int n> auto across(const auto& p, auto below, auto above) const;  // the flux between two sides
// for loops that keep cells and sides: then it asks for a cell by cell_of<axis, n>(*this, p). A loop computes
// cell<0, 0> and gives it wherever that cell is asked for, so it must be the same along each axis.
template <int axis, class K, class P> CEREUS_KERNEL auto faces_of(const K& k, const P& p) {
  if constexpr (requires { P::shares_faces; }) return p.template faces<axis>(k);
  else return k.template faces<axis>(p);
}
template <int axis, int n, class K, class P> CEREUS_KERNEL auto cell_of(const K& k, const P& p) {
  if constexpr (requires { p.template cell<axis, n>(k); }) return p.template cell<axis, n>(k);
  else return k.template cell<axis, n>(p);
}
template <class K> constexpr bool shares_faces() {
  return requires { K::shares_faces; };
}
namespace detail {
template <class T> const T& some();
}
template <class K, class P> using FluxOf = decltype(detail::some<K>().template face<0, 0>(detail::some<P>()));
}  // namespace cereus
