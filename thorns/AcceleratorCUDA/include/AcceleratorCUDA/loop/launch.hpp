// How a loop on a device is launched; the launch table of a kernel (cereus/kernel_table.hpp) points here.
#pragma once
#include "march.hpp"
#include "modify.hpp"
#include "reduce.hpp"
namespace cereus::detail {
template <class... Argument>
void start(const DeviceQueue& q, void (*kernel)(Argument...), dim3 grid, dim3 threads,
    const std::type_identity_t<Argument>&... a) {
  static_assert(sizeof...(a) <= DeviceCall::most_arguments);
  q.start(q.owner, {reinterpret_cast<const void*>(kernel), {grid.x, grid.y, grid.z}, {threads.x, threads.y, threads.z},
                       sizeof...(a), {static_cast<const void*>(&a)...}, {static_cast<unsigned>(sizeof a)...}});
}

template <class K> K as_argument(K k) {
  if constexpr (picks_handles<K>()) number_handles(k);
  return k;
}

template <int n, bool many> DeviceBlocks<n, many> device_blocks(const Launch& l, const DeviceQueue& q, int planes) {
  DeviceBlocks<n, many> d{};
  if constexpr (many) {
    d.blocks = q.blocks, d.planes = planes;
    for (int g = 0; g < l.geometries; ++g) d.geometry[g] = l.geometry[g];
  } else {
    d.block = l.list.blocks[0];
    d.geometry = l.geometry[d.block.geometry];
  }
  for (int h = 0; h < n; ++h) d.address[h] = l.address[h];
  d.row = l.stride[1], d.plane = l.stride[2];
  return d;
}

// Thread blocks over all boxes, where a thread does `lanes` points side by side in each of `planes` planes (rows, in
// 2D).
struct DeviceShape {
  dim3 grid, threads;
  int columns;  // thread blocks along z, for the thickest box
  DeviceShape(const Launch& l, int dim, int lanes, int planes, unsigned rows = block_y) {
    int most[3] = {}, vectors = 0;
    for (int n = 0; n < l.list.n_blocks; ++n) {
      const BlockLaunch& b = l.list.blocks[n];
      for (int d = 0; d < 3; ++d) most[d] = b.hi[d] - b.lo[d] > most[d] ? b.hi[d] - b.lo[d] : most[d];
      const int before = (b.lo[0] - b.first[0]) % lanes, mine = (before + b.hi[0] - b.lo[0] + lanes - 1) / lanes;
      vectors = mine > vectors ? mine : vectors;
    }
    // A layer along a face across x is a few points wide, and takes more rows instead; one across y takes longer rows.
    const unsigned all = block_x * rows;
    unsigned x = vectors > block_x / 2 ? block_x : vectors < 1 ? 1 : vectors, y = dim == 1 ? 1 : all / x;
    while (y > 1 && static_cast<int>(y) / 2 >= most[1]) y /= 2;
    if (dim == 1 || (x == block_x && vectors > block_x)) x = all / y;
    threads = dim3(x, y);
    if (dim > 1) most[dim - 1] = (most[dim - 1] + planes - 1) / planes;
    columns = most[2];
    grid =
        dim3((vectors + threads.x - 1) / threads.x, (most[1] + threads.y - 1) / threads.y, columns * l.list.n_blocks);
  }
};

inline EdgeTiles edges_of(const Launch& l, const DeviceShape& shape) {
  EdgeTiles edges{};
  edges.planes = shape.columns;
  if (!l.epilogue->pushed) return edges;
  const int rows[2] = {static_cast<int>(shape.threads.y), 1};
  const unsigned all[2] = {shape.grid.y, edges.planes};
  for (int d = 0; d < 2; ++d) {
    const int layers = l.epilogue->layers[d + 1], extent = l.list.blocks[0].hi[d + 1] - l.list.blocks[0].lo[d + 1];
    if (layers == 0) continue;
    edges.low[d] = (layers + rows[d] - 1) / rows[d];
    edges.high[d] = all[d] - (layers < extent ? (extent - layers) / rows[d] : 0);
  }
  return edges;
}

// Whether there are boxes that such a loop can go through, large enough that fewer threads keep all multiprocessors
// busy (so many thread blocks each: 3D from about 105³ doubles or 130³ floats on, 2D from 1,300² or 1,800²; measured on
// an H200 from 128³ to 168³, and from 1,448² to 2,048²).
template <int dim> bool may_march(const Launch& l, const DeviceShape& shape, int lanes, const DeviceQueue& q) {
  for (int n = 0; n < l.list.n_blocks && !splits_vectors<dim>; ++n) {
    const BlockLaunch& b = l.list.blocks[n];
    if ((b.lo[0] - b.first[0]) % lanes != 0 || (b.hi[0] - b.lo[0]) % lanes != 0) return false;
  }
  return dim == 1 ||
         static_cast<Offset>(shape.grid.x) * shape.grid.y * shape.grid.z >= (dim == 3 ? 4 : 12) * q.multiprocessors;
}

// What a thread keeps in memory for want of registers, in bytes.
template <class... Argument> int spilled(void (*kernel)(Argument...)) {
  cudaFuncAttributes a{};
  return cudaFuncGetAttributes(&a, kernel) == cudaSuccess ? static_cast<int>(a.localSizeBytes) : 1;
}

// Whether so many planes of a loop fit the cache, read and written, twice: once for those that the thread blocks above
// will read again.
template <class Real> bool fit_cache(const Launch& l, int planes) {
  static const int cache = [] {
    int device = 0, bytes = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
                   cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) == cudaSuccess
               ? bytes
               : 0;
  }();
  const BlockLaunch& b = l.list.blocks[0];
  return 2 * planes * static_cast<Offset>(sizeof(Real)) * (b.hi[0] - b.lo[0]) * (b.hi[1] - b.lo[1]) <= cache / 2;
}

