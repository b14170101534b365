// A formula as statements of C++, for kernels that are compiled in a run.
#include <algorithm>

#include "cereus/formula.hpp"
namespace cereus {
std::string statements_of(std::span<const Operation> steps, const std::function<std::string(std::size_t)>& leaf) {
  std::string text;
  std::vector<std::size_t> stack;  // of steps whose values wait
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const Operation o = steps[n];
    std::string value;
    if (o == Operation::number || o == Operation::name) {
      value = leaf(n);
    } else {
      const auto taken = static_cast<std::size_t>(operands(o));
      const auto operand = [&](std::size_t k) {
        return "v" + std::to_string(stack[stack.size() - taken + std::min(k, taken - 1)]);
      };
      value = o == Operation::noise
                  ? "noise<Real>(p, static_cast<unsigned>(static_cast<long long>(" + operand(0) + ")))"
                  : "apply(static_cast<Operation>(" + std::to_string(static_cast<int>(o)) + "), " + operand(0) + ", " +
                        operand(1) + ", " + operand(2) + ")";
      stack.resize(stack.size() - taken);
    }
    text += "    const Real v" + std::to_string(n) + " = " + value + ";\n";
    stack.push_back(n);
  }
  return text;
}
}  // namespace cereus
