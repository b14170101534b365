// What a formula can do with numbers: the same on the host and in kernels.
#pragma once
#include "math.hpp"
namespace cereus {
enum class Operation : unsigned char {
  number,
  name,  // put one on the stack
  negate,
  square,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  erf,
  exp,
  log,
  log10,
  abs,
  floor,
  ceil,
  noise,  // take one; noise is of a point, too
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  less_equal,
  greater,
  greater_equal,  // take two; comparisons give 1 or 0
  choose          // takes three: the second if the first is not 0, else the third
};
CEREUS_KERNEL constexpr int operands(Operation o) {
  return o <= Operation::name ? 0 : o <= Operation::noise ? 1 : o < Operation::choose ? 2 : 3;
}

template <class Real> CEREUS_KERNEL Real apply(Operation o, Real a, Real b, Real c) {
  switch (o) {
    case Operation::negate: return -a;
    case Operation::square: return a * a;
    case Operation::sqrt: return cereus::sqrt(a);
    case Operation::sin: return cereus::sin(a);
    case Operation::cos: return cereus::cos(a);
    case Operation::tan: return cereus::tan(a);
    case Operation::asin: return cereus::asin(a);
    case Operation::acos: return cereus::acos(a);
    case Operation::atan: return cereus::atan(a);
    case Operation::sinh: return cereus::sinh(a);
    case Operation::cosh: return cereus::cosh(a);
    case Operation::tanh: return cereus::tanh(a);
    case Operation::erf: return cereus::erf(a);
    case Operation::exp: return cereus::exp(a);
    case Operation::log: return cereus::log(a);
    case Operation::log10: return cereus::log10(a);
    case Operation::abs: return cereus::fabs(a);
    case Operation::floor: return cereus::floor(a);
    case Operation::ceil: return cereus::ceil(a);
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::power: return cereus::pow(a, b);
    case Operation::atan2: return cereus::atan2(a, b);
    case Operation::min: return cereus::min(a, b);
    case Operation::max: return cereus::max(a, b);
    case Operation::less: return Real(a < b);
    case Operation::less_equal: return Real(a <= b);
    case Operation::greater: return Real(a > b);
    case Operation::greater_equal: return Real(a >= b);
    case Operation::choose: return a != Real(0) ? b : c;
    default: return a;
  }
}
}  // namespace cereus
