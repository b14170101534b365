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
  CEREUS_KERNEL void store(Real* to) const { __builtin_memcpy(to, &v, sizeof v); }
  CEREUS_KERNEL Real at(int n) const { return v[n]; }
  CEREUS_KERNEL void set(int n, Real x) { v[n] = x; }
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

// Two vectors at a time: while one waits for a division or a root, the other is worked on.
template <class Real> struct TwoLanes {
  using One = Lanes<Real>;
  static constexpr int lanes = 2 * One::lanes;
  struct Mask {
    typename One::Mask a, b;
    friend CEREUS_KERNEL Mask operator&&(Mask l, Mask r) { return {l.a && r.a, l.b && r.b}; }
    friend CEREUS_KERNEL Mask operator||(Mask l, Mask r) { return {l.a || r.a, l.b || r.b}; }
    friend CEREUS_KERNEL Mask operator&&(Mask l, bool r) { return {l.a && r, l.b && r}; }
    friend CEREUS_KERNEL Mask operator||(Mask l, bool r) { return {l.a || r, l.b || r}; }
    friend CEREUS_KERNEL Mask operator&&(bool l, Mask r) { return r && l; }
    friend CEREUS_KERNEL Mask operator||(bool l, Mask r) { return r || l; }
    friend CEREUS_KERNEL Mask operator!(Mask m) { return {!m.a, !m.b}; }
    friend CEREUS_KERNEL TwoLanes choose(Mask m, TwoLanes l, TwoLanes r) {
      return {choose(m.a, l.a, r.a), choose(m.b, l.b, r.b)};
    }
  };
  One a, b;

  TwoLanes() = default;
  CEREUS_KERNEL TwoLanes(One first, One second) : a(first), b(second) {}
  CEREUS_KERNEL TwoLanes(Real x) : a(x), b(x) {}
  static CEREUS_KERNEL TwoLanes load(const Real* from) { return {One::load(from), One::load(from + One::lanes)}; }
  CEREUS_KERNEL void store(Real* to) const { a.store(to), b.store(to + One::lanes); }
  CEREUS_KERNEL Real at(int n) const { return n < One::lanes ? a.at(n) : b.at(n - One::lanes); }
  CEREUS_KERNEL void set(int n, Real x) { n < One::lanes ? a.set(n, x) : b.set(n - One::lanes, x); }
  template <class F, class... More> static CEREUS_KERNEL TwoLanes each(F f, TwoLanes x, More... more) {
    return {One::each(f, x.a, more.a...), One::each(f, x.b, more.b...)};
  }
  CEREUS_KERNEL void operator+=(TwoLanes r) { a += r.a, b += r.b; }
  friend CEREUS_KERNEL TwoLanes operator-(TwoLanes x) { return {-x.a, -x.b}; }
  friend CEREUS_KERNEL TwoLanes operator+(TwoLanes l, TwoLanes r) { return {l.a + r.a, l.b + r.b}; }
  friend CEREUS_KERNEL TwoLanes operator-(TwoLanes l, TwoLanes r) { return {l.a - r.a, l.b - r.b}; }
  friend CEREUS_KERNEL TwoLanes operator*(TwoLanes l, TwoLanes r) { return {l.a * r.a, l.b * r.b}; }
  friend CEREUS_KERNEL TwoLanes operator/(TwoLanes l, TwoLanes r) { return {l.a / r.a, l.b / r.b}; }
  friend CEREUS_KERNEL Mask operator<(TwoLanes l, TwoLanes r) { return {l.a < r.a, l.b < r.b}; }
  friend CEREUS_KERNEL Mask operator>(TwoLanes l, TwoLanes r) { return {l.a > r.a, l.b > r.b}; }
  friend CEREUS_KERNEL Mask operator<=(TwoLanes l, TwoLanes r) { return {l.a <= r.a, l.b <= r.b}; }
  friend CEREUS_KERNEL Mask operator>=(TwoLanes l, TwoLanes r) { return {l.a >= r.a, l.b >= r.b}; }
  friend CEREUS_KERNEL Mask operator==(TwoLanes l, TwoLanes r) { return {l.a == r.a, l.b == r.b}; }
  friend CEREUS_KERNEL Mask operator!=(TwoLanes l, TwoLanes r) { return {l.a != r.a, l.b != r.b}; }
};
}  // namespace cereus
