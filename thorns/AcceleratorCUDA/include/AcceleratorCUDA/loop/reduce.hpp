// The loop of a kernel that returns a value for each point.
#pragma once
#include "block.hpp"
namespace cereus::detail {
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

// Combines what the threads of a thread block have; the first thread has the result. Values are large: a part of them
// at once passes through the multiprocessor's memory.
template <class Value> __device__ void combine_threads(Value& mine) {
  constexpr int at_once = reduce_threads / 4;
  alignas(16) __shared__ unsigned char memory[at_once * sizeof(Value)];
  Value* const passed = reinterpret_cast<Value*>(memory);
  const int t = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  for (int half = reduce_threads / 2; half > 0; half /= 2)
    for (int first = 0; first < half; first += at_once) {
      const int last = min(half, first + at_once);
      if (t >= half + first && t < half + last) passed[t - half - first] = mine;
      __syncthreads();
      if (t >= first && t < last) mine.combine(passed[t - first]);
      __syncthreads();
    }
}

// Combines the values of a thread's points with what it has. `point(n)`: the n-th.
template <int points, class K, class Make, class Value>
__device__ __forceinline__ void combine_points(const K& k, const Make& point, Value& mine) {
  using Point = decltype(point(0));
  if constexpr (reads_first<K, Point>()) {
    decltype(k.read(point(0))) read[points];
    for (int n = 0; n < points; ++n) read[n] = k.read(point(n));
    for (int n = 0; n < points; ++n) {
      Point p = point(n);
      mine.combine(k(p, read[n]));
    }
  } else {
    Value of[points];
    for (int n = 0; n < points; ++n) {
      Point p = point(n);
      of[n] = k(p);
    }
    for (int n = 0; n < points; ++n) mine.combine(of[n]);
  }
}

// Boxes are cut into bricks: a thread block goes up through `layers` planes (in 2D through as many times its rows),
// some points of a row a thread, so that neighbours come from the multiprocessor's own cache. It leaves one partial
// result.
template <class K, int dim, class Value, class Axes = UniformAxes>
__global__ void __launch_bounds__(reduce_threads, reduce_blocks) device_reduce(const __grid_constant__ K parameters,
    const __grid_constant__ DeviceBlocks<handle_count<K>.all, true> blocks, int n_blocks, int layers, Value* partial) {
  K k = parameters;
  number_handles(k);
  Value mine = Value::identity();
  const int across = static_cast<int>(blockDim.x), rows = static_cast<int>(blockDim.y);
  using Point = ReducePoint<dim, Axes>;
  constexpr int points = points_of_thread<K, Point, reduced_points>();
  const int brick[3] = {points * across, dim == 2 ? layers * rows : rows, dim == 3 ? layers : 1};
  unsigned before = 0;  // bricks of other boxes
  for (int n = 0; n < n_blocks; ++n) {
    const BlockLaunch b = blocks.blocks[n];
    unsigned number[3];
    for (int d = 0; d < 3; ++d) number[d] = static_cast<unsigned>((b.hi[d] - b.lo[d] + brick[d] - 1) / brick[d]);
    const unsigned all = number[0] * number[1] * number[2];
    for (unsigned m = (blockIdx.x + gridDim.x - before % gridDim.x) % gridDim.x; m < all; m += gridDim.x) {
      const int i = b.lo[0] + static_cast<int>(m % number[0]) * brick[0] + static_cast<int>(threadIdx.x);
      int j = b.lo[1] + static_cast<int>(m / number[0] % number[1]) * brick[1] + static_cast<int>(threadIdx.y);
      int l = b.lo[2] + static_cast<int>(m / number[0] / number[1]) * brick[2];
      Offset row = offset_of(blocks, b, 0, j, l);
      for (int z = 0; z < layers && i < b.hi[0] && j < b.hi[1] && l < b.hi[2]; ++z) {
        const auto point = [&](int n) {
          const int x = i + n * across;
          return Point{{{geometry_of(blocks, b), x, j, l}, blocks.address, row + x, blocks.row, blocks.plane}};
        };
        if (i + (points - 1) * across < b.hi[0]) {
          combine_points<points>(k, point, mine);
        } else {
          for (int n = 0; i + n * across < b.hi[0]; ++n) {
            Point p = point(n);
            mine.combine(k(p));
          }
        }
        if constexpr (dim == 3) ++l, row += blocks.plane;
        else j += rows, row += rows * blocks.row;
      }
    }
    before += all;
  }
  combine_threads(mine);
  if (threadIdx.x == 0 && threadIdx.y == 0) partial[blockIdx.x] = mine;
}
// One thread block combines n partial results.
template <class Value>
__global__ void __launch_bounds__(reduce_threads) device_combine(const Value* partial, int n, Value* result) {
  Value mine = Value::identity();
  for (int m = static_cast<int>(threadIdx.x); m < n; m += reduce_threads) mine.combine(partial[m]);
  combine_threads(mine);
  if (threadIdx.x == 0) *result = mine;
}
}  // namespace cereus::detail
