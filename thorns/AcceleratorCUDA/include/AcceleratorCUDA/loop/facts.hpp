// How loops on a device go through the points of a kernel: by its type alone, for the compilers of host and device.
#pragma once
#include "window_sizes.hpp"
namespace cereus::detail {
// A kernel that picks variables at run time, picks() of them, is applied where its arguments lie: of a copy in
// registers nothing can be picked but through a thread's memory. The host numbers its handles. Each thread takes a
// group of `at_once` variables, by by_groups<at_once>(p, begin, end): faces have few points, and one thread for all
// variables of a point would wait for each group in turn.
template <class K> constexpr bool picks_handles() {
  return requires { K::at_once; };
}
template <class K> CEREUS_KERNEL unsigned groups_of(const K& k) {  // of variables
  if constexpr (picks_handles<K>()) return static_cast<unsigned>((k.picks() + K::at_once - 1) / K::at_once);
  else return 1;
}

// What a thread reads behind a branch, or after it has written, waits for what came before. A kernel for which finding
// a point takes as long as the rest may say what it reads first,
//   auto read(const auto& p) const;
//   void operator()(auto& p, const auto& read) const;     // the rest; or a value
// beside its operator of a point: then a thread takes two points of a row, or four of which it reads little, and what
// all read is under way together.
template <class K, class Point> constexpr bool reads_first() {
  return !picks_handles<K>() && requires(const K& k, const Point& p) { k.read(p); };
}
template <class K, class Point, int otherwise> constexpr int points_of_thread() {
  if constexpr (!reads_first<K, Point>()) return otherwise;
  else return sizeof(static_cast<const K*>(nullptr)->read(*static_cast<const Point*>(nullptr))) <= 48 ? 4 : 2;
}
inline constexpr int plain_points = 1, reduced_points = 2;  // of a thread, where a kernel does not say what it reads

// Kernels of updates that march: a thread goes up through a few planes (march.hpp).
struct March {
  int rows;             // of a thread block
  int planes;           // that a thread goes through
  int planes_if_large;  // where those of two thread blocks, one above the other, do not fit the cache
  int blocks;           // of device_bound threads: a multiprocessor has registers for so many, at least
};
// Measured on an H200 (decision 13): in 2D and 1D threads count, as many as fit; in 3D what is read again from one
// thread block to the next, too. Windows that are `wide` would spill with fewer registers: in 2D those of more than
// nine vectors, in 3D those of neighbours.
template <int dim, class Real, int sources, bool wide>
inline constexpr March march_of = dim == 1            ? March{4, 1, 1, 8}
                                  : dim == 2          ? March{8, 2, 2, wide ? 4 : 6}
                                  : sources > 1       ? March{4, 6, 6, 4}
                                  : sizeof(Real) == 8 ? March{8, 5, 3, sources || wide ? 6 : 8}
                                                      : March{8, 4, 3, sources ? 8 : 6};
template <class K, int dim, class Real> constexpr bool is_wide() {
  constexpr auto windows = window_sizes<K, dim, lanes_of<K, dim, Real>()>;
  return dim == 3 ? windows.most > 1 : windows.all > 9;
}
template <class K, int dim, class Real, int sources>
inline constexpr March march = march_of<dim, Real, sources, is_wide<K, dim, Real>()>;
template <class K, int dim, class Real> constexpr bool marches() {
  if constexpr (lanes_of<K, dim, Real>() == 1) return false;
  else {
    constexpr auto windows = window_sizes<K, dim, lanes_of<K, dim, Real>()>;
    return handle_count<K>.outputs == 1 && (dim == 3 ? windows.all <= 8 : windows.all <= 16 && windows.most > 1);
  }
}
// Planes that a thread goes through where an update is fused in: on shells, what follows from its two angles is
// computed once for them.
template <class Axes> inline constexpr int fused_planes = Axes::mapped ? 4 : 1;
// Whether boxes may begin or end between two vectors, and across which axes (bits) ghost zones are pushed: in 3D
// registers are short.
template <int dim> inline constexpr bool splits_vectors = dim < 3;
template <int dim> inline constexpr unsigned march_axes = dim < 3 ? 7 : 1;
// Whether a kernel reads first and then modifies interiors, in one scalar type, on one grid. (Boxes of boundaries begin
// before the first point.)
template <class Real> struct ModifiesAll {
  bool so = true, seen_output = false;
  template <class M> constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    so = so && !T::is_elsewhere;
    if constexpr (T::mode != Mode::read) {
      seen_output = true;
      so = so && T::mode == Mode::update && T::region == Region::interior && same_type<typename T::Real, Real>;
    }
  }
};
template <class K, int dim, class Real> constexpr bool modifies_vectors() {
  ModifiesAll<Real> m;
  K k{};
  for_each_handle(k, m);
  return dim == 2 && m.so && m.seen_output && lanes_of<K, dim, Real>() > 1;
}
template <class K>
inline constexpr int fused_width = handle_count<K>.all + handle_count<K>.outputs* Epilogue::addresses;
}  // namespace cereus::detail
