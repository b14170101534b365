// Ghost zones that are filled by the kernel that updates the points which they repeat.
#pragma once
#include "block.hpp"
namespace cereus::detail {
struct Tile {
  unsigned x, y, z;
};

template <bool many> __device__ __forceinline__ bool at_edge(const EdgeTiles& edges) {
  const unsigned z = many ? blockIdx.z % edges.planes : blockIdx.z;
  return blockIdx.y < edges.low[0] || blockIdx.y + edges.high[0] >= gridDim.y || z < edges.low[1] ||
         z + edges.high[1] >= edges.planes;
}
// Where this thread block is, as if it had not been known before: else the compiler keeps parts of addresses in
// registers.
__device__ __forceinline__ Tile find_tile() {
  Tile t{blockIdx.x, blockIdx.y, blockIdx.z};
  asm volatile("" : "+r"(t.x), "+r"(t.y), "+r"(t.z));
  return t;
}

// Across x from registers, because every thread block has points to push. `to`: the destination of the update; c: the
// offset of the first of the points in it.
template <class Real, class Lanes>
__device__ __forceinline__ void push_along_x(
    const Epilogue& e, const BlockLaunch& b, char* to, int o, int i, Offset c, const Lanes& value) {
  const bool low = i < b.first[0] + e.layers[0];
  if (!(low || i >= b.end[0] - e.layers[0]) || !(e.pushed >> o & 1)) return;
  if (const Offset ghosts = low ? b.ghosts[0] : b.ghosts[1]; ghosts != BlockLaunch::nowhere)
    *reinterpret_cast<Lanes*>(reinterpret_cast<Real*>(to) + (c - b.at + ghosts)) = value;
}
// Across y and z, in thread blocks next to these faces: what a thread has stored of its points (`lanes`, side by side)
// is read again. `rows`: of each output its destination, then the sources of its update.
template <int outputs, class Real, int lanes, class Blocks>
__device__ __forceinline__ void push_edge(
    const Epilogue& e, const Blocks& all, const BlockLaunch& b, char* const* rows, int i, int j, int l) {
  struct alignas(sizeof(Real) * lanes) Lanes {
    Real at[lanes];
  };
  const int at[3] = {i, j, l};
  bool near = false;
#pragma unroll
  for (int d = 1; d < 3; ++d) near = near || at[d] < b.first[d] + e.layers[d] || at[d] >= b.end[d] - e.layers[d];
  if (!near) return;
  const Offset c = offset_of(all, b, i, j, l);
#pragma unroll 1
  for (int o = 0; o < outputs; ++o) {
    if (!(e.pushed >> o & 1)) continue;
    Real* const to = reinterpret_cast<Real*>(rows[o * Epilogue::addresses]);
    const Lanes value = *reinterpret_cast<const Lanes*>(to + c);
#pragma unroll
    for (int face = 2; face < 6; ++face) {
      const int d = face / 2;
      if (face % 2 ? at[d] < b.end[d] - e.layers[d] : at[d] >= b.first[d] + e.layers[d]) continue;
      if (b.ghosts[face] != BlockLaunch::nowhere) *reinterpret_cast<Lanes*>(to + (c - b.at + b.ghosts[face])) = value;
    }
  }
}
}  // namespace cereus::detail
