// Kernels of thousands of operations, as equations give them, say what they read: to try them out, as `record` does, or
// to compile them once for each kind of loop would take minutes.
#pragma once
#include "handle.hpp"
#include "member.hpp"
#include "point.hpp"
namespace cereus {
// How far a handle is read along each axis, both ways, in points; and whether along several axes at once.
struct Reads {
  int along[3];
  bool corners;
};
// A large kernel has the members
//   static constexpr Reads reads[] = {…};  // of each handle that only reads, in the order of the handles
//   static constexpr bool reads_time, reads_place;
//   static constexpr bool reads_spacing;   // the one of all points, by h or inv_h; without the member: it does
//   static constexpr int slots;            // places for numbers that registers cannot hold: p.put<n>(x), p.get<n>()
//   static constexpr int shell_slots;      // those of its text for shells, where that is another one
// Each right-hand side begins with p.begin(output): where an update is fused in, that is what the update adds to it,
// over its weight, read while the variable's neighbours are. It writes all its outputs, and computes with
// Number<decltype(p), Real>.
template <class K> constexpr bool is_large() {
  return requires { K::reads; };
}
template <class K, bool shell> constexpr int slots_of() {
  if constexpr (shell && requires { K::shell_slots; }) return K::shell_slots;
  else return K::slots;
}
// A device compiles large kernels when the run begins, for the strides of its blocks; and so it does others, of
// hundreds of operations, that say `static constexpr bool late = true;`. Of kernels that say so, large or not, it also
// tries several shapes of thread blocks.
template <class K> constexpr bool is_late() {
  return is_large<K>() || requires { K::late; };
}
// Whether loops over stretched axes are compiled: not of large kernels that know one spacing, nor of others that say
// `static constexpr bool stretches = false;` because they do, or look at no axis, but for indices.
template <class K> constexpr bool stretches() {
  if constexpr (is_large<K>() && requires { K::reads_spacing; }) return !K::reads_spacing;
  else if constexpr (requires { K::stretches; }) return K::stretches;
  else return !is_large<K>();
}
// Whether loops over shells around a cube are compiled: of kernels that say `static constexpr bool maps = true;`, in
// three dimensions. They read neighbours by derivatives alone, or have a text of their own there (along_shell.hpp).
template <class K, int dim> constexpr bool maps() {
  if constexpr (requires { K::maps; }) return K::maps && dim == 3;
  else return false;
}
// The neighbours of a point along an axis, each read once: a point itself for differences along that axis.
template <int axis, int reach, class Point, class V> struct Beside {
  using Real = Number<Point, typename V::value_type>;
  const Point& p;
  Real here, ahead[reach], behind[reach];
  template <int... m> CEREUS_KERNEL void read(V v, detail::ints<m...>) {
    here = p(v);
    ((ahead[m] = along<axis, m + 1>(p, v), behind[m] = along<axis, -m - 1>(p, v)), ...);
  }
  CEREUS_KERNEL Real operator()(V) const { return here; }
  template <int i, int j, int k> CEREUS_KERNEL Real neighbour(V) const {
    constexpr int m = axis == 0 ? i : axis == 1 ? j : k;
    if constexpr (m == 0) return here;
    else return m > 0 ? ahead[m > 0 ? m - 1 : 0] : behind[m < 0 ? -m - 1 : 0];
  }
  static constexpr bool stretched = on_stretched_axes<Point>();
  CEREUS_KERNEL double inv_h(int a) const { return p.inv_h(a); }
  CEREUS_KERNEL double inv_h2(int a) const { return p.inv_h2(a); }
  CEREUS_KERNEL auto inv_dx(int a) const { return p.inv_dx(a); }
  CEREUS_KERNEL auto inv_dx2(int a) const { return p.inv_dx2(a); }
  CEREUS_KERNEL auto bend(int a) const { return p.bend(a); }
};
template <int axis, int reach, class Point, class V, class Real>
struct NumberOf<Beside<axis, reach, Point, V>, Real> : NumberOf<Point, Real> {};
template <int axis, int reach, class Point, class V> CEREUS_KERNEL auto beside(const Point& p, V v) {
  Beside<axis, reach, Point, V> b{p};
  b.read(v, typename detail::count_up<reach>::type{});
  return b;
}
}  // namespace cereus
