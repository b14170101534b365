// The device's loops over a kernel, one point a thread; seen only under nvcc or NVRTC. The launch table points here.
#pragma once
#include "device_window.hpp"
namespace cereus::detail {
// Small thread blocks end one by one, so that the multiprocessors never run dry; twice as many in the bound, or the
// compiler takes registers that other blocks need (both measured on an H200).
inline constexpr int block_x = 32, block_y = 4, device_bound = 2 * block_x * block_y, reduce_threads = 256;

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
template <int n> __device__ __forceinline__ bool find_plane(const DeviceBlocks<n, false>& all, int step, BlockLaunch& b, int& l, char* const*& address) {
  b = all.block;
  address = all.address;
  l = b.lo[2] + static_cast<int>(blockIdx.z) * step;
  return true;
}
template <int n> __device__ __forceinline__ bool find_plane(const DeviceBlocks<n, true>& all, int step, BlockLaunch& b, int& l, char* const*& address) {
  b = all.blocks[blockIdx.z / all.planes];
  address = b.address;
  l = b.lo[2] + static_cast<int>(blockIdx.z % all.planes) * step;
  return l < b.hi[2];
}

template <class K, int dim, bool many> __global__ void __launch_bounds__(device_bound)
    device_direct(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks,
                  const __grid_constant__ Geometry g) {
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* const* address;
  int l;
  if (!find_plane(blocks, 1, b, l, address)) return;
  const int i = b.lo[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * b.stride[2];
  DirectPoint<dim> p{{g, i, j, l}, address, c, b.stride[1], b.stride[2]};
  k(p);
}

template <class K> inline constexpr int fused_width = handle_count<K>.all + handle_count<K>.outputs * (1 + Epilogue::max_sources);

// A thread updates as many points side by side as 16 bytes hold, and, where that needs few registers, two of them one
// above the other: neighbours in z are then read from the second-level cache once, and more is under way at a time.
struct Tile { int lanes, points; };
template <class K, int dim, class Real> constexpr Tile tile_of() {
  if constexpr (sizeof(Real) > 8) return {1, 1};
  else {
    constexpr int lanes = 16 / sizeof(Real);
    constexpr auto sizes = window_sizes<K, dim, lanes, 1>;
    if (!sizes.fits || sizes.all == 0 || sizes.all > 64) return {1, 1};
    return {lanes, dim > 2 && sizes.all <= 8 ? 2 : 1};
  }
}

// What is written stays in registers until the epilogue has turned it into an update; all is read before anything is
// stored, so that reads that several points share happen once.
template <class K, int dim, class Real, int points, int lanes> struct FusedUpdate {
  static constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs, most = Epilogue::max_sources;
  Real kept[points][lanes][outputs];

  template <class Point> __device__ __forceinline__ static void apply_to(const K& k, Point p) { k(p); }

  template <int... lane, int... z> __device__ __forceinline__ void apply(K& k, const Geometry& g, const Epilogue& e, const BlockLaunch& b,
                                                                         char* const* address, int i, int j, int l, ints<lane...> all_lanes, ints<z...>) {
    const Offset sk = b.stride[2], c = (i - b.first[0]) + (j - b.first[1]) * b.stride[1] + (l - b.first[2]) * sk;
    if constexpr (lanes > 1) {
      constexpr int size = window_sizes<K, dim, lanes, points>.most;
      Vector16 vectors[handles - outputs][size];
      for_each_member(k, WindowLoader<dim, lanes, points, size>{vectors, address, c, b.stride[1], sk});
      const auto plane = [&]<int plane_>(detail::ints<plane_>) {
        (apply_to(k, WindowPoint<dim, Real, handles - outputs, lanes, points, size, lane, plane_>{
                         {{{g, i + lane, j, l + plane_}, address, c + lane + plane_ * sk, b.stride[1], sk}, kept[plane_][lane]}, vectors}), ...);
      };
      (plane(detail::ints<z>{}), ...);
#pragma unroll
      for (int p = 0; p < points; ++p)
#pragma unroll
        for (int o = 0; o < outputs; ++o) (settle(kept[p][lane][o]), ...);
    } else
      (apply_to(k, FusedPoint<dim, Real, handles - outputs>{{{g, i, j, l + z}, address, c + z * sk, b.stride[1], sk}, kept[z][0]}), ...);
#pragma unroll
    for (int p = 0; p < points; ++p)
#pragma unroll
      for (int o = 0; o < outputs; ++o) store(e, address + handles + o * (1 + most), c + p * sk, p, o, all_lanes);
  }

  template <int... lane> __device__ __forceinline__ void store(const Epilogue& e, char* const* row, Offset c, int z, int o, ints<lane...>) const {
    struct alignas(sizeof(Real) * lanes) Lanes { Real at[lanes]; };
    Lanes sum;
    ((sum.at[lane] = static_cast<Real>(e.b) * kept[z][lane][o]), ...);
#pragma unroll
    for (int s = 0; s < most; ++s)
      if (s < e.sources) {
        const Lanes from = *reinterpret_cast<const Lanes*>(reinterpret_cast<const Real*>(row[1 + s]) + c);
        ((sum.at[lane] += static_cast<Real>(e.a[s]) * from.at[lane]), ...);
      }
    if constexpr (lanes > 1) store16(reinterpret_cast<Real*>(row[0]) + c, __builtin_bit_cast(Vector16, sum));
    else reinterpret_cast<Real*>(row[0])[c] = sum.at[0];
  }
};

template <class K, int dim, class Real, bool many> __global__ void __launch_bounds__(device_bound)
    device_fused(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<fused_width<K>, many> blocks,
                 const __grid_constant__ Geometry g, const __grid_constant__ Epilogue e) {
  constexpr int lanes = tile_of<K, dim, Real>().lanes, points = tile_of<K, dim, Real>().points;
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* const* address;
  int l;
  if (!find_plane(blocks, points, b, l, address)) return;
  // The box may begin between two vectors.
  const int begin = b.first[0] + (b.lo[0] - b.first[0]) / lanes * lanes;
  const int i = begin + lanes * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  if (i >= b.lo[0] && i + lanes <= b.hi[0] && l + points <= b.hi[2])
    FusedUpdate<K, dim, Real, points, lanes>{}.apply(k, g, e, b, address, i, j, l, typename count_up<lanes>::type{}, typename count_up<points>::type{});
  else
    for (int z = l; z < b.hi[2] && z < l + points; ++z)
      for (int x = i < b.lo[0] ? b.lo[0] : i; x < b.hi[0] && x < i + lanes; ++x)
        FusedUpdate<K, dim, Real, 1, 1>{}.apply(k, g, e, b, address, x, j, z, ints<0>{}, ints<0>{});
}

// Each thread block walks rows and leaves one partial result; the host combines them.
template <class K, int dim, class Value> __global__ void __launch_bounds__(reduce_threads)
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
  alignas(16) __shared__ unsigned char memory[reduce_threads * sizeof(Value)];
  Value* all = reinterpret_cast<Value*>(memory);
  const int t = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  all[t] = mine;
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
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
  const bool fused = fusable && l.epilogue;
  const Tile tile = fused ? tile_of<K, dim, Real>() : Tile{1, 1};
  const int vectors = (most[0] + 2 * tile.lanes - 2) / tile.lanes;  // one more where the box begins between two
  const int columns = (most[2] + tile.points - 1) / tile.points;
  // A face along x is a few points wide, and takes more rows instead.
  unsigned x = block_x;
  while (x > 2 && static_cast<int>(x) / 2 >= vectors) x /= 2;
  if (dim == 1) x = block_x * block_y;
  const dim3 threads(x, block_x * block_y / x);
  const dim3 grid((vectors + threads.x - 1) / threads.x, (most[1] + threads.y - 1) / threads.y, columns * (many ? l.n_blocks : 1));
  const K& k = *static_cast<const K*>(kernel);
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if constexpr (fusable)
    if (l.epilogue) {
      device_fused<K, dim, Real, many><<<grid, threads, 0, stream>>>(k, device_blocks<fused_width<K>, many>(l, q, columns), l.geometry, *l.epilogue);
      return;
    }
  device_direct<K, dim, many><<<grid, threads, 0, stream>>>(k, device_blocks<handle_count<K>.all, many>(l, q, columns), l.geometry);
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
