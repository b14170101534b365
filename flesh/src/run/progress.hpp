// One line that says how far the run is and when it will be done.
#pragma once
#include <chrono>

#include "cereus/simulation.hpp"
namespace cereus {
class Progress {
 public:
  explicit Progress(const Simulation&);
  void show(const Simulation&);    // at most every so often: on a terminal one changing line, else a line every 30 s
  void finish(const Simulation&);

 private:
  using steady = std::chrono::steady_clock;
  std::string line(const Simulation&) const;
  steady::time_point start_ = steady::now(), last_{};
  double start_time_;
  int start_iteration_;
  bool terminal_;
  double interval_;
};
}  // namespace cereus
