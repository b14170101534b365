// Arithmetic in a parameter file: a finite number, or a message with a column.
#include "parameter/expression.hpp"

#include <cereus/error.hpp>
#include <cmath>

#include "fuzz.hpp"

void cereus_fuzz(std::string_view text) {
  try {
    if (!std::isfinite(cereus::evaluate(text))) cereus_fuzz_failed("a value that is not finite");
  } catch (const cereus::Error& e) {
    if (!std::string_view(e.what()).starts_with("column ")) cereus_fuzz_failed("a message without a column");
  }
}
