// The loop of kernels that read some variables and change others: as many points side by side a thread as 16 bytes
// hold, as where updates are fused. (What a kernel changes by itself alone stays in the plain loop; so do sums, and
// other dimensions than 2, where nobody has measured it.)
#pragma once
#include "update.hpp"
namespace cereus::detail {
template <class K, int dim, class Real, bool many>
__global__ void __launch_bounds__(device_bound) device_modify(
    const __grid_constant__ K parameters, const __grid_constant__ DeviceBlocks<handle_count<K>.all, many> blocks) {
  constexpr int lanes = lanes_of<K, dim, Real>(), outputs = handle_count<K>.outputs,
                inputs = handle_count<K>.all - outputs;
  using Update = FusedUpdate<K, dim, Real, lanes>;
  K k = parameters;
  number_handles(k);
  BlockLaunch b;
  int l;
  if (!find_plane(blocks, blockIdx.z, 1, b, l)) return;
  const int j = b.lo[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (j >= b.hi[1]) return;
  const Offset row = offset_of(blocks, b, b.first[0], j, l);
  for_each_vector<lanes>(
      b, blockIdx.x,
      [&](int i) {
        const Offset c = i - b.first[0] + row;
        const auto vector = [&](int o) {
          return reinterpret_cast<typename Update::Lanes*>(blocks.address[inputs + o]) + c / lanes;
        };
        Update u;
#pragma unroll
        for (int o = 0; o < outputs; ++o) {
          const auto was = *vector(o);
#pragma unroll
          for (int lane = 0; lane < lanes; ++lane) u.kept[lane][o] = was.at[lane];
        }
        u.apply_in_window(k, blocks, b, i, j, l, c, typename count_up<lanes>::type{});
#pragma unroll
        for (int o = 0; o < outputs; ++o) {
          typename Update::Lanes now;
#pragma unroll
          for (int lane = 0; lane < lanes; ++lane) now.at[lane] = u.kept[lane][o];
          *vector(o) = now;
        }
      },
      [&](int i) {
        DirectPoint<dim> p{
            {geometry_of(blocks, b), i, j, l}, blocks.address, i - b.first[0] + row, blocks.row, blocks.plane};
        k(p);
      });
}
}  // namespace cereus::detail
