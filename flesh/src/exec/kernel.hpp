// Runs a scheduled kernel.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Makes valid what the kernel reads and launches it on all blocks of some levels, with the update that is fused into
// it. Returns the bytes that its loops read and write.
std::int64_t run_kernel(Simulation&, const Routine&, Selection);
}  // namespace cereus
