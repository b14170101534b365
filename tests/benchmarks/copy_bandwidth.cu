// What the device's memory gives a plain copy of 4 GiB, bytes read and written, best of ten: the larger of cudaMemcpy
// and three kernels, which copy 1, 2 and 4 vectors of 16 bytes a thread. The measure of all rates.
#include <algorithm>
#include <cstddef>

#include "device_clock.hpp"

template <int vectors> __global__ void copy(uint4* to, const uint4* from) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x * vectors + threadIdx.x;
  uint4 v[vectors];
#pragma unroll
  for (int n = 0; n < vectors; ++n) v[n] = from[first + n * blockDim.x];
#pragma unroll
  for (int n = 0; n < vectors; ++n) to[first + n * blockDim.x] = v[n];
}
template <class F> static float best_of_ten(F&& f) {
  float best = milliseconds(f);
  for (int n = 1; n < 10; ++n) best = std::min(best, milliseconds(f));
  return best;
}
int main() {
  constexpr std::size_t bytes = std::size_t{4} << 30, vectors = bytes / 16;
  uint4 *a, *b;
  check(cudaMalloc(&a, bytes));
  check(cudaMalloc(&b, bytes));
  check(cudaMemset(a, 1, bytes));
  const float ms = std::min({best_of_ten([&] { check(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice)); }),
      best_of_ten([&] { copy<1><<<vectors / 256, 256>>>(b, a); }),
      best_of_ten([&] { copy<2><<<vectors / 512, 256>>>(b, a); }),
      best_of_ten([&] { copy<4><<<vectors / 1024, 256>>>(b, a); })});
  std::printf("%.1f\n", 2e-6 * static_cast<double>(bytes) / ms);
}
