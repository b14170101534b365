// Which output of a kernel of right-hand sides reads which field where.
#pragma once
#include "step_program.hpp"
namespace CaKernel {
// Sets `wants` of a stage. The loop that was compiled ahead of time is run at one point, with random values around it,
// again and again with those of one field changed. What a rare branch hides is not seen: code that relies on it then
// does not compile (sweep/levels.hpp).
void find_wants(const KernelTable&, const Geometry&, sweep::Stage&);
}  // namespace CaKernel
