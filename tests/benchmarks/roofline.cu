// What a device can do at most, one level at a time: arithmetic in registers; bytes from shared memory, first-level
// cache, second-level cache and memory; arithmetic that hides behind a copy. One line each: a name, a number, its unit.
// Best of five.
#include <algorithm>

#include "device_clock.hpp"

template <class F> static double seconds(F&& f) {
  milliseconds(f);  // warms up
  float best = milliseconds(f);
  for (int n = 1; n < 5; ++n) best = std::min(best, milliseconds(f));
  return 1e-3 * best;
}
static void say(const char* what, double value, const char* unit) { std::printf("%s\t%.1f\t%s\n", what, value, unit); }

constexpr int threads = 256;
__device__ __forceinline__ void add(double2& sum, const double2& v) { sum.x += v.x, sum.y += v.y; }

// Eight chains a thread, so that the units never wait.
template <class Real> __global__ void fma_chains(Real* out, Real a, Real b, int times) {
  Real x[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) x[c] = Real(threadIdx.x + c);
  for (int n = 0; n < times; ++n)
#pragma unroll
    for (int c = 0; c < 8; ++c) x[c] = a * x[c] + b;
  Real sum = 0;
  for (int c = 0; c < 8; ++c) sum += x[c];
  if (sum == Real(-1)) *out = sum;  // never, but who knows
}
__global__ void read_shared(double2* out, int times) {
  __shared__ double2 all[8 * threads];
  for (int n = 0; n < 8; ++n) all[n * threads + threadIdx.x] = {1.0 * threadIdx.x, 1.0 * n};
  __syncthreads();
  double2 sum{};
  for (int t = 0; t < times; ++t) {
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      double2 v;
      const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&all[n * threads + (threadIdx.x ^ (t & 31))]));
      asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "r"(at));
      add(sum, v);
    }
  }
  if (sum.x == -1) *out = sum;
}
// Each thread block goes through the same `vectors`, again and again; `cached` in the first level, or past it.
template <bool cached> __global__ void read_again(double2* out, const double2* from, int vectors, int times) {
  double2 sum{};
  for (int t = 0; t < times; ++t)
    for (int i = threadIdx.x; i < vectors; i += 8 * threads) {
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        double2 v;
        const double2* const at = from + i + n * threads;
        if constexpr (cached) asm volatile("ld.global.ca.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(at));
        else asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(at));
        add(sum, v);
      }
    }
  if (sum.x == -1) *out = sum;
}
__global__ void read_all(double2* out, const double2* from) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * 4 * threads + threadIdx.x;
  double2 sum{};
#pragma unroll
  for (int n = 0; n < 4; ++n) add(sum, from[first + n * threads]);
  if (sum.x == -1) *out = sum;
}
__global__ void write_all(double2* to) { to[static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x] = {1, 2}; }
template <class Real, int fmas> __global__ void copy_and_compute(Real* to, const Real* from, Real a, Real b) {
  struct alignas(16) Vector {
    Real at[16 / sizeof(Real)];
  };
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  Vector v = reinterpret_cast<const Vector*>(from)[i];
#pragma unroll
  for (int n = 0; n < fmas; ++n)
#pragma unroll
    for (Real& x : v.at) x = a * x + b;
  reinterpret_cast<Vector*>(to)[i] = v;
}

template <class Real> static void arithmetic(const char* type, int blocks, Real* a) {
  constexpr int times = 4096;
  char what[80];
  const double s = seconds([&] { fma_chains<Real><<<blocks, threads>>>(a, Real(0.999), Real(0.001), times); });
  std::snprintf(what, sizeof what, "registers, a*b+c in %s", type);
  say(what, 2e-9 * 8 * times * threads * blocks / s, "Gflop/s");
}
template <class Real, int... fmas> static void hidden(const char* type, Real* to, const Real* from, std::size_t bytes) {
  char what[80];
  const auto one = [&]<int n>() {
    const double s = seconds(
        [&] { copy_and_compute<Real, n><<<bytes / 16 / threads, threads>>>(to, from, Real(0.999), Real(0.001)); });
    std::snprintf(what, sizeof what, "copy with %d a*b+c a value in %s", n, type);
    say(what, 2e-9 * bytes / s, "GB/s");
  };
  (one.template operator()<fmas>(), ...);
}

int main() {
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  constexpr std::size_t bytes = std::size_t{4} << 30;
  double2 *a, *b;
  check(cudaMalloc(&a, bytes));
  check(cudaMalloc(&b, bytes));
  check(cudaMemset(a, 1, bytes));
  const int blocks = 8 * processors;
  arithmetic<double>("double", blocks, reinterpret_cast<double*>(b));
  arithmetic<float>("float", blocks, reinterpret_cast<float*>(b));
  constexpr int times = 2000;
  double s = seconds([&] { read_shared<<<blocks / 2, threads>>>(b, times); });
  say("shared memory", 1e-9 * 16 * 8 * times * threads * (blocks / 2) / s, "GB/s");
  constexpr int in_l1 = 8 * threads, in_l2 = (16 << 20) / 16;
  s = seconds([&] { read_again<true><<<blocks, threads>>>(b, a, in_l1, times); });
  say("first-level cache (32 KiB)", 1e-9 * 16 * in_l1 * times * double(blocks) / s, "GB/s");
  s = seconds([&] { read_again<false><<<blocks, threads>>>(b, a, in_l2, 4); });
  say("second-level cache (16 MiB)", 1e-9 * 16 * in_l2 * 4 * double(blocks) / s, "GB/s");
  s = seconds([&] { read_all<<<bytes / 64 / threads, threads>>>(b, a); });
  say("memory, read", 1e-9 * bytes / s, "GB/s");
  s = seconds([&] { write_all<<<bytes / 16 / threads, threads>>>(b); });
  say("memory, written", 1e-9 * bytes / s, "GB/s");
  s = seconds([&] { check(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice)); });
  say("memory, copied", 2e-9 * bytes / s, "GB/s");
  hidden<double, 1, 4, 8, 16, 24, 32, 48, 64, 96, 128>(
      "double", reinterpret_cast<double*>(b), reinterpret_cast<const double*>(a), bytes);
  hidden<float, 1, 4, 8, 16, 24, 32, 48, 64, 96, 128>(
      "float", reinterpret_cast<float*>(b), reinterpret_cast<const float*>(a), bytes);
}
