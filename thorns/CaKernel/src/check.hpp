// Compares what a sweep has made with what the host's loops make of the same.
#pragma once
#include "arguments.hpp"
namespace CaKernel {
// Whether a step is right but for rounding, in small boxes at the corners of each block and in its middle: what a sweep
// read in `space` is still the present, and what it has made lies where it goes.
bool as_on_host(const Simulation&, const StepProgram&, Space);
}  // namespace CaKernel
