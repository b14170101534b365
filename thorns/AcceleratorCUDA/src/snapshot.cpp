#include "snapshot.hpp"

#include <algorithm>

namespace AcceleratorCUDA {
class Snapshots::Taken : public Snapshot {
 public:
  Taken(std::shared_ptr<Snapshots> pool, std::size_t bytes, Buffer buffer, int device)
      : pool_(std::move(pool)),
        bytes_(bytes),
        buffer_(std::move(buffer)),
        device_(device) {}
  ~Taken() override {
    const std::lock_guard lock(pool_->mutex_);
    pool_->free_.emplace(bytes_, buffer_);
  }
  char* bring() override {
    check(cudaSetDevice(device_), "taking the device of the process");
    check(cudaEventSynchronize(buffer_.here), "copying to the host for analysis and output");
    return buffer_.host;
  }

 private:
  std::shared_ptr<Snapshots> pool_;
  std::size_t bytes_;
  Buffer buffer_;
  int device_;
};

Snapshots::~Snapshots() {
  for (auto& [bytes, b] : free_) {
    cudaFreeHost(b.host);
    cudaEventDestroy(b.taken);
    cudaEventDestroy(b.here);
  }
  if (out_) cudaStreamDestroy(out_);
}

Snapshots::Buffer Snapshots::make(std::size_t bytes, Slabs& slabs) {
  Buffer b;
  b.device = slabs.allocate(bytes, "copies that analysis and output read (without them: Cereus: {lane: false})");
  check(cudaMallocHost(reinterpret_cast<void**>(&b.host), bytes), "allocating pinned memory for analysis and output");
  check(cudaEventCreateWithFlags(&b.taken, cudaEventDisableTiming), "making an event");
  check(cudaEventCreateWithFlags(&b.here, cudaEventDisableTiming | cudaEventBlockingSync), "making an event");
  return b;
}

std::shared_ptr<Snapshot> Snapshots::take(
    std::size_t bytes, const std::function<void(char*)>& fill, Queue& queue, Slabs& slabs, int device) {
  if (!out_) check(cudaStreamCreateWithFlags(&out_, cudaStreamNonBlocking), "making a stream");
  Buffer b;
  {
    const std::lock_guard lock(mutex_);
    if (free_.count(bytes) ==
        0)  // two at a time: when the next one is taken this one is still being read, and pinning memory takes long
      for (int n = 0; n < 2; ++n) free_.emplace(bytes, make(bytes, slabs));
    const auto it = free_.find(bytes);
    b = it->second;
    free_.erase(it);
  }
  fill(b.device.get());
  check(cudaEventRecord(b.taken, queue.stream()), "recording an event");
  check(cudaStreamWaitEvent(out_, b.taken, 0), "waiting for an event");
  constexpr std::size_t piece = std::size_t{32} << 20;
  for (std::size_t at = 0; at < bytes; at += piece)
    check(cudaMemcpyAsync(b.host + at, b.device.get() + at, std::min(piece, bytes - at), cudaMemcpyDeviceToHost, out_),
        "copying to the host for analysis and output");
  check(cudaEventRecord(b.here, out_), "recording an event");
  return std::make_shared<Taken>(shared_from_this(), bytes, std::move(b), device);
}
}  // namespace AcceleratorCUDA
