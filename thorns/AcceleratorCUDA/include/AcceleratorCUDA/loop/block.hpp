// How threads find their point in the blocks of a launch, and the plain loop: one point a thread.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
namespace cereus::detail {
// Small thread blocks end one by one, so that the multiprocessors never run dry (but for marches of light kernels);
// twice as many in the bound, or the compiler takes registers that other blocks need (both measured on an H200).
inline constexpr int block_x = 32, block_y = 4, device_bound = 2 * block_x * block_y;

// A single block travels with the arguments, in constant memory; of many, each thread block fetches its own.
template <int n, bool many> struct DeviceBlocks {
  BlockLaunch block;
  char* address[n];
};
template <int n> struct DeviceBlocks<n, true> {
  const BlockLaunch* blocks;
  int planes;  // thread blocks along z, for the thickest block
};

// The block, plane and addresses of this thread; false where there is nothing to do.
template <int n>
__device__ __forceinline__ bool find_plane(
    const DeviceBlocks<n, false>& all, unsigned z, int step, BlockLaunch& b, int& l, char* const*& address) {
  b = all.block;
  address = all.address;
  l = b.lo[2] + static_cast<int>(z) * step;
  return true;
}
template <int n>
__device__ __forceinline__ bool find_plane(
    const DeviceBlocks<n, true>& all, unsigned z, int step, BlockLaunch& b, int& l, char* const*& address) {
  b = all.blocks[z / all.planes];
  address = b.address;
  l = b.lo[2] + static_cast<int>(z % all.planes) * step;
  return l < b.hi[2];
}

template <class K, int dim, bool many>
__global__ void __launch_bounds__(device_bound) device_direct(const __grid_constant__ K parameters,
    const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks, const __grid_constant__ Geometry g) {
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* const* address;
  int l;
  if (!find_plane(blocks, blockIdx.z, 1, b, l, address)) return;
  const int i = b.lo[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2];
  DirectPoint<dim> p{{g, i, j, l}, address, c, b.stride[1], b.stride[2]};
  k(p);
}
}  // namespace cereus::detail
