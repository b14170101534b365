// Arithmetic as text, of numbers in a parameter file or of grid functions at a point: read once, into the steps of a
// stack machine.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/steps.hpp"
namespace cereus {
struct Formula {
  struct Step {
    Operation operation;
    double number;  // or
    int name;       // which of `names`
    int column;     // of the text, from 1
  };
  std::vector<Step> steps;
  std::vector<std::string> names;  // in the order in which they come first
  int depth = 0;                   // of the stack
};

/// Operators + - * / ^ ** < <= > >= and C ? A : B, and parentheses; powers bind tightest and to the right, so -2^2 is
/// -4. Functions sqrt sin cos tan asin acos atan atan2 sinh cosh tanh erf exp log log10 abs min max floor ceil pow; pi
/// and e. noise(n), where there are names, is a number from 0 up to 1 that differs from point to point, and with n.
/// Other words are names (also Thorn::name), which are a mistake where there are none. Throws Error, whose message
/// begins with `column N: `.
Formula parse_formula(std::string_view text, bool names);
/// For a kernel, with the number of a value for each name. Throws Error if it is too long.
Steps steps_of(const Formula&, std::span<const int> values);
/// Of the names in `known`, which stand for values 0, 1, …. Throws Error, with the column, on others.
Steps steps_of(std::string_view text, const std::vector<std::string>& known);
/// As C++ at a point p: a line `const Real vN = …;` for each step N, with the same operations in the same order.
/// `leaf(N)`: the text of step N, which is a number or a name.
std::string statements_of(std::span<const Operation>, const std::function<std::string(std::size_t)>& leaf);
/// The value of a formula without names and noise; nothing if there are any.
std::optional<double> number_of(const Steps&);
}  // namespace cereus
