// The planes that a sweep keeps: how they come in, move on, and reach the warps next to this one.
#pragma once
#include <cereus/kernel/member.hpp>

#include "tile.hpp"
namespace cereus::sweep {
using detail::count_up;
using detail::ints;

template <int n, class F> __device__ __forceinline__ void each(F&& f) {
  [&]<int... i>(ints<i...>) __attribute__((always_inline)) { (f.template operator()<i>(), ...); }
  (typename count_up<n>::type{});
}
template <int bytes> __device__ __forceinline__ void copy_async(unsigned to, const void* from) {
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(from) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(from), "n"(bytes) : "memory");
}
__device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int later> __device__ __forceinline__ void wait_group() {
  asm volatile("cp.async.wait_group %0;" : : "n"(later) : "memory");
}
__device__ __forceinline__ int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }

// Prog: the kernels and what they do, in which scalar type, and the strides of the block.
template <class Prog> struct Planes {
  using Real = typename Prog::Real;
  static constexpr Program about = Prog::about;
  static constexpr TileShape tile = Prog::tile;
  static constexpr auto plan = make_plan<tile.steps * about.substeps>(Prog::about, tile.steps);
  static constexpr Facts facts = facts_of<tile.steps * about.substeps>(Prog::about, Prog::tile, sizeof(Real));
  static constexpr int dim = about.dim, rows = tile.rows, lanes = tile.lanes, stream = dim - 1;
  static constexpr int vector = facts.vector, vectors = facts.vectors, vector_bytes = vector * sizeof(Real),
                       threads = 32 * tile.warps;
  static constexpr int lo_y = plan.lo[1], hi_y = plan.hi[1], lo_stream = plan.lo[stream], lag = plan.lag;
  struct alignas(vector_bytes) Vector {
    Real at[vector];
  };

  // Rows at the edges of warps: of each version that has them, so many planes, warps, rows and points.
  static constexpr int edge_rows(int v) { return plan.version[v].below + plan.version[v].above; }
  static constexpr int edge_offset(int v) {  // in points
    int at = 0;
    for (int n = 0; n < v; ++n)
      at += edge_rows(n) ? edge_slots(plan.version[n]) * tile.warps * edge_rows(n) * facts.width : 0;
    return at;
  }

  const Arguments& a;
  typename Prog::Kernels& kernels;
  char* memory;
  int lane, warp, x, y;                 // local coordinates of the lane's first point
  bool readable;                        // whether all points of the warp are, along x and y
  Real kept[plan.planes][rows][lanes];  // planes of versions, the newest of each first

  __device__ __forceinline__ Offset place(int i, int j, int k) const { return i + j * Prog::row + k * Prog::plane; }
  __device__ __forceinline__ int y_of(int r, int k) const { return dim == 2 ? k : y + r; }
  __device__ __forceinline__ int z_of(int k) const { return dim == 3 ? k : 0; }

  template <int v> __device__ __forceinline__ Real* edge(int k, int w) const {
    return reinterpret_cast<Real*>(memory + facts.ring_bytes) + edge_offset(v) +
           ((k & (edge_slots(plan.version[v]) - 1)) * tile.warps + w) * edge_rows(v) * facts.width + lane * lanes;
  }
  template <int v> __device__ __forceinline__ void load(int k) {  // asks for plane k of what comes in
    const Real* in = static_cast<const Real*>(a.in[plan.version[v].field]);
    const unsigned to =
        static_cast<unsigned>(__cvta_generic_to_shared(memory)) +
        (((k & (tile.ring - 1)) * plan.loaded + v) * rows * vectors * threads + threadIdx.x) * vector_bytes;
    if (readable && (dim == 1 || (k >= a.readable.lo[stream] && k < a.readable.hi[stream]))) {
      const Real* from = in + place(x, y_of(0, k), z_of(k));
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int n = 0; n < vectors; ++n)
          copy_async<vector_bytes>(to + (r * vectors + n) * threads * vector_bytes, from + r * Prog::row + n * vector);
    } else {  // what is not there is not needed either
      const int z = dim == 3 ? clamp(k, a.readable.lo[2], a.readable.hi[2] - 1) : 0;
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const Real* from = in + place(0, dim == 1 ? 0 : clamp(y_of(r, k), a.readable.lo[1], a.readable.hi[1] - 1), z);
#pragma unroll
        for (int n = 0; n < vectors; ++n)
          copy_async<vector_bytes>(to + (r * vectors + n) * threads * vector_bytes,
              from + clamp(x + n * vector, a.readable.lo[0], a.readable.hi[0] - vector));
      }
    }
  }
  template <int v> __device__ __forceinline__ void take(int k) {
    const char* from =
        memory + (((k & (tile.ring - 1)) * plan.loaded + v) * rows * vectors * threads + threadIdx.x) * vector_bytes;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int n = 0; n < vectors; ++n) {
        const Vector got = *reinterpret_cast<const Vector*>(from + (r * vectors + n) * threads * vector_bytes);
#pragma unroll
        for (int i = 0; i < vector; ++i) kept[plan.version[v].first][r][n * vector + i] = got.at[i];
      }
  }
  template <int v> __device__ __forceinline__ void age() {  // makes room for a new plane
    constexpr Version me = plan.version[v];
#pragma unroll
    for (int n = me.keep; n > 0; --n)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int i = 0; i < lanes; ++i) kept[me.first + n][r][i] = kept[me.first + n - 1][r][i];
  }
  template <int v> __device__ __forceinline__ void publish(int k) {  // rows for the warps next to this one
    constexpr Version me = plan.version[v];
    if constexpr (edge_rows(v) > 0) {
      Real* to = edge<v>(k, warp);
#pragma unroll
      for (int n = 0; n < edge_rows(v); ++n) {
        const int r = n < me.above ? n : rows - edge_rows(v) + n;  // the first rows, then the last
#pragma unroll
        for (int i = 0; i < lanes; i += vector) {
          Vector got;
#pragma unroll
          for (int e = 0; e < vector; ++e) got.at[e] = kept[me.first][r][i + e];
          *reinterpret_cast<Vector*>(to + n * facts.width + i) = got;
        }
      }
    }
  }
  template <int v> __device__ __forceinline__ void row_from(int k, int other, int n, Real* to) const {
    const Real* from = edge<v>(k, other) + n * facts.width;
#pragma unroll
    for (int i = 0; i < lanes; i += vector) {
      const Vector got = *reinterpret_cast<const Vector*>(from + i);
#pragma unroll
      for (int e = 0; e < vector; ++e) to[i + e] = got.at[e];
    }
  }
};
}  // namespace cereus::sweep
