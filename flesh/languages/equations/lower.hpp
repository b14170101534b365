// The last step before text, for large kernels.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
void lower(Program&, Kernel&);
}  // namespace cereus::equations
