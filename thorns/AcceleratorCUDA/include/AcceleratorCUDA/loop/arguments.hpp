// What loops on a device are given, as host and device see it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::detail {
// Small thread blocks end one by one, so that the multiprocessors never run dry (but for marches of light kernels);
// twice as many in the bound, or the compiler takes registers that other blocks need (both measured on an H200).
inline constexpr int block_x = 32, block_y = 4, device_bound = 2 * block_x * block_y;
// Of a loop that returns a value. Thread blocks of a multiprocessor, at least: with three, sums would not fit the
// registers (measured on an H200).
inline constexpr int reduce_threads = 256, reduce_blocks = 2;

// What all thread blocks share: the strides of all blocks, and the first points of slabs, `n` of them. A single block
// and its geometry travel with the arguments, in constant memory; of many, each thread block fetches its own.
template <int n, bool many> struct DeviceBlocks {
  BlockLaunch block;
  Offset row, plane;  // elements
  Geometry geometry;
  char* address[n];
};
template <int n> struct DeviceBlocks<n, true> {
  const BlockLaunch* blocks;
  int planes;         // thread blocks along z, for the thickest block
  Offset row, plane;  // elements
  Geometry geometry[Launch::most_geometries];
  char* address[n];
};
// How many thread blocks of each block are next to its faces along y and z, where ghost zones are pushed.
struct EdgeTiles {
  unsigned low[2], high[2];
  unsigned planes;  // thread blocks along z of a block
};
}  // namespace cereus::detail
