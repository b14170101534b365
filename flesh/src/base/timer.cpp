// The tree of timers grows while the schedule is built, and by sweeps of steps, whose ways are known only later.
#include "cereus/timer.hpp"

namespace cereus {
int Timers::add(std::string name, int parent) {
  nodes_.push_back({std::move(name), parent});
  return static_cast<int>(nodes_.size()) - 1;
}
}  // namespace cereus
