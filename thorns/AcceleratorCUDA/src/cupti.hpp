// The device's own counters around one launch, by CUPTI's range profiler. The library is looked for at run time, like
// NCCL, so nobody needs it to run; a build without its headers says so instead of counting.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
namespace AcceleratorCUDA {
struct Reading {
  double seconds = 0, read = 0, written = 0;  // bytes from and to the device's memory
  double memory = 0, multiprocessors = 0;     // % of what they could do in that time
  const char* busiest = "";                   // part of the multiprocessors
};

struct NoCounters : std::runtime_error {
  using runtime_error::runtime_error;
};

// Both wait for the device, so that nothing else is counted; what is launched between them runs once. Both throw
// NoCounters.
struct RangeCounters {
  virtual ~RangeCounters() = default;
  virtual void begin() = 0;
  virtual Reading end() = 0;
};

// For the current device of this thread; throws NoCounters, with what is in the way.
std::unique_ptr<RangeCounters> range_counters();
}  // namespace AcceleratorCUDA
