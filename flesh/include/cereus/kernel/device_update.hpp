// The loop of a kernel into which an update of the time integrator is fused: the step of a simulation spends its time here.
#pragma once
#include "device_block.hpp"
#include "device_window.hpp"
namespace cereus::detail {
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
}  // namespace cereus::detail
