// The fused loop of light kernels: a thread goes up through a few planes (rows, in 2D) and keeps what it has read of
// its column, so that neighbours above and below are read once. The windows of heavier kernels would leave no registers
// for as many threads.
#pragma once
#include "update.hpp"
namespace cereus::detail {
// Keeps x in a register: the compiler would compute the sum that x is again for each address.
template <class T> __device__ __forceinline__ void pin(T& x) {
  static_assert(sizeof(T) == 8);
  asm volatile("" : "+l"(x));
}

// Whether a thread updates points that lie in ghost zones, too.
template <int dim>
__device__ __forceinline__ bool pushes(const Epilogue& e, const BlockLaunch& b, int i, int j, int rows) {
  static_assert(dim < 3 || march_axes<dim> == 1);
  if (!(e.pushed & 1)) return false;
  return i < b.first[0] + e.layers[0] || i >= b.end[0] - e.layers[0] ||
         (dim == 2 && (j < b.first[1] + e.layers[1] || j + rows > b.end[1] - e.layers[1]));
}
template <bool is> struct lowest_plane {};

// The points of a vector that a box begins or ends in, in n rows, one by one.
template <class K, int dim, class Real, int sources, class Blocks>
__device__ __forceinline__ void march_points(
    K& k, const Blocks& blocks, const Epilogue& e, const BlockLaunch& b, int i, int j, int l, int n) {
  constexpr int lanes = lanes_of<K, dim, Real>();
  using Update = FusedUpdate<K, dim, Real, 1>;
#pragma unroll 1
  for (int y = j; y < j + n; ++y)
#pragma unroll 1
    for (int x = max(i, b.lo[0]); x < min(i + lanes, b.hi[0]); ++x) {
      Update{}.template apply<sources>(k, blocks, e, b, x, y, l, ints<0>{});
      if constexpr (dim == 2) push_edge<1, Real, 1>(e, blocks, b, blocks.address + Update::handles, x, y, l);
    }
}

// For updates from so many sources at most. Where a kernel needs more registers than there are, and spills, the other
// loop is faster.
template <class K, int dim, class Real, bool many, int sources>
__global__ void __launch_bounds__(device_bound, march<K, dim, Real, sources>.blocks) device_march(
    const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<fused_width<K>, many> blocks,
    const __grid_constant__ Epilogue e, int planes) {
  constexpr int lanes = lanes_of<K, dim, Real>(), size = window_sizes<K, dim, lanes>.most;
  constexpr March m = march<K, dim, Real, sources>;
  using Update = FusedUpdate<K, dim, Real, lanes>;
  constexpr int inputs = Update::handles - 1;
  constexpr typename count_up<lanes>::type all{};
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  int l;
  if (!find_plane(blocks, blockIdx.z, dim == 3 ? planes : 1, b, l)) return;
  const int i = find_vector<lanes>(b, blockIdx.x);
  const int j = b.lo[1] + (dim == 2 ? planes : 1) * static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= b.hi[0] || j >= b.hi[1]) return;
  const int row_stride = static_cast<int>(blocks.row),
            n = dim == 1 ? 1 : min(planes, dim == 3 ? b.hi[2] - l : b.hi[1] - j);
  constexpr Offset bytes = sizeof(Real);
  const Offset row = row_stride * bytes, plane = blocks.plane * bytes, up = dim == 3 ? plane : row;
  Offset at_byte =
      (b.at + (i - b.first[0]) + (j - b.first[1]) * static_cast<Offset>(row_stride) + (l - b.first[2]) * blocks.plane) *
      bytes;
  const char* at_point[inputs];
#pragma unroll
  for (int h = 0; h < inputs; ++h) at_point[h] = blocks.address[h] + at_byte, pin(at_point[h]);
  char* const* const output = blocks.address + Update::handles;
  pin(at_byte);
  Vector16 vectors[inputs][size];
  Update u;
  const auto step = [&]<bool lowest>(int z, lowest_plane<lowest>) {
    for_each_handle(k, WindowLoader<dim, lanes, size, lowest>{vectors, at_point, row, plane});
    u.apply_to_window(k, geometry_of(blocks, b), vectors, blocks.address, at_byte / bytes, i, dim == 2 ? j + z : j,
        dim == 3 ? l + z : l, row_stride, blocks.plane, all);
#pragma unroll
    for (int h = 0; h < inputs; ++h) at_point[h] += up, pin(at_point[h]);
  };
  const bool whole = !splits_vectors<dim> || (i >= b.lo[0] && i + lanes <= b.hi[0]), push = pushes<dim>(e, b, i, j, n);
  if constexpr (splits_vectors<dim>)
    if (!whole) return march_points<K, dim, Real, sources>(k, blocks, e, b, i, j, l, n);
  // In 3D many threads push: from memory, after the column, or the loop would keep what it has stored.
  const auto push_column = [&] {
#pragma unroll 1
    for (int z = 0; z < n; ++z) {
      at_byte -= up;
      push_along_x<Real>(e, b, output[0], 0, i, at_byte / bytes,
          *reinterpret_cast<const typename Update::Lanes*>(output[0] + at_byte));
    }
  };
  if ((n == m.planes || n == m.planes_if_large) &&
      !(dim < 3 && push)) {  // straight on: a branch in each plane would cost 2 %
#pragma unroll
    for (int z = 0; z < m.planes; ++z) {
      if (z == m.planes_if_large && n == m.planes_if_large) break;
      if (z == 0) step(z, lowest_plane<true>{});
      else step(z, lowest_plane<false>{});
      u.template put<sources>(e, output, at_byte, 0, all);
      at_byte += up, pin(at_byte);
    }
    if (dim == 3 && push) push_column();
  } else {
#pragma unroll 1
    for (int z = 0; z < n; ++z) {
      step(z, lowest_plane<true>{});
      if constexpr (dim == 3) u.template put<sources>(e, output, at_byte, 0, all);
      else u.template store<sources>(e, b, output, at_byte / bytes, i, 0, all);
      if constexpr (dim == 2) push_edge<1, Real, lanes>(e, blocks, b, output, i, j + z, l);
      at_byte += up, pin(at_byte);
    }
    if (dim == 3 && push) push_column();
  }
}
}  // namespace cereus::detail
