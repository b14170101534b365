// Runs a scheduled kernel.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// On all blocks of some levels: makes good what the kernel reads, launches it, fused updates and all. Returns the bytes
// that its loops read and write.
std::int64_t run_kernel(Simulation&, const Routine&, Selection);
}  // namespace cereus
