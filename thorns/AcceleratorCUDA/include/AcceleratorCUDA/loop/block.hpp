// How threads find their point in the blocks of a launch, and the plain loop: one point a thread.
#pragma once
#include "arguments.hpp"
#include "facts.hpp"
namespace cereus::detail {
template <int n>
__device__ __forceinline__ const Geometry& geometry_of(const DeviceBlocks<n, false>& all, const BlockLaunch&) {
  return all.geometry;
}
template <int n>
__device__ __forceinline__ const Geometry& geometry_of(const DeviceBlocks<n, true>& all, const BlockLaunch& b) {
  return all.geometry[b.geometry];
}

// The block and plane of this thread; false where there is nothing to do.
template <int n>
__device__ __forceinline__ bool find_plane(
    const DeviceBlocks<n, false>& all, unsigned z, int step, BlockLaunch& b, int& l) {
  b = all.block;
  l = b.lo[2] + static_cast<int>(z) * step;
  return true;
}
template <int n>
__device__ __forceinline__ bool find_plane(
    const DeviceBlocks<n, true>& all, unsigned z, int step, BlockLaunch& b, int& l) {
  b = all.blocks[z / all.planes];
  l = b.lo[2] + static_cast<int>(z % all.planes) * step;
  return l < b.hi[2];
}
// The first of the points side by side that this thread updates, in a thread block at x. The box may begin and end
// between two vectors.
template <int lanes> __device__ __forceinline__ int find_vector(const BlockLaunch& b, unsigned x) {
  return b.first[0] + (b.lo[0] - b.first[0]) / lanes * lanes + lanes * static_cast<int>(x * blockDim.x + threadIdx.x);
}
// Elements from the first point of a slab to a point of the block.
template <class Blocks>
__device__ __forceinline__ Offset offset_of(const Blocks& all, const BlockLaunch& b, int i, int j, int l) {
  return b.at + (i - b.first[0]) + (j - b.first[1]) * all.row + (l - b.first[2]) * all.plane;
}

template <class K, int dim, bool many, class Axes = UniformAxes>
__global__ void __launch_bounds__(device_bound) device_direct(
    const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks) {
  BlockLaunch b;
  int l;
  if (!find_plane(blocks, blockIdx.z, 1, b, l)) return;
  const unsigned groups = groups_of(parameters);  // thread blocks side by side have the same points
  using Point = DirectPoint<dim, Axes>;
  constexpr int points = points_of_thread<K, Point, plain_points>();
  const int i = b.lo[0] + static_cast<int>(blockIdx.x / groups * blockDim.x * points + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  Point p{{geometry_of(blocks, b), i, j, l}, blocks.address, offset_of(blocks, b, i, j, l), blocks.row, blocks.plane};
  if constexpr (picks_handles<K>()) {
    const int begin = static_cast<int>(blockIdx.x % groups) * K::at_once;
    parameters.template by_groups<K::at_once>(p, begin, min(begin + K::at_once, parameters.picks()));
  } else {
    K k = parameters;
    number_handles(k);
    if constexpr (points > 1) {
      const int step = static_cast<int>(blockDim.x);
      const auto point = [&](int n) {
        Point other = p;
        other.i += n * step, other.c += n * step;
        return other;
      };
      if (point(points - 1).i < b.hi[0]) {
        decltype(k.read(p)) read[points];
        for (int n = 0; n < points; ++n) read[n] = k.read(point(n));
        for (int n = 0; n < points; ++n) {
          Point at = point(n);
          k(at, read[n]);
        }
        return;
      }
      for (; p.i + step < b.hi[0]; p.i += step, p.c += step) k(p);
    }
    k(p);
  }
}
}  // namespace cereus::detail
