// The loop of a kernel that returns a value for each point.
#pragma once
#include "block.hpp"
namespace cereus::detail {
inline constexpr int reduce_threads = 256, reduce_blocks = 3;  // of a multiprocessor, at least

// What a kernel reads it does not write: so the next point may be read before this one is written.
template <int dim, class Axes> struct ReducePoint : DirectPoint<dim, Axes> {
  using DirectPoint<dim, Axes>::operator();
  template <class Real> __device__ __forceinline__ static Real read(const Real* from) {
    if constexpr (same_type<Real, double> || same_type<Real, float>) return __ldg(from);
    else return *from;
  }
  template <class Real, class R> __device__ __forceinline__ Real operator()(In<Real, R> v) const {
    return read(this->template to<Real>(v.n) + this->c);
  }
  template <int di, int dj, int dk, class Real, class R>
  __device__ __forceinline__ Real neighbour(In<Real, R> v) const {
    return read(this->template to<Real>(v.n) + (this->c + di + dj * this->sj + dk * this->sk));
  }
};

// Each thread block walks rows and leaves one partial result; the host combines them.
template <class K, int dim, class Value, class Axes = UniformAxes>
__global__ void __launch_bounds__(reduce_threads, reduce_blocks) device_reduce(const __grid_constant__ K parameters,
    const __grid_constant__ DeviceBlocks<handle_count<K>.all, true> blocks, int n_blocks, Value* partial) {
  K k = parameters;
  number_handles(k);
  Value mine = Value::identity();
  for (int n = 0; n < n_blocks; ++n) {
    const BlockLaunch b = blocks.blocks[n];
    const Offset nj = b.hi[1] - b.lo[1], rows = nj * (b.hi[2] - b.lo[2]);
    for (Offset r = blockIdx.x * blockDim.y + threadIdx.y; r < rows; r += gridDim.x * blockDim.y) {
      const int j = b.lo[1] + static_cast<int>(r % nj), l = b.lo[2] + static_cast<int>(r / nj);
      const Offset row = offset_of(blocks, b, 0, j, l);
      const auto value = [&](int i) {
        ReducePoint<dim, Axes> p{
            {{geometry_of(blocks, b), i, j, l}, blocks.address, row + i, blocks.row, blocks.plane}};
        return k(p);
      };
      const int step = static_cast<int>(blockDim.x);
      int i = b.lo[0] + static_cast<int>(threadIdx.x);
      for (; i + step < b.hi[0]; i += 2 * step) {  // what both read is then under way together
        const Value one = value(i), other = value(i + step);
        mine.combine(one), mine.combine(other);
      }
      if (i < b.hi[0]) mine.combine(value(i));
    }
  }
  alignas(16) __shared__ unsigned char memory[reduce_threads * sizeof(Value)];
  Value* all = reinterpret_cast<Value*>(memory);
  const int t = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  all[t] = mine;
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) all[t].combine(all[t + half]);
  }
  if (t == 0) partial[blockIdx.x] = all[0];
}
}  // namespace cereus::detail
