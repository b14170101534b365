// Five numbers of a cell or a face: a density, three along the axes, and a pressure, energy or the like.
#pragma once
#include <cereus/kernel.hpp>
namespace Hydro {
using namespace cereus;
template <class R> struct Five { R density, x, y, z, last; };
// f of the numbers of all, one after another.
template <class F, class R, class... More> CEREUS_KERNEL Five<R> each(F f, const Five<R>& a, const More&... b) {
  return {f(a.density, b.density...), f(a.x, b.x...), f(a.y, b.y...), f(a.z, b.z...), f(a.last, b.last...)};
}
template <class F, class R, class... More> CEREUS_KERNEL R each(F f, R a, More... b) { return f(a, b...); }
#define HYDRO_EACH(...) [&](__VA_ARGS__) __attribute__((always_inline))
template <class R> CEREUS_KERNEL Five<R> operator+(const Five<R>& a, const Five<R>& b) {
  return {a.density + b.density, a.x + b.x, a.y + b.y, a.z + b.z, a.last + b.last};
}
template <class R> CEREUS_KERNEL Five<R> operator-(const Five<R>& a, const Five<R>& b) {
  return {a.density - b.density, a.x - b.x, a.y - b.y, a.z - b.z, a.last - b.last};
}
template <class R> CEREUS_KERNEL Five<R> operator*(R f, const Five<R>& a) {
  return {f * a.density, f * a.x, f * a.y, f * a.z, f * a.last};
}
template <class Mask, class R> CEREUS_KERNEL Five<R> select(Mask m, const Five<R>& a, const Five<R>& b) {
  return {choose(m, a.density, b.density), choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z),
      choose(m, a.last, b.last)};
}
// With x and an axis exchanged: then x is the normal of a face across that axis.
template <int axis, class R> CEREUS_KERNEL Five<R> turned(const Five<R>& a) {
  if constexpr (axis == 0) return a;
  else if constexpr (axis == 1) return {a.density, a.y, a.x, a.z, a.last};
  else return {a.density, a.z, a.y, a.x, a.last};
}

template <class R> CEREUS_KERNEL R absolute(R x) { return max(x, -x); }
// √x of x > 0: on a device without a call.
template <class R> CEREUS_KERNEL R root(R x) {
  if constexpr (requires { R::lanes; }) return sqrt(x);
  else return x * inverse_sqrt(x);
}
// The square of a velocity, the smallest of three first: the same bits whichever axes they are along.
template <class R> CEREUS_KERNEL R square_of_velocity(const Five<R>& q) {
  const R x = q.x * q.x, y = q.y * q.y, z = q.z * q.z, larger = max(y, x);
  return (min(x, y) + min(larger, z)) + max(z, larger);  // in these orders no not-a-number is lost
}

// Primitives: density, velocity, pressure. Conserved: density, momentum, energy. What is not as dense as the floor is
// at rest.
template <class Real> struct Floors { Real density, pressure; };
// `inverse`: of the density, where that is not below its floor.
template <class R, class Eos, class Real>
CEREUS_KERNEL Five<R> primitive(const Five<R>& u, R inverse, const Eos& eos, const Floors<Real>& floors) {
  const R density = max(u.density, R(floors.density)), i = choose(u.density < density, R(0), inverse);
  Five<R> q{density, i * u.x, i * u.y, i * u.z, R(0)};
  const R internal = u.last - R(Real(0.5)) * density * square_of_velocity(q);
  q.last = max(eos.pressure(density, internal), R(floors.pressure));
  return q;
}
template <class R, class Eos, class Real>
CEREUS_KERNEL Five<R> primitive(const Five<R>& u, const Eos& eos, const Floors<Real>& floors) {
  return primitive(u, quotient(R(1), max(u.density, R(floors.density))), eos, floors);
}
template <class R, class Eos> CEREUS_KERNEL Five<R> conserved(const Five<R>& q, const Eos& eos) {
  const R half = R(0.5) * q.density;
  return {q.density, q.density * q.x, q.density * q.y, q.density * q.z,
      eos.internal(q.density, q.last) + half * square_of_velocity(q)};
}
// The flux across a face with normal x.
template <class R> CEREUS_KERNEL Five<R> flux(const Five<R>& q, const Five<R>& u) {
  return {u.x, u.x * q.x + q.last, u.x * q.y, u.x * q.z, q.x * (u.last + q.last)};
}
template <class R, class Eos> CEREUS_KERNEL R sound(const Five<R>& q, const Eos& eos) {
  const R stiffness = eos.stiffness(q.density, q.last);  // c = ρc² / √(ρ · ρc²): one root, no division
  return stiffness * inverse_sqrt(q.density * stiffness);
}
}  // namespace Hydro
