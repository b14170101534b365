// A sweep compiled late: its text.
#pragma once
#include "late_code.hpp"
#include "tiles.hpp"
namespace CaKernel {
// Strides of a block, in elements, become constants.
std::string source_of(const StepProgram&, const sweep::TileShape&, Offset row, Offset plane);
inline constexpr const char* function_name = "sweep";

// The headers that such a source includes.
std::vector<Text> headers_of(const StepProgram&);
}  // namespace CaKernel
