#include "snapshot.hpp"

#include <algorithm>

namespace AcceleratorCUDA {
class Snapshots::Taken : public Snapshot {
 public:
  Taken(std::shared_ptr<Snapshots> pool, std::size_t bytes, Buffer buffer, int device)
      : pool_(std::move(pool)), bytes_(bytes), buffer_(std::move(buffer)), device_(device) {}
  ~Taken() override {
    const std::lock_guard lock(pool_->mutex_);
    pool_->free_.emplace(bytes_, buffer_);
  }
  char* bring() override {
    if (here_) return buffer_.host;
    check(cudaSetDevice(device_), "taking the device of the process");
    if (!buffer_.host) check(cudaMallocHost(reinterpret_cast<void**>(&buffer_.host), bytes_), "allocating pinned memory for analysis and output");
    check(cudaStreamWaitEvent(pool_->out_, buffer_.taken, 0), "waiting for an event");
    constexpr std::size_t piece = std::size_t{32} << 20;
    for (std::size_t at = 0; at < bytes_; at += piece) {
      check(cudaMemcpyAsync(buffer_.host + at, buffer_.device.get() + at, std::min(piece, bytes_ - at), cudaMemcpyDeviceToHost, pool_->out_),
            "copying to the host for analysis and output");
      check(cudaStreamSynchronize(pool_->out_), "copying to the host for analysis and output");
    }
    here_ = true;
    return buffer_.host;
  }

 private:
  std::shared_ptr<Snapshots> pool_;
  std::size_t bytes_;
  Buffer buffer_;
  int device_;
  bool here_ = false;
};

Snapshots::~Snapshots() {
  for (auto& [bytes, b] : free_) {
    cudaFreeHost(b.host);
    cudaEventDestroy(b.taken);
  }
  if (out_) cudaStreamDestroy(out_);
}

std::shared_ptr<Snapshot> Snapshots::take(const char* from, std::size_t bytes, cudaStream_t stream, Slabs& slabs, int device) {
  if (!out_) check(cudaStreamCreateWithFlags(&out_, cudaStreamNonBlocking), "making a stream");
  Buffer b;
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = free_.find(bytes); it != free_.end()) b = it->second, free_.erase(it);
  }
  if (!b.device) {
    b.device = slabs.allocate(bytes, "copies that analysis and output read (without them: Cereus: {lane: false})");
    check(cudaEventCreateWithFlags(&b.taken, cudaEventDisableTiming), "making an event");
  }
  check(cudaMemcpyAsync(b.device.get(), from, bytes, cudaMemcpyDeviceToDevice, stream), "copying for analysis and output");
  check(cudaEventRecord(b.taken, stream), "recording an event");
  return std::make_shared<Taken>(shared_from_this(), bytes, std::move(b), device);
}
}  // namespace AcceleratorCUDA
