// A formula of a parameter file as C++, for kernels that are compiled late.
#pragma once
#include <cereus/kernel/steps.hpp>
#include <string>
namespace CaKernel {
// What run<number>() calls where CEREUS_LATE_FORMULAS is defined (cereus/kernel/steps.hpp): the same operations, in the
// same order.
std::string text_of(const cereus::Steps&, int number);
}  // namespace CaKernel
