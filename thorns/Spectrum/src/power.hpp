// From a grid function to its power in shells.
#pragma once
#include <cereus/context.hpp>

#include "shells.hpp"

namespace Spectrum {
// On rank 0 the power of each shell, elsewhere nothing. Collective. `slab`: any; it is kept for its memory.
std::vector<double> power_of(Context&, const VariableAccess&, const Shells&, const Communicator&, Slab& slab);
}  // namespace Spectrum
