// Notices that a run hangs: if no step has ended for long, each process prints the routine that it is in.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cereus/simulation.hpp"
namespace cereus {
class Watchdog {
 public:
  explicit Watchdog(const Simulation&);  // starts no thread if Cereus.hang is 0
  ~Watchdog();
  void step_ended();
  void set_out();                                   // steps begin now: the time before them does not count as a step
  double longest_step() const { return longest_; }  // seconds

 private:
  void watch();

  const Process process_;
  const double patience_;  // seconds
  const bool ends_run_;
  std::atomic<double> last_{0}, longest_{0};  // when a step ended, since the start; how long one took
  std::chrono::steady_clock::time_point start_;
  bool stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};
}  // namespace cereus
