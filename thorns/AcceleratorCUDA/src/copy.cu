#include "cuda.hpp"

namespace AcceleratorCUDA {
namespace {
constexpr int threads = copy_threads;

template <class T>
__device__ __forceinline__ void copy_points(const PieceOnDevice& p, unsigned first, unsigned points) {
  const unsigned nx = p.extent[0], ny = p.extent[1];
  const T* from = reinterpret_cast<const T*>(p.from);
  T* to = reinterpret_cast<T*>(p.to);
  constexpr int together = 4;  // loads before the first store: they are then under way together
  const auto at = [&](unsigned e, const Offset(&stride)[2]) {
    const unsigned row = e / nx, i = e - row * nx, k = row / ny, j = row - k * ny;
    return i + j * stride[0] + k * stride[1];
  };
  const unsigned end = min(first + points_a_block, points);
#pragma unroll 1
  for (unsigned mine = first + threadIdx.x; mine < end; mine += together * threads) {
    T value[together];
#pragma unroll
    for (int n = 0; n < together; ++n)
      if (const unsigned e = mine + n * threads; e < end) value[n] = from[at(e, p.from_stride)];
#pragma unroll
    for (int n = 0; n < together; ++n)
      if (const unsigned e = mine + n * threads; e < end) to[at(e, p.to_stride)] = value[n];
  }
}

// `parts`: of points_a_block points each; fewer thread blocks may share them: each takes some that follow each other,
// and looks for their piece once.
__global__ void __launch_bounds__(threads)
    copy_pieces(const PieceOnDevice* __restrict__ table, int pieces, unsigned parts) {
  const unsigned each = (parts + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * each, end = min(parts, begin + each);
  int low = 0, high = pieces - 1;  // the last piece that begins at or before the first part
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (table[middle].first_part <= begin) low = middle;
    else high = middle - 1;
  }
  PieceOnDevice p = table[low];
  unsigned next = low + 1 < pieces ? table[low + 1].first_part : parts;
  for (unsigned part = begin; part < end; ++part) {
    while (part >= next) {
      p = table[++low];
      next = low + 1 < pieces ? table[low + 1].first_part : parts;
    }
    const unsigned points = static_cast<unsigned>(p.extent[0]) * p.extent[1] * p.extent[2];
    const unsigned first = (part - p.first_part) * points_a_block;
    if (p.element == 8) copy_points<double>(p, first, points);
    else if (p.element == 4) copy_points<float>(p, first, points);
    else copy_points<double2>(p, first, points);
  }
}
}  // namespace

const void* const copy_kernel = reinterpret_cast<const void*>(copy_pieces);
}  // namespace AcceleratorCUDA