template <class K, int dim, class Real, bool many, int sources>
bool try_march(const K& k, const Launch& l, const DeviceQueue& q) {
  static const bool spills = spilled(device_march<K, dim, Real, many, sources>) > 0;
  constexpr int lanes = lanes_of<K, dim, Real>();
  constexpr March m = march<K, dim, Real, sources>;
  const int planes = m.planes_if_large == m.planes || fit_cache<Real>(l, m.planes) ? m.planes : m.planes_if_large;
  const DeviceShape shape(l, dim, lanes, planes, m.rows);
  if (spills || !may_march<dim>(l, shape, lanes, q)) return false;
  start(q, device_march<K, dim, Real, many, sources>, shape.grid, shape.threads, k,
      device_blocks<fused_width<K>, many>(l, q, shape.columns), *l.epilogue, planes);
  return true;
}

template <class K, int dim, class Real, bool many, class Axes>
void start_fused(const K& k, const Launch& l, const Epilogue& e, const DeviceQueue& q) {
  const DeviceShape shape(l, dim, lanes_of<K, dim, Real, Axes>(), 1);
  start(q, device_fused<K, dim, Real, many, Axes>, shape.grid, shape.threads, k,
      device_blocks<fused_width<K>, many>(l, q, shape.columns), e, edges_of(l, shape));
}

template <class K, int dim, bool many, class Axes>
void start_direct(const K& k, const Launch& l, const DeviceQueue& q) {
  DeviceShape shape(l, dim, 1, 1);
  if (reads_first<K, DirectPoint<dim, Axes>>()) shape.grid.x = (shape.grid.x + 1) / 2;
  shape.grid.x *= groups_of(k);
  start(q, device_direct<K, dim, many, Axes>, shape.grid, shape.threads, as_argument(k),
      device_blocks<handle_count<K>.all, many>(l, q, shape.columns));
}

