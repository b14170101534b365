#include "late_formula.hpp"

#include <cereus/formula.hpp>
#include <cereus/text.hpp>

namespace CaKernel {
using namespace cereus;
std::string text_of(const Steps& steps, int number) {
  const auto leaf = [&](std::size_t n) {
    return steps.operation[n] == Operation::number
               ? "static_cast<Real>(" + format_double(steps.number[n]) + ")"
               : "values[" + std::to_string(static_cast<int>(steps.number[n])) + "]";
  };
  return "template <> struct cereus::LateFormula<" + std::to_string(number) +
         "> {\n  template <class Real> CEREUS_KERNEL static Real value(const Real* values, const auto& p) {\n" +
         statements_of({steps.operation, static_cast<std::size_t>(steps.count)}, leaf) + "    return v" +
         std::to_string(steps.count - 1) + ";\n  }\n};\n";
}
}  // namespace CaKernel
