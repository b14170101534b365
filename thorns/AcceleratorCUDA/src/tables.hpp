// Small tables (blocks, pieces) that kernels of any stream read: sent once, and found again when the same comes back,
// as it does every few steps.
#pragma once
#include <cstring>
#include <functional>
#include <unordered_map>
#include <vector>

#include "cuda.hpp"
namespace AcceleratorCUDA {
template <class T> std::string bytes_of(const std::vector<T>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T)};
}

class Tables {
 public:
  // `submit`: brings those who are to read them on their way.
  explicit Tables(std::function<void()> submit) : submit_(std::move(submit)) {}
  // The place on the device of what `content` says.
  char* place(std::string content) {
    const auto found = places_.find(content);
    if (found != places_.end()) return found->second;
    if (!arena_) {
      check(cudaMalloc(&arena_, arena_size), "allocating tables");
      check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    }
    const std::size_t bytes = (content.size() + 255) / 256 * 256;
    make_room(bytes);
    char* to = arena_ + used_;
    used_ += bytes;
    check(cudaMemcpyAsync(to, content.data(), content.size(), cudaMemcpyHostToDevice, stream_), "sending a table");
    check(cudaStreamSynchronize(stream_), "sending a table");
    return places_.emplace(std::move(content), to).first->second;
  }
  // For tables of one launch, so that the later ones do not take the place of the first.
  void make_room(std::size_t bytes) {
    if (used_ + bytes <= arena_size) return;
    if (bytes > arena_size)
      throw Failure("AcceleratorCUDA: tables of " + std::to_string(bytes) + " bytes are too large");
    submit_();  // start over, once nobody reads them any more
    check(cudaDeviceSynchronize(), "waiting");
    places_.clear();
    used_ = 0;
    ++generation_;
  }
  unsigned generation() const { return generation_; }  // how often all places were given up
  ~Tables() {
    cudaFree(arena_);
    if (stream_) cudaStreamDestroy(stream_);
  }

 private:
  static constexpr std::size_t arena_size = std::size_t{64} << 20;
  std::function<void()> submit_;
  std::unordered_map<std::string, char*> places_;
  char* arena_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::size_t used_ = 0;
  unsigned generation_ = 0;
};
}  // namespace AcceleratorCUDA
