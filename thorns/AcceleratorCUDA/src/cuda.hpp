// What all parts of the back-end share: errors that say what was being done, and memory.
#pragma once
#include <cuda_runtime.h>
#include <cereus/accelerator.hpp>

#include <string>

#include "slabs.hpp"
namespace AcceleratorCUDA {
using namespace cereus;

inline void check(cudaError_t code, const std::string& doing) {
  if (code != cudaSuccess)
    throw Failure("CUDA failed in " + doing + ", or in what ran before it: " + cudaGetErrorName(code) + " (" +
                  cudaGetErrorString(code) + ")");
}

// A slab of device memory.
std::shared_ptr<char> device_slab(const Slabs::Wish&);

// Memory of the host that the device copies from and to at full speed.
class Pinned {
 public:
  ~Pinned() { cudaFreeHost(data_); }
  char* at_least(std::size_t bytes);

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Free {
  void operator()(char* p) const { cudaFree(p); }
};
using DeviceMemory = std::unique_ptr<char, Free>;  // of its own, not of a slab: other processes may open it
inline DeviceMemory own_memory(std::size_t bytes, const std::string& doing) {
  void* p = nullptr;
  check(cudaMalloc(&p, bytes), doing);
  return DeviceMemory(static_cast<char*>(p));
}

// Copies boxes within device memory, all of them in one launch of copy_kernel(table, pieces, parts), where the table
// lies on the device.
struct PieceOnDevice {
  const char* from;
  char* to;
  Offset from_stride[2], to_stride[2];
  int extent[3], element;
  unsigned first_part, pad;  // of the parts of this launch
};
inline constexpr int points_a_block = 2048, copy_threads = 256;
extern const void* const copy_kernel;
}  // namespace AcceleratorCUDA
