// The loop of late kernels in 3D that share the faces of cells. Whoever computes a flux, it is by the same
// instructions: so its bits do not depend on where a block or a march begins.
#pragma once
#include "late.hpp"
namespace cereus::detail {
template <class K, class Large, class Real> struct SharingLate : Large {
  using Flux = FluxOf<K, Large>;
  static constexpr bool shares_faces = true;
  Flux below, above;  // across z
  bool mine;          // whether this thread writes
  using Large::operator();
  template <int axis> __device__ __forceinline__ Sides<Flux> faces(const K& k) const {
    const Large& p = *this;
    if constexpr (axis == 2) return {below, above};
    else if constexpr (axis == 0) {
      const Flux upper = k.template face<0, 1>(p);
      return {of_lane_before(upper), upper};
    } else {
      const auto f = k.template faces<axis>(p);
      return {f.lower, f.upper};
    }
  }
  __device__ __forceinline__ static Flux of_lane_before(const Flux& upper) {
    static_assert(sizeof(Flux) % sizeof(Real) == 0, "a flux is made of numbers");
    Flux lower;
#pragma unroll
    for (int n = 0; n < static_cast<int>(sizeof(Flux) / sizeof(Real)); ++n)
      reinterpret_cast<Real*>(&lower)[n] = __shfl_up_sync(0xffffffffU, reinterpret_cast<const Real*>(&upper)[n], 1);
    return lower;
  }
  struct Mine {
    Weighted<Real> to;
    bool mine;
    __device__ __forceinline__ void operator=(Real x) const {
      if (mine) to = x;
    }
  };
  __device__ __forceinline__ Mine operator()(Out<Real> v) const { return {Large::operator()(v), mine}; }
};

template <class K, int dim, class Real, Offset row, Offset plane, int sources, int x, int y, int z, int march>
__device__ __forceinline__ void sharing_loop(const K& parameters, const LateArguments<late_addresses<K>>& a) {
  static_assert(dim == 3 && x * y % 32 == 0 && z == 1 && is_large<K>());
  K k = parameters;
  number_handles(k);
  const BlockLaunch& b = a.blocks ? a.blocks[blockIdx.y] : a.block;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32;
  const WalkedPoint point(a.walk, b, blockIdx.x, x * y / 32 * 31, t / 32 * 31 + lane, true);
  const bool mine = lane > 0 && !point.begins && point.i < b.hi[0] && point.j < point.rows;
  if (!__any_sync(0xffffffffU, mine)) return;
  const int i = min(point.i, b.hi[0] - 1), j = min(point.j, b.hi[1] - 1);
  const int first = b.lo[2] + point.plane * march, last = min(first + march, b.hi[2]);
  using Late = LatePoint<K, dim, Real, row, plane>;
  using Large = LargePoint<Late, Real, sources, x * y>;
  extern __shared__ double shared[];
  FluxOf<K, Large> below{};
#pragma unroll 1
  for (int l = first - 1; l < last; ++l) {
    const Offset c = b.at + (i - b.first[0]) + (j - b.first[1]) * row + (l - b.first[2]) * plane;
    const Large here{{{a.geometry[b.geometry], i, j, l}, a, c}, reinterpret_cast<Real*>(shared) + t};
    const FluxOf<K, Large> above = k.template face<2, 1>(here);
    if (l >= first) {
      SharingLate<K, Large, Real> p{here, below, above, mine};
      k(p);
    }
    below = above;
  }
}
}  // namespace cereus::detail
