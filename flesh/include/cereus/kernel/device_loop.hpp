// The device's loops over a kernel, one point a thread; seen only under nvcc or NVRTC. The launch table points here.
#pragma once
#include "member.hpp"
#include "point.hpp"
namespace cereus::detail {
inline constexpr int device_threads = 256;

// A single block travels with the arguments, in constant memory; of many, each thread block fetches its own.
template <int n, bool many> struct DeviceBlocks {
  BlockLaunch block;
  char* address[n];
};
template <int n> struct DeviceBlocks<n, true> {
  const BlockLaunch* blocks;
  int planes;  // the most that a block has
};

// The block, point and addresses of this thread; false where there is nothing to do.
template <int n> __device__ __forceinline__ bool find_point(const DeviceBlocks<n, false>& all, BlockLaunch& b, int& l, char* const*& address, char**) {
  b = all.block;
  address = all.address;
  l = b.lo[2] + static_cast<int>(blockIdx.z);
  return true;
}
template <int n> __device__ __forceinline__ bool find_point(const DeviceBlocks<n, true>& all, BlockLaunch& b, int& l, char* const*& address, char** own) {
  b = all.blocks[blockIdx.z / all.planes];
  l = b.lo[2] + static_cast<int>(blockIdx.z % all.planes);
#pragma unroll
  for (int h = 0; h < n; ++h) own[h] = b.address[h];
  address = own;
  return l < b.hi[2];
}

template <class K, int dim, bool many> __global__ void __launch_bounds__(device_threads)
    device_direct(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks,
                  const __grid_constant__ Geometry g) {
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* own[handle_count<K>.all];
  char* const* address;
  int l;
  if (!find_point(blocks, b, l, address, own)) return;
  const int i = b.lo[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2];
  DirectPoint<dim> p{{g, i, j, l}, address, c, b.stride[1], b.stride[2]};
  k(p);
}

template <class K> inline constexpr int fused_width = handle_count<K>.all + handle_count<K>.outputs * (1 + Epilogue::max_sources);

// What is written stays in registers until the epilogue has turned it into an update. Its sources are loaded first, so
// that they are under way while the kernel works.
template <class K, int dim, class Real, bool many> __global__ void __launch_bounds__(device_threads)
    device_fused(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<fused_width<K>, many> blocks,
                 const __grid_constant__ Geometry g, const __grid_constant__ Epilogue e) {
  constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs, most = Epilogue::max_sources;
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* own[fused_width<K>];
  char* const* address;
  int l;
  if (!find_point(blocks, b, l, address, own)) return;
  const int i = b.lo[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2];
  const auto source = [&](int o, int s) {
    return s < e.sources ? reinterpret_cast<const Real*>(address[handles + o * (1 + most) + 1 + s])[c] : Real(0);
  };
  constexpr bool early = outputs * most <= 16;
  Real from[early ? outputs : 1][most];
  if constexpr (early) {
#pragma unroll
    for (int o = 0; o < outputs; ++o)
#pragma unroll
      for (int s = 0; s < most; ++s) from[o][s] = source(o, s);
  }
  Real kept[outputs];
  FusedPoint<dim, Real, handles - outputs> p{{{g, i, j, l}, address, c, b.stride[1], b.stride[2]}, kept};
  k(p);
#pragma unroll
  for (int o = 0; o < outputs; ++o) {
    Real sum = static_cast<Real>(e.b) * kept[o];
#pragma unroll
    for (int s = 0; s < most; ++s)
      if (s < e.sources) sum += static_cast<Real>(e.a[s]) * (early ? from[early ? o : 0][s] : source(o, s));
    reinterpret_cast<Real*>(address[handles + o * (1 + most)])[c] = sum;
  }
}

// Each thread block walks rows and leaves one partial result; the host combines them.
template <class K, int dim, class Value> __global__ void __launch_bounds__(device_threads)
    device_reduce(const __grid_constant__ K parameters, const BlockLaunch* blocks, int n_blocks,
                  const __grid_constant__ Geometry g, Value* partial) {
  K k = parameters;
  number_handles(k);
  Value mine = Value::identity();
  for (int n = 0; n < n_blocks; ++n) {
    const BlockLaunch b = blocks[n];
    char* address[handle_count<K>.all];
#pragma unroll
    for (int h = 0; h < handle_count<K>.all; ++h) address[h] = b.address[h];
    const Offset nj = b.hi[1] - b.lo[1], rows = nj * (b.hi[2] - b.lo[2]);
    for (Offset r = blockIdx.x * blockDim.y + threadIdx.y; r < rows; r += gridDim.x * blockDim.y) {
      const int j = b.lo[1] + static_cast<int>(r % nj), l = b.lo[2] + static_cast<int>(r / nj);
      const Offset row = (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2] - b.first[0];
      for (int i = b.lo[0] + static_cast<int>(threadIdx.x); i < b.hi[0]; i += blockDim.x) {
        DirectPoint<dim> p{{g, i, j, l}, address, row + i, b.stride[1], b.stride[2]};
        mine.combine(k(p));
      }
    }
  }
  alignas(16) __shared__ unsigned char memory[device_threads * sizeof(Value)];
  Value* all = reinterpret_cast<Value*>(memory);
  const int t = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  all[t] = mine;
  for (int half = device_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) all[t].combine(all[t + half]);
  }
  if (t == 0) partial[blockIdx.x] = all[0];
}

