// Where nothing is compiled for devices; else transfer.cu has the kernels.
#include "pieces.hpp"
#ifndef CEREUS_CUDART_VERSION
namespace Forest {
const void* const move_kernels[scalars] = {};
const void* const interpolate_kernels[scalars] = {};
const void* const line_kernels[scalars] = {};
const void* const spot_kernels[scalars] = {};
const void* const correct_kernel = nullptr;
const void* const add_up_kernel = nullptr;
}  // namespace Forest
#endif
