// How threads find their point in the blocks of a launch, and the plain loop: one point a thread.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
namespace cereus::detail {
// Small thread blocks end one by one, so that the multiprocessors never run dry (but for marches of light kernels);
// twice as many in the bound, or the compiler takes registers that other blocks need (both measured on an H200).
inline constexpr int block_x = 32, block_y = 4, device_bound = 2 * block_x * block_y;

// What all thread blocks share: the first points of slabs, `n` of them, and the strides of all blocks. A single block
// and its geometry travel with the arguments, in constant memory; of many, each thread block fetches its own.
template <int n, bool many> struct DeviceBlocks {
  BlockLaunch block;
  char* address[n];
  Offset row, plane;  // elements
  Geometry geometry;
};
template <int n> struct DeviceBlocks<n, true> {
  const BlockLaunch* blocks;
  int planes;  // thread blocks along z, for the thickest block
  char* address[n];
  Offset row, plane;
  Geometry geometry[Launch::most_geometries];
};
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

// A kernel that picks variables at run time, picks() of them, is applied where its arguments lie: of a copy in
// registers nothing can be picked but through a thread's memory. The host numbers its handles. Each thread takes a
// group of `at_once` variables, by by_groups<at_once>(p, begin, end): faces have few points, and one thread for all
// variables of a point would wait for each group in turn.
template <class K> constexpr bool picks_handles() {
  return requires { K::at_once; };
}
template <class K> CEREUS_KERNEL unsigned groups_of(const K& k) {  // of variables
  if constexpr (picks_handles<K>()) return static_cast<unsigned>((k.picks() + K::at_once - 1) / K::at_once);
  else return 1;
}

// What a thread reads behind a branch, or after it has written, waits for what came before. A kernel for which finding
// a point takes as long as the rest may say what it reads first,
//   auto read(const auto& p) const;
//   void operator()(auto& p, const auto& read) const;     // the rest; or a value
// beside its operator of a point: then a thread takes two points of a row, and what both read is under way together.
template <class K, class Point> constexpr bool reads_first() {
  return !picks_handles<K>() && requires(const K& k, const Point& p) { k.read(p); };
}

template <class K, int dim, bool many, class Axes = UniformAxes>
__global__ void __launch_bounds__(device_bound) device_direct(
    const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks) {
  BlockLaunch b;
  int l;
  if (!find_plane(blocks, blockIdx.z, 1, b, l)) return;
  const unsigned groups = groups_of(parameters);  // thread blocks side by side have the same points
  constexpr bool two = reads_first<K, DirectPoint<dim, Axes>>();
  const int i = b.lo[0] + static_cast<int>(blockIdx.x / groups * blockDim.x * (two ? 2 : 1) + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  DirectPoint<dim, Axes> p{
      {geometry_of(blocks, b), i, j, l}, blocks.address, offset_of(blocks, b, i, j, l), blocks.row, blocks.plane};
  if constexpr (picks_handles<K>()) {
    const int begin = static_cast<int>(blockIdx.x % groups) * K::at_once;
    parameters.template by_groups<K::at_once>(p, begin, min(begin + K::at_once, parameters.picks()));
  } else {
    K k = parameters;
    number_handles(k);
    if constexpr (two) {
      DirectPoint<dim, Axes> other = p;
      other.i += static_cast<int>(blockDim.x), other.c += blockDim.x;
      if (other.i < b.hi[0]) {
        const auto of_one = k.read(p), of_other = k.read(other);
        return k(p, of_one), k(other, of_other);
      }
    }
    k(p);
  }
}
}  // namespace cereus::detail
