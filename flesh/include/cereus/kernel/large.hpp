// Kernels of thousands of operations, as equations give them, say what they read: to try them out, as `record` does, or
// to compile them once for each kind of loop would take minutes.
#pragma once
#include "handle.hpp"
namespace cereus {
// How far a handle is read along each axis, both ways, in points; and whether along several axes at once.
struct Reads {
  int along[3];
  bool corners;
};
// A large kernel has the members
//   static constexpr Reads reads[] = {…};  // of each handle that only reads, in the order of the handles
//   static constexpr bool reads_time, reads_place;
// It writes all its outputs, and computes with Number<decltype(p), Real>.
template <class K> constexpr bool is_large() {
  return requires { K::reads; };
}
template <class Point, class Real> struct NumberOf { using type = Real; };
template <class Point, class Real> struct NumberOf<Point&, Real> : NumberOf<Point, Real> {};
template <class Point, class Real> struct NumberOf<const Point, Real> : NumberOf<Point, Real> {};
// What a point gives for a variable of this type: a number, or several side by side.
template <class Point, class Real> using Number = typename NumberOf<Point, Real>::type;
}  // namespace cereus
