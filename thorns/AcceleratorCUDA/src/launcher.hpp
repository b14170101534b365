// Launches the loops of kernels: which of them, and in thread blocks of what shape.
#pragma once
#include <unordered_map>

#include "late_loops.hpp"
#include "queue.hpp"
namespace AcceleratorCUDA {
// Of one launch.
struct LaunchInfo {
  const char* who;
  const BlockLaunch* blocks;  // on the device; null for a single block
  char* partial = nullptr;    // memory for what thread blocks of a reducing kernel return
  char* result = nullptr;     // pinned memory of the host, for the combined result
  int most_partials = 0;
};

class Launcher {
 public:
  Launcher(Queue& queue, LateLoops& late) : queue_(queue), late_(late) {}
  void open(int multiprocessors, int cache_bytes) { multiprocessors_ = multiprocessors, cache_bytes_ = cache_bytes; }
  void launch(const DeviceLoops&, const void* kernel, const Launch&, const LaunchInfo&);

 private:
  struct Shape;
  struct Call;
  bool try_march(const Call&, const DeviceFunctions&);
  void fused(const Call&, const DeviceFunctions&, AxesOf);
  bool try_modify(const Call&, const DeviceFunctions&);
  void direct(Call, const DeviceFunctions&, AxesOf);
  void reduce(const Call&, const DeviceFunctions&, AxesOf);
  bool spills(const void* function);
  bool may_march(const Call&, const Shape&) const;
  bool fit_cache(const Call&, int planes) const;
  int resident(const void* function);  // thread blocks of a reduction on a multiprocessor

  Queue& queue_;
  LateLoops& late_;
  int multiprocessors_ = 1, cache_bytes_ = 0;
  std::unordered_map<const void*, bool> spills_;
  std::unordered_map<const void*, int> resident_;
};
}  // namespace AcceleratorCUDA
