// Arithmetic in a parameter file: a finite number, or a message with a column.
#include "parameter/expression.hpp"

#include <cereus/error.hpp>
#include <cereus/formula.hpp>
#include <cmath>

#include "fuzz.hpp"

void cereus_fuzz(std::string_view text) {
  try {
    if (!std::isfinite(cereus::evaluate(text))) cereus_fuzz_failed("a value that is not finite");
  } catch (const cereus::Error& e) {
    if (!std::string_view(e.what()).starts_with("column ")) cereus_fuzz_failed("a message without a column");
  }
  try {  // a formula of grid functions
    int stack = 0;
    const auto f = cereus::parse_formula(text, true);
    for (const auto& step : f.steps) {
      if (stack < operands(step.operation)) cereus_fuzz_failed("an operation without operands");
      stack += 1 - operands(step.operation);
      if (stack > f.depth) cereus_fuzz_failed("a stack deeper than it says");
      if (step.operation == cereus::Operation::name && step.name >= static_cast<int>(f.names.size()))
        cereus_fuzz_failed("a name that is not there");
    }
    if (stack != 1) cereus_fuzz_failed("something is left on the stack");
  } catch (const cereus::Error&) {}
}
