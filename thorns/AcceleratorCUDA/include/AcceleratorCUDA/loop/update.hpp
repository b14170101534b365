// The loop of a kernel into which an update of the time integrator is fused: the step of a simulation spends its time
// here.
#pragma once
#include "push.hpp"
#include "window.hpp"
namespace cereus::detail {
// What is written stays in registers until the epilogue has turned it into an update; all is read before anything is
// stored, so that reads that several points share happen once.
template <class K, int dim, class Real, int lanes, class Axes = UniformAxes> struct FusedUpdate {
  static constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs, most = Epilogue::max_sources,
                       inputs = handles > outputs ? handles - outputs : 1;  // of arrays; initial data may read nothing
  Real kept[lanes][outputs];

  template <class Point> __device__ __forceinline__ static void apply_to(const K& k, Point p) { k(p); }

  // Points i … i + lanes − 1.
  template <int sources = most, class Blocks, int... lane>
  __device__ __forceinline__ void apply(
      K& k, const Blocks& blocks, const Epilogue& e, const BlockLaunch& b, int i, int j, int l, ints<lane...> all) {
    const Offset c = offset_of(blocks, b, i, j, l);
    if constexpr (lanes > 1) apply_in_window(k, blocks, b, i, j, l, c, all);
    else
      apply_to(k, FusedPoint<dim, Real, handles - outputs, Axes>{
                      {{geometry_of(blocks, b), i, j, l}, blocks.address, c, blocks.row, blocks.plane}, kept[0]});
#pragma unroll
    for (int o = 0; o < outputs; ++o)
      store<sources>(e, b, blocks.address + handles + o * Epilogue::addresses, c, i, o, all);
  }
  // The same to `kept` alone, from what is read around them; c: the place of the first.
  template <class Blocks, int... lane>
  __device__ __forceinline__ void apply_in_window(
      K& k, const Blocks& blocks, const BlockLaunch& b, int i, int j, int l, Offset c, ints<lane...> all) {
    constexpr int size = window_sizes<K, dim, lanes>.most;
    constexpr Offset bytes = sizeof(Real);
    Vector16 vectors[inputs][size];
    const char* at_point[inputs];
#pragma unroll
    for (int h = 0; h < handles - outputs; ++h) at_point[h] = blocks.address[h] + c * bytes;
    for_each_handle(
        k, WindowLoader<dim, lanes, size, true>{vectors, at_point, blocks.row * bytes, blocks.plane * bytes});
    apply_to_window(k, geometry_of(blocks, b), vectors, blocks.address, c, i, j, l, blocks.row, blocks.plane, all);
  }
  template <int size, int... lane>
  __device__ __forceinline__ void apply_to_window(const K& k, const Geometry& g,
      const Vector16 (&vectors)[inputs][size], char* const* address, Offset c, int i, int j, int l, Offset sj,
      Offset sk, ints<lane...>) {
    (apply_to(k,
         WindowPoint<dim, Real, handles - outputs, lanes, size, lane>{
             {{{g, i + lane, j, l}, address, c + lane, sj, sk}, kept[lane]}, vectors}),
        ...);
#pragma unroll
    for (int o = 0; o < outputs; ++o) (settle(kept[lane][o]), ...);
  }

  struct alignas(sizeof(Real) * lanes) Lanes {
    Real at[lanes];
  };
  // The update of output o, in its destination and from its sources, which `row` has. `sources`: how many there may be.
  template <int sources, int... lane>
  __device__ __forceinline__ Lanes put(
      const Epilogue& e, char* const* row, Offset at_byte, int o, ints<lane...>) const {
    Lanes sum;
    ((sum.at[lane] = Real(-0.)), ...);
#pragma unroll
    for (int s = 0; s < sources; ++s)
      if (sources == 1 || s < e.sources) {
        const Lanes from = load_once < dim == 3 && (sources > 1), Lanes > (row[1 + s] + at_byte);
        ((sum.at[lane] += static_cast<Real>(e.a[s]) * from.at[lane]), ...);
      }
    ((sum.at[lane] += static_cast<Real>(e.b) * kept[lane][o]), ...);
    store_once<dim == 3 && (sources > 1)>(row[0] + at_byte, sum);
    return sum;
  }
  template <int sources, int... lane>
  __device__ __forceinline__ void store(
      const Epilogue& e, const BlockLaunch& b, char* const* row, Offset c, int i, int o, ints<lane...> all) const {
    const Lanes sum = put<sources>(e, row, c * static_cast<Offset>(sizeof(Real)), o, all);
    push_along_x<Real>(e, b, row[0], o, i, c, sum);
  }
};

// Calls vector(i) or, where that would leave the box, point(i) for what a thread does of a row.
template <int lanes, class Vector, class Point>
__device__ __forceinline__ void for_each_vector(const BlockLaunch& b, unsigned tile_x, Vector&& vector, Point&& point) {
  const int i = find_vector<lanes>(b, tile_x);
  if (i >= b.lo[0] && i + lanes <= b.hi[0]) vector(i);
  else if constexpr (lanes > 1)
    for (int x = i < b.lo[0] ? b.lo[0] : i; x < b.hi[0] && x < i + lanes; ++x) point(x);
}

// The block, row and lowest plane of this thread, in a thread block at a tile; false where there is nothing to do.
template <int planes, class Blocks>
__device__ __forceinline__ bool find_row(const Blocks& all, Tile tile, BlockLaunch& b, int& j, int& l) {
  if (!find_plane(all, tile.z, planes, b, l)) return false;
  j = b.lo[1] + static_cast<int>(tile.y * blockDim.y + threadIdx.y);
  return j < b.hi[1];
}

template <int planes, class F> __device__ __forceinline__ void for_each_plane(const BlockLaunch& b, int lowest, F&& f) {
  if constexpr (planes == 1) f(lowest);
  else
#pragma unroll 1
    for (int l = lowest; l < min(lowest + planes, b.hi[2]); ++l) f(l);
}

template <class K, int dim, class Real, bool many, class Axes>
__device__ __forceinline__ void update_tile(
    const K& parameters, const DeviceBlocks<fused_width<K>, many>& blocks, const Epilogue& e, Tile tile) {
  constexpr int lanes = lanes_of<K, dim, Real, Axes>(), planes = fused_planes<Axes>;
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  int j, lowest;
  if (!find_row<planes>(blocks, tile, b, j, lowest)) return;
  for_each_vector<lanes>(
      b, tile.x,
      [&](int i) {
        for_each_plane<planes>(b, lowest, [&](int l) {
          FusedUpdate<K, dim, Real, lanes, Axes>{}.apply(k, blocks, e, b, i, j, l, typename count_up<lanes>::type{});
        });
      },
      [&](int i) {
        for_each_plane<planes>(
            b, lowest, [&](int l) { FusedUpdate<K, dim, Real, 1, Axes>{}.apply(k, blocks, e, b, i, j, l, ints<0>{}); });
      });
}

// Ghost zones across y and z, in a thread block next to such a face.
template <class K, int dim, class Real, bool many, class Axes>
__device__ __forceinline__ void push_tile(const DeviceBlocks<fused_width<K>, many>& blocks, const Epilogue& e) {
  constexpr int lanes = lanes_of<K, dim, Real, Axes>(), handles = handle_count<K>.all,
                outputs = handle_count<K>.outputs, planes = fused_planes<Axes>;
  const Tile tile = find_tile();
  BlockLaunch b;
  int j, lowest;
  if (!find_row<planes>(blocks, tile, b, j, lowest)) return;
  for_each_plane<planes>(b, lowest, [&](int l) {
    for_each_vector<lanes>(
        b, tile.x, [&](int i) { push_edge<outputs, Real, lanes>(e, blocks, b, blocks.address + handles, i, j, l); },
        [&](int i) { push_edge<outputs, Real, 1>(e, blocks, b, blocks.address + handles, i, j, l); });
  });
}

// How many thread blocks a multiprocessor has registers for, at least. In light kernels (a wave of order 4) the
// compiler would take more registers to push with, and others would wait for memory.
template <class K, int dim, class Real, class Axes> constexpr int least_blocks() {
  constexpr int lanes = lanes_of<K, dim, Real, Axes>();
  if constexpr (Axes::mapped) return handle_count<K>.outputs > 2 ? 1 : 4;
  else if constexpr (lanes == 1) return 1;
  else return handle_count<K>.outputs > 2 || window_sizes<K, dim, lanes>.all > 24 ? 1 : 4;
}

template <class K, int dim, class Real, bool many, class Axes>
__global__ void __launch_bounds__(device_bound, least_blocks<K, dim, Real, Axes>()) device_fused(
    const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<fused_width<K>, many> blocks,
    const __grid_constant__ Epilogue e, const __grid_constant__ EdgeTiles edges) {
  update_tile<K, dim, Real, many, Axes>(parameters, blocks, e, find_tile());
  if (at_edge<many>(edges)) push_tile<K, dim, Real, many, Axes>(blocks, e);
}
}  // namespace cereus::detail