template <class K, int dim, class Real, bool fusable, bool many>
void launch_points(const K& k, const Launch& l, const DeviceQueue& q) {
  if constexpr (stretches<K>())
    if (l.stretched) return start_direct<K, dim, many, StretchedAxes>(k, l, q);
  if constexpr (maps<K, dim>())
    if (l.mapped) {
      if constexpr (fusable)
        if (l.epilogue) return start_fused<K, dim, Real, many, MappedAxes>(k, l, *l.epilogue, q);
      return start_direct<K, dim, many, MappedAxes>(k, l, q);
    }
  if constexpr (fusable)
    if (l.epilogue) {
      if constexpr (marches<K, dim, Real>())
        if (l.epilogue->sources == 0   ? try_march<K, dim, Real, many, 0>(k, l, q)
            : l.epilogue->sources == 1 ? try_march<K, dim, Real, many, 1>(k, l, q)
                                       : try_march<K, dim, Real, many, Epilogue::max_sources>(k, l, q))
          return;
      return start_fused<K, dim, Real, many, UniformAxes>(k, l, *l.epilogue, q);
    }
  if constexpr (modifies_vectors<K, dim, Real>())
    if (static const bool spills = spilled(device_modify<K, dim, Real, many>) > 0; !spills) {
      const DeviceShape shape(l, dim, lanes_of<K, dim, Real>(), 1);
      return start(q, device_modify<K, dim, Real, many>, shape.grid, shape.threads, k,
          device_blocks<handle_count<K>.all, many>(l, q, shape.columns));
    }
  start_direct<K, dim, many, UniformAxes>(k, l, q);
}

// Leaves the result at the beginning of DeviceQueue::partial.
template <class K, int dim, class Value, class Axes> void reduce(const K& k, const Launch& l, const DeviceQueue& q) {
  static const int resident = [] {  // thread blocks of a multiprocessor
    int n = 0;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, device_reduce<K, dim, Value, Axes>, reduce_threads, 0) ==
                   cudaSuccess
               ? max(n, 1)
               : reduce_blocks;
  }();
  constexpr int across = dim == 1 ? reduce_threads : 32, most_layers = 32, bricks_each = 4;
  const int most = min(q.multiprocessors * resident, q.most_partials);
  Offset bricks = 0;  // of one layer
  for (int n = 0; n < l.list.n_blocks; ++n) {
    const BlockLaunch& b = l.list.blocks[n];
    bricks += Offset{b.hi[0] - b.lo[0] + 2 * across - 1} / (2 * across) *
              ((b.hi[1] - b.lo[1] + reduce_threads / across - 1) / (reduce_threads / across)) * (b.hi[2] - b.lo[2]);
  }
  const Offset layers = bricks / (bricks_each * most);
  const auto grid = static_cast<unsigned>(min(max(bricks, Offset{1}), Offset{most}));
  auto* partial = reinterpret_cast<Value*>(q.partial);
  start(q, device_reduce<K, dim, Value, Axes>, dim3(grid), dim3(across, reduce_threads / across), k,
      device_blocks<handle_count<K>.all, true>(l, q, 1), l.list.n_blocks,
      static_cast<int>(min(max(layers, Offset{1}), Offset{most_layers})), partial);
  if (grid > 1) start(q, device_combine<Value>, dim3(1), dim3(reduce_threads), partial, static_cast<int>(grid));
}

template <class K, int dim, class Real, bool fusable> constexpr unsigned axes_to_push() {
  if constexpr (fusable) return marches<K, dim, Real>() ? march_axes<dim> : 7;
  else return 7;
}
// What the launch table asks a device's loops for.
template <class K, int dim, class Real, bool fusable> struct DeviceLoop {
  static constexpr unsigned pushes =
      axes_to_push<K, dim, Real, fusable>();  // axes (bits) across which it can fill ghosts
  // Launches and does not wait. Addresses in the launch are the device's.
  static void launch(const void* kernel, const Launch&, const DeviceQueue&);
};
template <class K, int dim, class Real, bool fusable>
void DeviceLoop<K, dim, Real, fusable>::launch(const void* kernel, const Launch& l, const DeviceQueue& q) {
  using Value = decltype((*static_cast<const K*>(nullptr))(*static_cast<DirectPoint<dim>*>(nullptr)));
  const K& k = *static_cast<const K*>(kernel);
  if constexpr (!same_type<Value, void>) {
    if constexpr (stretches<K>())
      if (l.stretched) return reduce<K, dim, Value, StretchedAxes>(k, l, q);
    if constexpr (maps<K, dim>())
      if (l.mapped) return reduce<K, dim, Value, MappedAxes>(k, l, q);
    reduce<K, dim, Value, UniformAxes>(k, l, q);
  } else {
    if (q.blocks) launch_points<K, dim, Real, fusable, true>(k, l, q);
    else launch_points<K, dim, Real, fusable, false>(k, l, q);
  }
}
}  // namespace cereus::detail
