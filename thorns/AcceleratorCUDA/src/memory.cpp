#include <cereus/text.hpp>

#include "cuda.hpp"

namespace AcceleratorCUDA {
namespace {
std::string size_text(std::size_t bytes) { return format_bytes(static_cast<double>(bytes)); }
}  // namespace

std::shared_ptr<char> device_slab(const Slabs::Wish& wish) {
  void* p = nullptr;
  if (cudaMalloc(&p, wish.slab) != cudaSuccess) {
    std::size_t free = 0, total = 0;
    cudaGetLastError();
    cudaMemGetInfo(&free, &total);
    throw Failure("out of device memory: " + size_text(wish.bytes) + " are needed for " + wish.what_for + ", " +
                  size_text(free) + " of " + size_text(total) + " are free, " + size_text(wish.in_use) +
                  " are in use by this process");
  }
  return {static_cast<char*>(p), [](char* q) { cudaFree(q); }};
}

char* Pinned::at_least(std::size_t bytes) {
  if (bytes > size_) {
    cudaFreeHost(std::exchange(data_, nullptr)), size_ = 0;  // before what may throw
    void* p = nullptr;
    check(cudaMallocHost(&p, bytes), "allocating " + size_text(bytes) + " of pinned host memory");
    data_ = static_cast<char*>(p), size_ = bytes;
  }
  return data_;
}
}  // namespace AcceleratorCUDA
