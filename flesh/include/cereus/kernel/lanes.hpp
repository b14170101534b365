// Numbers side by side, as many as a vector register of the host holds. A large kernel computes with these at points of
// a row: the compiler vectorises no loop around so much text.
#pragma once
#include "math.hpp"
namespace cereus {
template <class Real> struct VectorOf;
template <> struct VectorOf<float> { typedef float type __attribute__((vector_size(32))); };
template <> struct VectorOf<double> { typedef double type __attribute__((vector_size(32))); };
template <class Real> struct Lanes {
  using Vector = typename VectorOf<Real>::type;
  static constexpr int lanes = sizeof(Vector) / sizeof(Real);
  struct Mask {
    decltype(Vector{} < Vector{}) bits;
    friend CEREUS_KERNEL Mask operator&&(Mask a, Mask b) { return {a.bits & b.bits}; }
    friend CEREUS_KERNEL Mask operator||(Mask a, Mask b) { return {a.bits | b.bits}; }
    friend CEREUS_KERNEL Mask operator&&(Mask a, bool b) { return {b ? a.bits : a.bits & 0}; }
    friend CEREUS_KERNEL Mask operator||(Mask a, bool b) { return {b ? a.bits | ~a.bits : a.bits}; }
    friend CEREUS_KERNEL Mask operator&&(bool a, Mask b) { return b && a; }
    friend CEREUS_KERNEL Mask operator||(bool a, Mask b) { return b || a; }
    friend CEREUS_KERNEL Mask operator!(Mask a) { return {~a.bits}; }
    friend CEREUS_KERNEL Lanes choose(Mask m, Lanes a, Lanes b) { return {m.bits ? a.v : b.v}; }
  };
  Vector v;

  Lanes() = default;
  CEREUS_KERNEL Lanes(Vector x) : v(x) {}
  CEREUS_KERNEL Lanes(Real x) : v(x - Vector{}) {}
  static CEREUS_KERNEL Lanes load(const Real* from) {
    Lanes x;
    __builtin_memcpy(&x.v, from, sizeof x.v);
    return x;
  }
  // f of each number of x and more, one after another.
  template <class F, class... More> static CEREUS_KERNEL Lanes each(F f, Lanes x, More... more) {
    Lanes all;
    for (int n = 0; n < lanes; ++n) all.v[n] = f(x.v[n], more.v[n]...);
    return all;
  }
  friend CEREUS_KERNEL Lanes operator-(Lanes a) { return {-a.v}; }
  friend CEREUS_KERNEL Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  friend CEREUS_KERNEL Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  friend CEREUS_KERNEL Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
  friend CEREUS_KERNEL Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend CEREUS_KERNEL Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend CEREUS_KERNEL Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
  friend CEREUS_KERNEL Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
  friend CEREUS_KERNEL Mask operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
  friend CEREUS_KERNEL Mask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }
  friend CEREUS_KERNEL Mask operator!=(Lanes a, Lanes b) { return {a.v != b.v}; }
};
}  // namespace cereus
