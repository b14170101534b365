// Notices that a run hangs: when no step has ended for long, each process says where it is.
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
  explicit Watchdog(const Simulation&);  // none is kept if Cereus.hang is 0
  ~Watchdog();
  void step_ended();
  void set_out();                                   // steps begin now: what went before is no measure of them
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
