#include "late_formula.hpp"

#include <algorithm>
#include <cereus/text.hpp>
#include <vector>

namespace CaKernel {
using namespace cereus;
std::string text_of(const Steps& steps, int number) {
  std::string text, value;
  std::vector<int> stack;  // of values that have been computed
  for (int n = 0; n < steps.count; ++n) {
    const Operation o = steps.operation[n];
    if (o == Operation::number) {
      value = "static_cast<Real>(" + format_double(steps.number[n]) + ")";
    } else if (o == Operation::name) {
      value = "values[" + std::to_string(static_cast<int>(steps.number[n])) + "]";
    } else {
      const auto taken = static_cast<std::size_t>(operands(o));
      const auto operand = [&](std::size_t k) {
        return "v" + std::to_string(stack[stack.size() - taken + std::min(k, taken - 1)]);
      };
      value = o == Operation::noise
                  ? "noise<Real>(point, static_cast<unsigned>(static_cast<long long>(" + operand(0) + ")))"
                  : "apply(static_cast<Operation>(" + std::to_string(static_cast<int>(o)) + "), " + operand(0) + ", " +
                        operand(1) + ", " + operand(2) + ")";
      stack.resize(stack.size() - taken);
    }
    text += "    const Real v" + std::to_string(n) + " = " + value + ";\n";
    stack.push_back(n);
  }
  return "template <> struct cereus::LateFormula<" + std::to_string(number) +
         "> {\n  template <class Real> CEREUS_KERNEL static Real value(const Real* values, const auto& point) {\n" +
         text + "    return v" + std::to_string(steps.count - 1) + ";\n  }\n};\n";
}

}  // namespace CaKernel
