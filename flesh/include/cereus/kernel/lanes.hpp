// Numbers side by side, as many as a vector register of the host holds. A large kernel computes with these at points of
// a row: the compiler vectorises no loop around so much text.
#pragma once
#include "math.hpp"
namespace cereus {
#ifdef __CUDACC__  // nvcc knows no vectors: one number at a time
template <class T, int n> struct Several {
  T at[n];
  CEREUS_KERNEL T& operator[](int l) { return at[l]; }
  CEREUS_KERNEL T operator[](int l) const { return at[l]; }
};
template <class Real> struct VectorOf { using type = Several<Real, 1>; };
#define CEREUS_EACH(op, Result)                                                                  \
  template <class T, int n>                                                                      \
  CEREUS_KERNEL Several<Result, n> operator op(const Several<T, n>& a, const Several<T, n>& b) { \
    Several<Result, n> r;                                                                        \
    for (int l = 0; l < n; ++l) r[l] = a[l] op b[l];                                             \
    return r;                                                                                    \
  }
CEREUS_EACH(+, T)
CEREUS_EACH(-, T)
CEREUS_EACH(*, T)
CEREUS_EACH(/, T)
CEREUS_EACH(<, bool)
CEREUS_EACH(>, bool)
CEREUS_EACH(<=, bool)
CEREUS_EACH(>=, bool)
CEREUS_EACH(==, bool)
CEREUS_EACH(!=, bool)
CEREUS_EACH(&&, bool)
CEREUS_EACH(||, bool)
#undef CEREUS_EACH
template <class Mask, class Vector> CEREUS_KERNEL Vector select(const Mask& m, const Vector& a, const Vector& b) {
  Vector r;
  for (int l = 0; l < static_cast<int>(sizeof(Vector) / sizeof(a[0])); ++l) r[l] = m[l] ? a[l] : b[l];
  return r;
}
#else
template <class Real> struct VectorOf;
template <> struct VectorOf<float> { typedef float type __attribute__((vector_size(32))); };
template <> struct VectorOf<double> { typedef double type __attribute__((vector_size(32))); };
template <class Mask, class Vector> CEREUS_KERNEL Vector select(Mask m, Vector a, Vector b) { return m ? a : b; }
#endif

template <class Real> struct Lanes {
  using Vector = typename VectorOf<Real>::type;
  static constexpr int lanes = sizeof(Vector) / sizeof(Real);
  struct Mask {
    decltype(Vector{} < Vector{}) bits;
    friend CEREUS_KERNEL Mask operator&&(Mask a, Mask b) { return {a.bits && b.bits}; }
    friend CEREUS_KERNEL Mask operator||(Mask a, Mask b) { return {a.bits || b.bits}; }
    friend CEREUS_KERNEL Mask operator&&(Mask a, bool b) { return a && all(b); }
    friend CEREUS_KERNEL Mask operator||(Mask a, bool b) { return a || all(b); }
    friend CEREUS_KERNEL Mask operator&&(bool a, Mask b) { return b && a; }
    friend CEREUS_KERNEL Mask operator||(bool a, Mask b) { return b || a; }
    friend CEREUS_KERNEL Mask operator!(Mask a) { return {a.bits == all(false).bits}; }
    friend CEREUS_KERNEL Lanes choose(Mask m, Lanes a, Lanes b) { return {select(m.bits, a.v, b.v)}; }
    static CEREUS_KERNEL Mask all(bool b) { return Lanes(Real(b)) == Lanes(Real(1)); }
  };
  Vector v;

  Lanes() = default;
  CEREUS_KERNEL Lanes(Vector x) : v(x) {}
  CEREUS_KERNEL Lanes(Real x) {
    for (int n = 0; n < lanes; ++n) v[n] = x;
  }
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
  CEREUS_KERNEL void operator+=(Lanes b) { v = v + b.v; }
  friend CEREUS_KERNEL Lanes operator-(Lanes a) { return Lanes(Real(-1)) * a; }
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
