// Copies of device memory for analysis and output. They leave for the host when these ask for them, on a stream of
// their own, in small pieces: others that want a few numbers get their turn between two of them. Only the pieces are
// pinned, because to pin whole fields takes as long as some steps. All memory is used again, until blocks change: then
// copies have other sizes.
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
  void release();  // what nobody reads

 private:
  struct Buffer {
    std::shared_ptr<char> device;
    std::shared_ptr<char[]> host;  // when it was first asked for
    cudaEvent_t taken = nullptr;
  };
  class Taken;
  static Buffer make(std::size_t bytes, Slabs&);
  void bring(Buffer&, std::size_t bytes);

  static constexpr std::size_t piece = std::size_t{8} << 20;
  std::mutex mutex_, out_mutex_;
  std::multimap<std::size_t, Buffer> free_;  // by size
  Pinned pieces_;
  cudaStream_t out_ = nullptr;
  cudaEvent_t here_[2] = {};
};
}  // namespace AcceleratorCUDA
