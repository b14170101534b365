// Numbers in declarations: expressions of numbers, pi and functions.
#pragma once
#include "equations/tree.hpp"
namespace cereus::equations {
// Exact without pi and functions, else the double. What is not constant or not finite is a mistake, and 0.
Rational constant(const Source&, const Expression&);
}  // namespace cereus::equations
