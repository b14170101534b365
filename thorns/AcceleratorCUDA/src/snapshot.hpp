// Copies of device memory that leave for the host at once, on a stream of their own, in pieces, so that other transfers
// get their turn. Both the copy on the device and the one on the host are used again.
#pragma once
#include <functional>
#include <map>
#include <mutex>

#include "queue.hpp"
namespace AcceleratorCUDA {
class Snapshots : public std::enable_shared_from_this<Snapshots> {
 public:
  ~Snapshots();
  // Of so many bytes, which `fill` puts there, in the order of the queue. Slabs are those of the device.
  std::shared_ptr<Snapshot> take(
      std::size_t bytes, const std::function<void(char* to)>& fill, Queue& queue, Slabs& slabs, int device);

 private:
  struct Buffer {
    std::shared_ptr<char> device;
    char* host = nullptr;  // pinned
    cudaEvent_t taken = nullptr, here = nullptr;
  };
  class Taken;
  static Buffer make(std::size_t bytes, Slabs&);
  std::mutex mutex_;
  std::multimap<std::size_t, Buffer> free_;  // by size
  cudaStream_t out_ = nullptr;
};
}  // namespace AcceleratorCUDA
