#include "snapshot.hpp"

#include <algorithm>
#include <cstring>

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
    if (!is_here_) pool_->bring(buffer_, bytes_);
    is_here_ = true;  // not where that throws: half of it is there
    return buffer_.host.get();
  }

 private:
  std::shared_ptr<Snapshots> pool_;
  std::size_t bytes_;
  Buffer buffer_;
  int device_;
  bool is_here_ = false;
};

void Snapshots::release() {
  const std::lock_guard lock(mutex_);
  for (auto& [bytes, b] : free_) cudaEventDestroy(b.taken);
  free_.clear();
}

Snapshots::~Snapshots() {
  release();
  for (cudaEvent_t e : here_)
    if (e) cudaEventDestroy(e);
  if (out_) cudaStreamDestroy(out_);
}

Snapshots::Buffer Snapshots::make(std::size_t bytes, Slabs& slabs) {
  Buffer b;
  b.device = slabs.allocate(bytes, "copies that analysis and output read (without them: Cereus: {lane: false})");
  check(cudaEventCreateWithFlags(&b.taken, cudaEventDisableTiming), "making an event");
  return b;
}

std::shared_ptr<Snapshot> Snapshots::take(
    std::size_t bytes, const std::function<void(char*)>& fill, Queue& queue, Slabs& slabs, int device) {
  Buffer b;
  {
    const std::lock_guard lock(mutex_);
    if (free_.count(bytes) == 0)  // two at a time: when the next one is taken this one is still being read
      for (int n = 0; n < 2; ++n) free_.emplace(bytes, make(bytes, slabs));
    const auto it = free_.find(bytes);
    b = it->second;
    free_.erase(it);
  }
  fill(b.device.get());
  check(cudaEventRecord(b.taken, queue.stream()), "recording an event");
  return std::make_shared<Taken>(shared_from_this(), bytes, std::move(b), device);
}

// One piece is on its way while the one before is put where it belongs.
void Snapshots::bring(Buffer& b, std::size_t bytes) {
  const std::lock_guard lock(out_mutex_);
  const std::string doing = "copying to the host for analysis and output";
  if (!out_) check(cudaStreamCreateWithFlags(&out_, cudaStreamNonBlocking), "making a stream");
  for (cudaEvent_t& e : here_)
    if (!e) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync), "making an event");
  if (!b.host) b.host = std::make_unique_for_overwrite<char[]>(bytes);
  char* const pinned = pieces_.at_least(2 * piece);
  check(cudaStreamWaitEvent(out_, b.taken, 0), "waiting for an event");
  const auto size = [&](std::size_t n) { return std::min(piece, bytes - n * piece); };
  const std::size_t pieces = (bytes + piece - 1) / piece;
  for (std::size_t n = 0; n <= pieces; ++n) {
    if (n < pieces) {
      check(cudaMemcpyAsync(pinned + n % 2 * piece, b.device.get() + n * piece, size(n), cudaMemcpyDeviceToHost, out_),
          doing);
      check(cudaEventRecord(here_[n % 2], out_), "recording an event");
    }
    if (n == 0) continue;
    check(cudaEventSynchronize(here_[(n - 1) % 2]), doing);
    std::memcpy(b.host.get() + (n - 1) * piece, pinned + (n - 1) % 2 * piece, size(n - 1));
  }
}
}  // namespace AcceleratorCUDA
