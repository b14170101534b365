// The device's loop over a kernel, one point a thread; seen only under nvcc or NVRTC. The launch table points here.
#pragma once
#include "member.hpp"
#include "point.hpp"
namespace cereus::detail {
template <int handles> struct DeviceBlock {
  char* address[handles];
  int first[3], lo[3], hi[3];
  Offset stride[3];
};
template <class K, int dim> __global__ void __launch_bounds__(256)
    device_direct(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlock<handle_count<K>.all> b,
                  const __grid_constant__ Geometry g) {
  K k = parameters;
  number_handles(k);
  const int i = b.lo[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int l = b.lo[2] + static_cast<int>(blockIdx.z);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2];
  DirectPoint<dim> p{{g, i, j, l}, b.address, c, b.stride[1], b.stride[2]};
  k(p);
}
#ifndef __CUDACC_RTC__
// Launches and does not wait. Addresses in the launch are the device's.
template <class K, int dim> void launch_device(const void* kernel, const Launch& launch, void* stream) {
  for (int n = 0; n < launch.n_blocks; ++n) {
    const BlockLaunch& from = launch.blocks[n];
    DeviceBlock<handle_count<K>.all> b;
    for (int h = 0; h < handle_count<K>.all; ++h) b.address[h] = from.address[h];
    for (int d = 0; d < 3; ++d) b.first[d] = from.first[d], b.lo[d] = from.lo[d], b.hi[d] = from.hi[d], b.stride[d] = from.stride[d];
    const dim3 threads(128, 2), blocks((b.hi[0] - b.lo[0] + 127) / 128, (b.hi[1] - b.lo[1] + 1) / 2, b.hi[2] - b.lo[2]);
    device_direct<K, dim><<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(*static_cast<const K*>(kernel), b, launch.geometry);
  }
}
#endif
}  // namespace cereus::detail
