// Exact numbers: coefficients of equations and of finite differences.
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>
#include <string>
namespace cereus::equations {
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

inline double to_double(const Rational& q) { return static_cast<double>(q); }
inline Rational absolute(const Rational& q) { return q < 0 ? Rational(-q) : q; }
inline bool is_integer(const Rational& q) { return denominator(q) == 1; }
inline int to_int(const Rational& q) { return static_cast<int>(numerator(q)); }
inline std::string to_string(const Rational& q) {  // "3", "-1/2"
  return is_integer(q) ? numerator(q).str() : numerator(q).str() + "/" + denominator(q).str();
}
// Throws std::overflow_error for a number that no author can mean, before it fills the memory.
inline const Rational& checked(const Rational& q) {
  constexpr unsigned bits = 1000;
  if ((q != 0 && msb(abs(numerator(q))) > bits) || msb(denominator(q)) > bits)
    throw std::overflow_error("an exact number of over 300 digits");
  return q;
}
}  // namespace cereus::equations
