// Whether the diffusivities that a text says are those of its equations.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
// A line, with its place, for each variable whose rate has another multiple of its second derivatives. Nothing of rates
// where that multiple is not made of parameters and numbers.
std::vector<std::string> other_diffusivities(Program&);
}  // namespace cereus::equations
