// The mathematical functions of kernels, the same names on host and device, without a standard header.
#pragma once
#include "handle.hpp"
namespace cereus {
inline constexpr double pi = 3.141592653589793238462643383279502884;
// Templates, so that where a standard header brought its own ::sqrt(double) that one is taken, not a choice of two.
#ifdef __CUDA_ARCH__
#define CEREUS_CALL(name, ...) ::name(__VA_ARGS__)
#define CEREUS_CALLF(name, ...) ::name##f(__VA_ARGS__)
#else
#define CEREUS_CALL(name, ...) __builtin_##name(__VA_ARGS__)
#define CEREUS_CALLF(name, ...) __builtin_##name##f(__VA_ARGS__)
#endif
// Lanes (lanes.hpp) hold several numbers: the function is taken of each.
#define CEREUS_MATH(name)                                                                               \
  template <class T> CEREUS_KERNEL T name(T x) {                                                        \
    if constexpr (requires { T::lanes; }) return x.each([](auto one) { return cereus::name(one); }, x); \
    else if constexpr (same_type<T, float>) return CEREUS_CALLF(name, x);                               \
    else return CEREUS_CALL(name, x);                                                                   \
  }
CEREUS_MATH(sqrt)
CEREUS_MATH(fabs)
CEREUS_MATH(exp)
CEREUS_MATH(log)
CEREUS_MATH(sin)
CEREUS_MATH(cos)
CEREUS_MATH(tan)
CEREUS_MATH(asin)
CEREUS_MATH(acos)
CEREUS_MATH(atan)
CEREUS_MATH(log10)
CEREUS_MATH(sinh)
CEREUS_MATH(cosh)
CEREUS_MATH(tanh)
CEREUS_MATH(erf)
CEREUS_MATH(floor)
CEREUS_MATH(ceil)
#undef CEREUS_MATH
template <class T> CEREUS_KERNEL T pow(T x, T y) {
  if constexpr (requires { T::lanes; }) return x.each([](auto l, auto r) { return cereus::pow(l, r); }, x, y);
  else if constexpr (same_type<T, float>) return CEREUS_CALLF(pow, x, y);
  else return CEREUS_CALL(pow, x, y);
}
template <class T> CEREUS_KERNEL T atan2(T y, T x) {
  if constexpr (requires { T::lanes; }) return y.each([](auto l, auto r) { return cereus::atan2(l, r); }, y, x);
  else if constexpr (same_type<T, float>) return CEREUS_CALLF(atan2, y, x);
  else return CEREUS_CALL(atan2, y, x);
}
#undef CEREUS_CALL
#undef CEREUS_CALLF
template <class T> CEREUS_KERNEL constexpr T choose(bool first, T a, T b) { return first ? a : b; }
template <class T> CEREUS_KERNEL constexpr T min(T a, T b) { return choose(b < a, b, a); }
template <class T> CEREUS_KERNEL constexpr T max(T a, T b) { return choose(a < b, b, a); }
template <class T> CEREUS_KERNEL constexpr T square(T x) { return x * x; }

// A complex number that every compiler of a kernel knows; laid out as std::complex.
template <class Real> struct complex {
  Real re{}, im{};
  CEREUS_KERNEL constexpr complex& operator+=(complex b) { return *this = *this + b; }
  friend CEREUS_KERNEL constexpr complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
  friend CEREUS_KERNEL constexpr complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
  friend CEREUS_KERNEL constexpr complex operator*(complex a, complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend CEREUS_KERNEL constexpr complex operator*(Real a, complex b) { return {a * b.re, a * b.im}; }
  friend CEREUS_KERNEL constexpr complex operator*(complex b, Real a) { return {a * b.re, a * b.im}; }
  friend CEREUS_KERNEL constexpr complex operator/(complex b, Real a) { return {b.re / a, b.im / a}; }
  friend CEREUS_KERNEL constexpr bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
};
template <class T> struct real_of { using type = T; };
template <class T> struct real_of<complex<T>> { using type = T; };
template <class T> using real_of_t = typename real_of<T>::type;
}  // namespace cereus
