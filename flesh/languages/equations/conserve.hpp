// Where right-hand sides lose a sum that their equation keeps.
#pragma once
#include <string>
#include <vector>

#include "equations/source.hpp"
#include "equations/tree.hpp"
namespace cereus::equations {
// A line for each right-hand side that takes the derivative of a product, a power or a function: the rules of calculus
// turn it into products of derivatives, whose sum over a periodic box is not 0. That of a stored field is.
std::vector<std::string> lost_sums(const ThornText&, const Source&);
}  // namespace cereus::equations
