// Formulas of tests/benchmarks/formulas.py as a specialist would write them for one cube: milliseconds a launch, best
// of twenty, of the product of three sines, and of the four fields of an elliptic equation. CELLS: along each axis.
#include <algorithm>
#include <cstdlib>

#include "device_clock.hpp"

constexpr double pi = 3.14159265358979323846;
struct Cube {
  int n;
  double h;
};
template <class F> __device__ void at_point(Cube c, F f) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), j = static_cast<int>(blockIdx.y),
            k = static_cast<int>(blockIdx.z);
  if (i < c.n) f((static_cast<long>(k) * c.n + j) * c.n + i, (i + 0.5) * c.h, (j + 0.5) * c.h, (k + 0.5) * c.h);
}
__global__ void sines(Cube c, double* u) {
  at_point(
      c, [&](long n, double x, double y, double z) { u[n] = sin(2 * pi * x) * sin(2 * pi * y) * sin(2 * pi * z); });
}
__global__ void fields(Cube c, double* phi, double* source, double* a, double* b) {
  at_point(c, [&](long n, double x, double y, double z) {
    phi[n] = 0, a[n] = 1, b[n] = 0;
    source[n] = -14 * (pi * pi) * cos(pi * x) * cos(2 * pi * y) * cos(3 * pi * z) +
                50 * (sin(37 * x * y + 11 * z) > 0 ? 1. : -1.) * cos(pi * x) * cos(pi * y) * cos(pi * z);
  });
}
int main(int, char** argv) {
  const int n = std::atoi(argv[1]);
  const Cube c{n, 1. / n};
  double* u[4];
  for (double*& v : u) check(cudaMalloc(&v, sizeof(double) * n * n * n));
  const dim3 threads(128), blocks((n + 127) / 128, n, n);
  const auto best = [](auto&& f) {
    float ms = milliseconds(f);
    for (int again = 1; again < 20; ++again) ms = std::min(ms, milliseconds(f));
    return ms;
  };
  std::printf("%.4f %.4f\n", best([&] { sines<<<blocks, threads>>>(c, u[0]); }),
      best([&] { fields<<<blocks, threads>>>(c, u[0], u[1], u[2], u[3]); }));
}
