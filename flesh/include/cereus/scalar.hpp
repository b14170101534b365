// The scalar types that a variable may have, each carried through storage, exchange, validity and output.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel/math.hpp"
namespace cereus {
enum class ScalarType : std::uint8_t { float32, float64, complex64, complex128, int32 };

template <class T> struct scalar_type_of;
template <> struct scalar_type_of<float> { static constexpr auto value = ScalarType::float32; };
template <> struct scalar_type_of<double> { static constexpr auto value = ScalarType::float64; };
template <> struct scalar_type_of<complex<float>> { static constexpr auto value = ScalarType::complex64; };
template <> struct scalar_type_of<complex<double>> { static constexpr auto value = ScalarType::complex128; };
template <> struct scalar_type_of<std::int32_t> { static constexpr auto value = ScalarType::int32; };
template <class T> inline constexpr ScalarType scalar_type = scalar_type_of<T>::value;

constexpr std::size_t size_of(ScalarType t) {
  constexpr std::size_t bytes[] = {4, 8, 8, 16, 4};
  return bytes[static_cast<int>(t)];
}
constexpr std::string_view name_of(ScalarType t) {
  constexpr std::string_view names[] = {"float", "double", "complex<float>", "complex<double>", "int32"};
  return names[static_cast<int>(t)];
}
constexpr bool is_complex(ScalarType t) { return t == ScalarType::complex64 || t == ScalarType::complex128; }

// Calls f with a value of the C++ type that t names: visit_scalar(t, [&]<class T>(T) { … }).
template <class F> decltype(auto) visit_scalar(ScalarType t, F&& f) {
  switch (t) {
    case ScalarType::float32: return f(float{});
    case ScalarType::complex64: return f(complex<float>{});
    case ScalarType::complex128: return f(complex<double>{});
    case ScalarType::int32: return f(std::int32_t{});
    default: return f(double{});
  }
}
}  // namespace cereus
