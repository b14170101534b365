// How long a device takes; for the programs beside it.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "the device failed: %s\n", cudaGetErrorString(code));
  std::exit(1);
}
// Of what f starts, once.
template <class F> float milliseconds(F&& f) {
  static cudaEvent_t start = nullptr, end = nullptr;
  if (!start) check(cudaEventCreate(&start)), check(cudaEventCreate(&end));
  float ms;
  check(cudaEventRecord(start));
  f();
  check(cudaGetLastError());
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  check(cudaEventElapsedTime(&ms, start, end));
  return ms;
}
