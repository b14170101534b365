// A formula as a kernel goes through it, on a stack of numbers: slower than text of its own (some nanoseconds a step
// and point), and there without a compiler. cereus/formula.hpp makes it of a text.
#pragma once
#include "arithmetic.hpp"
#include "noise.hpp"
namespace cereus {
struct Steps {
  static constexpr int most = 100, deepest = 16;
  int count;
  Operation operation[most];
  double number[most];  // or, of a name, which of the values
};

// At a point: noise(n) is that of its index, with n for the seed. `number`: which formula of its kernel it is (below).
#ifdef CEREUS_LATE_FORMULAS
// As text, behind the kernel in the source that a device compiles late. Here nothing stands for a number left out: a
// kernel with two formulas would compute the first one twice.
template <int number> struct LateFormula;
template <int number, class Real> CEREUS_KERNEL Real run(const Steps&, const Real* values, const auto& point) {
  return LateFormula<number>::value(values, point);
}
#else
template <int number = 0, class Real>
CEREUS_KERNEL Real run(const Steps& steps, const Real* values, const auto& point) {
  Real stack[Steps::deepest + 2] = {};
  int n = 0;  // on the stack
  for (int s = 0; s < steps.count; ++s) {
    const Operation o = steps.operation[s];
    if (o == Operation::number) stack[n++] = static_cast<Real>(steps.number[s]);
    else if (o == Operation::name) stack[n++] = values[static_cast<int>(steps.number[s])];
    else if (o == Operation::noise)
      stack[n - 1] = noise<Real>(point, static_cast<unsigned>(static_cast<long long>(stack[n - 1])));
    else n += 1 - operands(o), stack[n - 1] = apply(o, stack[n - 1], stack[n], stack[n + 1]);
  }
  return stack[0];
}
#endif
// A kernel that writes interiors alone may have
//   void each_formula(auto f) const { f(first), f(second); }
// of its formulas, in the order of their numbers, from 0: then a device compiles it for them when the run begins, where
// going through their steps takes longer. It calls run<number>(…).
}  // namespace cereus
