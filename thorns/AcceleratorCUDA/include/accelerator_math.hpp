// 1/√x and a/b of a device, as straight code: cereus/kernel/quotient.hpp says why, and includes this under that name.
#pragma once
#include <cereus/kernel/math.hpp>
namespace cereus {
namespace detail {
// Whether x > 0 is neither infinite nor so small (below 2⁻¹⁰²²) that a device takes it for 0.
CEREUS_KERNEL bool usual(double x) { return static_cast<unsigned>(__double2hiint(x)) - 0x00100000U < 0x7fe00000U; }
}  // namespace detail

// 1/√x, to an ulp or little more, in float two; in double x below 2⁻¹⁰²² counts as 0.
template <class T> CEREUS_KERNEL T inverse_sqrt(T x) {
  if constexpr (requires { T::lanes; }) return T(1) / sqrt(x);  // a host's
  else if constexpr (same_type<T, float>) return ::rsqrtf(x);
  else {
    static_assert(same_type<T, double>);
    double y;  // 20 bits; one step of Halley's method makes 60
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = ::fma(-(x * y), y, 1.0);
    return detail::usual(x) ? ::fma(::fma(0.375, e, 0.5), y * e, y) : y;
  }
}
// a/b, within two ulp; |b| below 2⁻¹⁰²² counts as 0, above 2¹⁰²² as infinite. (In float all counts as what it is.)
template <class T> CEREUS_KERNEL T quotient(T a, T b) {
  if constexpr (requires { T::lanes; }) return a / b;
  else if constexpr (same_type<T, float>) {
    float q;
    asm("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
    return q;
  } else {
    static_assert(same_type<T, double>);
    double r;  // as above, by r(1 + e + e²)
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    const double e = ::fma(-b, r, 1.0);
    return a * (detail::usual(::fabs(r)) ? ::fma(r, ::fma(e, e, e), r) : r);
  }
}
}  // namespace cereus
