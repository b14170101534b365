// The fused loop of light kernels: a thread goes up through a few planes and keeps what it has read of its column, so that
// neighbours in z are read once: with ghost zones written on the way, heat goes from 207 to 235 Gcell/s on an H200. The
// windows of heavier kernels would leave no registers for as many threads.
#pragma once
#include "device_update.hpp"
namespace cereus::detail {
struct March {
  int rows;    // of a thread block
  int planes;  // that a thread goes through
  int blocks;  // of device_bound threads: a multiprocessor has registers for so many, at least
};
// Where nothing is added to what the kernel writes, 32 or 40 registers are enough, and nearly all threads that fit are there (H200, 7 points, 512³ · 768³:
// 244 · 239 Gpoint/s in double, 479 · 486 in float; 246 · 234 and 474 · 481 with the other shape). With sources, registers are short.
template <class Real, int sources>
inline constexpr March march = sources > 0 ? March{4, 6, sources == 1 ? 5 : 4} : sizeof(Real) == 8 ? March{8, 5, 8} : March{8, 4, 6};
template <class K, int dim, class Real> constexpr bool marches() {
  if constexpr (dim < 3 || lanes_of<K, dim, Real>() == 1) return false;
  else return handle_count<K>.outputs == 1 && window_sizes<K, dim, lanes_of<K, dim, Real>()>.all <= 8;
}

// For boxes of whole vectors, and updates from so many sources at most. Where a kernel needs more registers than there are, and spills,
// the other loop is faster.
template <class K, int dim, class Real, bool many, int sources> __global__ void __launch_bounds__(device_bound, march<Real, sources>.blocks)
    device_march(const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<fused_width<K>, many> blocks,
                 const __grid_constant__ Geometry g, const __grid_constant__ Epilogue e) {
  constexpr int lanes = lanes_of<K, dim, Real>(), size = window_sizes<K, dim, lanes>.most;
  using Update = FusedUpdate<K, dim, Real, lanes>;
  constexpr typename count_up<lanes>::type all{};
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  char* const* address;
  int l;
  if (!find_plane(blocks, blockIdx.z, march<Real, sources>.planes, b, l, address)) return;
  const int i = b.lo[0] + lanes * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const Offset sj = b.stride[1], sk = b.stride[2];
  Offset c = (i - b.first[0]) + (j - b.first[1]) * sj + (l - b.first[2]) * sk;
  Vector16 vectors[Update::handles - 1][size];
  for_each_member(k, WindowLoader<dim, lanes, size, true>{vectors, address, c, sj, sk});
  Update u;
#pragma unroll
  for (int z = 0; z < march<Real, sources>.planes; ++z) {
    if (l + z >= b.hi[2]) break;
    if (z > 0) for_each_member(k, WindowLoader<dim, lanes, size, false>{vectors, address, c, sj, sk});
    u.apply_to_window(k, g, vectors, address, c, i, j, l + z, sj, sk, all);
    u.template store<sources>(e, b, address + Update::handles, c, i, 0, all);
    c += sk;
  }
}
}  // namespace cereus::detail
