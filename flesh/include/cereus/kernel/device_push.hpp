// Ghost zones that are filled by the kernel that updates the points which they repeat, on this device and on others. With
// others, thread blocks next to the faces come early: what they send, and the word that it is there, then has the time of a
// whole kernel to travel, and nobody waits.
#pragma once
#include "device_block.hpp"
namespace cereus::detail {
// The thread blocks of each block that are next to its faces along y and z, where ghost zones are pushed.
struct TileOrder {
  unsigned low[2], high[2];
  unsigned planes;  // thread blocks along z of a block
  unsigned rows;    // rows of them (along x) next to faces, of all blocks
  unsigned among;   // of a single block: until these are done, one row of so many is one of them
};
struct Tile { unsigned x, y, z; bool edge; };

// Of a single block: edges in the first half, but among others, because they leave memory idle while they hear and tell.
__device__ __forceinline__ Tile early_edges(const TileOrder& order) {
  const unsigned n = blockIdx.z * gridDim.y + blockIdx.y, nth = n / order.among;
  const unsigned ends_y = order.low[0] + order.high[0], ends_z = order.low[1] + order.high[1];
  const unsigned middle_y = gridDim.y - ends_y, middle_z = gridDim.z - ends_z;
  const auto skip_middle = [](unsigned at, unsigned low, unsigned middle) { return at < low ? at : at + middle; };
  if (nth >= order.rows || n % order.among) {
    const unsigned m = n - (nth < order.rows ? nth + 1 : order.rows);
    return {blockIdx.x, order.low[0] + m % middle_y, order.low[1] + m / middle_y, false};
  }
  unsigned m = nth;
  if (m < ends_z * gridDim.y) return {blockIdx.x, m % gridDim.y, skip_middle(m / gridDim.y, order.low[1], middle_z), true};
  m -= ends_z * gridDim.y;
  return {blockIdx.x, skip_middle(m % ends_y, order.low[0], middle_y), order.low[1] + m / ends_y, true};
}
template <bool many, bool early> __device__ __forceinline__ Tile find_tile(const Handshake& h, const TileOrder& order) {
  if constexpr (early)
    if (h.peers > 0) return early_edges(order);
  const unsigned z = many ? blockIdx.z % order.planes : blockIdx.z;
  return {blockIdx.x, blockIdx.y, blockIdx.z, blockIdx.y < order.low[0] || blockIdx.y + order.high[0] >= gridDim.y ||
                                                  z < order.low[1] || z + order.high[1] >= order.planes};
}

__device__ __forceinline__ bool first_thread() { return threadIdx.x == 0 && threadIdx.y == 0; }

// Until all neighbours have done the turn before: their ghosts are here, and may be overwritten there.
__device__ __forceinline__ void hear_neighbours(const Handshake& h) {
  if (first_thread())
    for (int p = 0; p < h.peers; ++p) {
      unsigned turn;
      do asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(turn) : "l"(h.heard + p) : "memory");
      while (static_cast<int>(turn - (h.turn - 1)) < 0);  // they may wrap around
    }
  __syncthreads();
}
// The last thread block has seen what all others stored, and so has a neighbour that hears of it: fences for this device
// do in each, where one for all devices would take microseconds.
__device__ __forceinline__ void tell_neighbours(const Handshake& h, unsigned edges) {
  __syncthreads();
  if (!first_thread()) return;
  __threadfence();
  if (atomicAdd(h.arrived, 1U) + 1 < edges) return;
  *h.arrived = 0;
  if (!h.last) return;
  __threadfence_system();
  for (int p = 0; p < h.peers; ++p)
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(h.tell[p]), "r"(h.turn) : "memory");
}
template <bool many, bool early> __device__ __forceinline__ Tile begin_tile(const Handshake& h, const TileOrder& order) {
  Tile t = find_tile<many, early>(h, order);
  if (h.peers > 0 && t.edge) hear_neighbours(h);
  asm volatile("" : "+r"(t.z) : : "memory");  // no address is known before, so that nothing is loaded earlier
  return t;
}
// Finds it anew, so that it takes no registers in between.
template <bool many, bool early> __device__ __forceinline__ Tile find_tile_again(const Handshake& h, const TileOrder& order) {
  Tile t = find_tile<many, early>(h, order);
  asm volatile("" : "+r"(t.x), "+r"(t.y), "+r"(t.z));
  return t;
}

// Across x from registers, because every thread block has points to push. `ghosts`: addresses at both sides.
template <class Real, class Lanes>
__device__ __forceinline__ void push_along_x(const Epilogue& e, const BlockLaunch& b, char* const* ghosts, int o, int i, Offset c, const Lanes& value) {
  const bool low = i < b.first[0] + e.layers[0];
  if (!(low || i >= b.end[0] - e.layers[0]) || !(e.pushed >> o & 1)) return;
  if (char* const to = low ? ghosts[0] : ghosts[1]) *reinterpret_cast<Lanes*>(reinterpret_cast<Real*>(to) + c) = value;
}
// Across y and z, in thread blocks next to these faces: what a thread has stored of its points (`lanes`, side by side) is
// read again. `rows`: of each output its destination, then the sources of its update.
template <int outputs, class Real, int lanes>
__device__ __forceinline__ void push_edge(const Epilogue& e, const BlockLaunch& b, char* const* rows, int i, int j, int l) {
  struct alignas(sizeof(Real) * lanes) Lanes { Real at[lanes]; };
  const int at[3] = {i, j, l};
  bool near = false;
#pragma unroll
  for (int d = 1; d < 3; ++d) near = near || at[d] < b.first[d] + e.layers[d] || at[d] >= b.end[d] - e.layers[d];
  if (!near) return;
#pragma unroll 1
  for (int o = 0; o < outputs; ++o) {
    if (!(e.pushed >> o & 1)) continue;
    const auto place = [&](char* to, Offset row, Offset plane) {
      return reinterpret_cast<Lanes*>(reinterpret_cast<Real*>(to) + (i - b.first[0]) + (j - b.first[1]) * row + (l - b.first[2]) * plane);
    };
    const Lanes value = *place(rows[o * Epilogue::addresses], b.stride[1], b.stride[2]);
#pragma unroll
    for (int face = 2; face < 6; ++face) {
      const int d = face / 2;
      if (face % 2 ? at[d] < b.end[d] - e.layers[d] : at[d] >= b.first[d] + e.layers[d]) continue;
      const GhostFace& f = b.ghosts[6 * o + face];
      if (f.to) *place(f.to, f.row, f.plane) = value;
    }
  }
}
}  // namespace cereus::detail