#ifndef __CUDACC_RTC__
template <int n, bool many> DeviceBlocks<n, many> device_blocks(const Launch& l, const DeviceQueue& q, int planes) {
  DeviceBlocks<n, many> d;
  if constexpr (many) d.blocks = q.blocks, d.planes = planes;
  else {
    d.block = l.blocks[0];
    for (int h = 0; h < n; ++h) d.address[h] = l.blocks[0].address[h];
  }
  return d;
}

template <class K, int dim, class Real, bool fusable, bool many>
void launch_points(const void* kernel, const Launch& l, const DeviceQueue& q) {
  int most[3] = {};
  for (int n = 0; n < l.n_blocks; ++n)
    for (int d = 0; d < 3; ++d) {
      const int extent = l.blocks[n].hi[d] - l.blocks[n].lo[d];
      most[d] = extent > most[d] ? extent : most[d];
    }
  // Long rows first; a face along x is a few points wide, and takes as many rows instead.
  unsigned x = 128;
  while (x > 4 && static_cast<int>(x) / 2 >= most[0]) x /= 2;
  const dim3 threads(x, device_threads / x);
  const dim3 grid((most[0] + threads.x - 1) / threads.x, (most[1] + threads.y - 1) / threads.y, most[2] * (many ? l.n_blocks : 1));
  const K& k = *static_cast<const K*>(kernel);
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if constexpr (fusable)
    if (l.epilogue) {
      device_fused<K, dim, Real, many><<<grid, threads, 0, stream>>>(k, device_blocks<fused_width<K>, many>(l, q, most[2]), l.geometry, *l.epilogue);
      return;
    }
  device_direct<K, dim, many><<<grid, threads, 0, stream>>>(k, device_blocks<handle_count<K>.all, many>(l, q, most[2]), l.geometry);
}

// Launches and does not wait. Addresses in the launch are the device's. Returns the number of partial results.
template <class K, int dim, class Real, bool fusable> int launch_device(const void* kernel, const Launch& l, const DeviceQueue& q) {
  using Value = decltype((*static_cast<const K*>(nullptr))(*static_cast<DirectPoint<dim>*>(nullptr)));
  if constexpr (!__is_same(Value, void)) {
    Offset rows = 0;
    for (int n = 0; n < l.n_blocks; ++n)
      rows += static_cast<Offset>(l.blocks[n].hi[1] - l.blocks[n].lo[1]) * (l.blocks[n].hi[2] - l.blocks[n].lo[2]);
    Offset grid = (rows + 1) / 2;
    const Offset most = q.most_partials < 8 * q.multiprocessors ? q.most_partials : 8 * q.multiprocessors;
    grid = grid < 1 ? 1 : grid > most ? most : grid;
    device_reduce<K, dim, Value><<<static_cast<unsigned>(grid), dim3(128, 2), 0, static_cast<cudaStream_t>(q.stream)>>>(
        *static_cast<const K*>(kernel), q.blocks, l.n_blocks, l.geometry, reinterpret_cast<Value*>(q.partial));
    return static_cast<int>(grid);
  } else {
    if (q.blocks) launch_points<K, dim, Real, fusable, true>(kernel, l, q);
    else launch_points<K, dim, Real, fusable, false>(kernel, l, q);
    return 0;
  }
}
#endif
}  // namespace cereus::detail
