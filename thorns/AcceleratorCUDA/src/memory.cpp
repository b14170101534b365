#include <cereus/text.hpp>

#include "cuda.hpp"

namespace AcceleratorCUDA {
namespace {
constexpr std::size_t slab_size = std::size_t{256} << 20, alignment = 512;
std::string size_text(std::size_t bytes) { return format_bytes(static_cast<double>(bytes)); }
}  // namespace

std::shared_ptr<char> Slabs::allocate(std::size_t bytes, const std::string& what_for) {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (used_ + bytes > size_) {
    const std::size_t size = std::max(bytes, slab_size);
    void* p = nullptr;
    if (const auto code = cudaMalloc(&p, size); code != cudaSuccess) {
      std::size_t free = 0, total = 0;
      cudaGetLastError();
      cudaMemGetInfo(&free, &total);
      throw Failure("out of device memory: " + size_text(bytes) + " are needed for " + what_for + ", " +
                    size_text(free) + " of " + size_text(total) + " are free, " + size_text(in_use_) +
                    " are in use by this process");
    }
    slab_ = {static_cast<char*>(p), [](char* q) { cudaFree(q); }};
    size_ = size, used_ = 0;
  }
  std::shared_ptr<char> piece(slab_, slab_.get() + used_);
  used_ += bytes, in_use_ += bytes;
  return piece;
}

char* Pinned::at_least(std::size_t bytes) {
  if (bytes > size_) {
    cudaFreeHost(data_);
    void* p = nullptr;
    check(cudaMallocHost(&p, bytes), "allocating " + size_text(bytes) + " of pinned host memory");
    data_ = static_cast<char*>(p), size_ = bytes;
  }
  return data_;
}
}  // namespace AcceleratorCUDA
