// How a loop on a device is launched; the launch table points here. Seen only under nvcc; NVRTC sees the loops themselves.
#pragma once
#include "device_reduce.hpp"
#include "device_update.hpp"
#ifndef __CUDACC_RTC__
namespace cereus::detail {
template <int n, bool many> DeviceBlocks<n, many> device_blocks(const Launch& l, const DeviceQueue& q, int planes) {
  DeviceBlocks<n, many> d;
  if constexpr (many) d.blocks = q.blocks, d.planes = planes;
  else {
    d.block = l.blocks[0];
    for (int h = 0; h < n; ++h) d.address[h] = l.blocks[0].address[h];
  }
  return d;
}

template <class K, int dim, class Real, bool fusable, bool many>
void launch_points(const void* kernel, const Launch& l, const DeviceQueue& q) {
  int most[3] = {};
  for (int n = 0; n < l.n_blocks; ++n)
    for (int d = 0; d < 3; ++d) {
      const int extent = l.blocks[n].hi[d] - l.blocks[n].lo[d];
      most[d] = extent > most[d] ? extent : most[d];
    }
  const bool fused = fusable && l.epilogue;
  const Tile tile = fused ? tile_of<K, dim, Real>() : Tile{1, 1};
  const int vectors = (most[0] + 2 * tile.lanes - 2) / tile.lanes;  // one more where the box begins between two
  const int columns = (most[2] + tile.points - 1) / tile.points;
  // A face along x is a few points wide, and takes more rows instead.
  unsigned x = block_x;
  while (x > 2 && static_cast<int>(x) / 2 >= vectors) x /= 2;
  if (dim == 1) x = block_x * block_y;
  const dim3 threads(x, block_x * block_y / x);
  const dim3 grid((vectors + threads.x - 1) / threads.x, (most[1] + threads.y - 1) / threads.y, columns * (many ? l.n_blocks : 1));
  const K& k = *static_cast<const K*>(kernel);
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if constexpr (fusable)
    if (l.epilogue) {
      device_fused<K, dim, Real, many><<<grid, threads, 0, stream>>>(k, device_blocks<fused_width<K>, many>(l, q, columns), l.geometry, *l.epilogue);
      return;
    }
  device_direct<K, dim, many><<<grid, threads, 0, stream>>>(k, device_blocks<handle_count<K>.all, many>(l, q, columns), l.geometry);
}

// Launches and does not wait. Addresses in the launch are the device's. Returns the number of partial results.
template <class K, int dim, class Real, bool fusable> int launch_device(const void* kernel, const Launch& l, const DeviceQueue& q) {
  using Value = decltype((*static_cast<const K*>(nullptr))(*static_cast<DirectPoint<dim>*>(nullptr)));
  if constexpr (!__is_same(Value, void)) {
    Offset rows = 0;
    for (int n = 0; n < l.n_blocks; ++n)
      rows += static_cast<Offset>(l.blocks[n].hi[1] - l.blocks[n].lo[1]) * (l.blocks[n].hi[2] - l.blocks[n].lo[2]);
    Offset grid = (rows + 1) / 2;
    const Offset most = q.most_partials < 8 * q.multiprocessors ? q.most_partials : 8 * q.multiprocessors;
    grid = grid < 1 ? 1 : grid > most ? most : grid;
    device_reduce<K, dim, Value><<<static_cast<unsigned>(grid), dim3(128, 2), 0, static_cast<cudaStream_t>(q.stream)>>>(
        *static_cast<const K*>(kernel), q.blocks, l.n_blocks, l.geometry, reinterpret_cast<Value*>(q.partial));
    return static_cast<int>(grid);
  } else {
    if (q.blocks) launch_points<K, dim, Real, fusable, true>(kernel, l, q);
    else launch_points<K, dim, Real, fusable, false>(kernel, l, q);
    return 0;
  }
}
}  // namespace cereus::detail
#endif
