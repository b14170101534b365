// Timers of routines. Each moment of the evolution's thread belongs to exactly one timer: that of the routine that
// runs, or of what it waits for (ghost zones, boundaries, the background thread); what it waits for on a device belongs
// to the routine whose work that was. So these times add up.
#pragma once
#include <chrono>

#include "cereus/simulation.hpp"
#include "exec/device_times.hpp"
#include "schedule/routine_timer.hpp"
namespace cereus {
// While an object lives, waiting (Share) is charged to this routine, and work of the device is its own.
class Timed {
 public:
  Timed(Simulation&, int node);
  ~Timed();
  Timed(const Timed&) = delete;
  // With Cereus.exact_times: waits for the device, so that the timer has the time of the kernels launched so far.
  static void wait(Simulation&);
  // The timer of that name for work outside of routines; it is added if there is none.
  static int outside(Timers&, const std::string& name);
  // Called before the first step, with the time since the first bin: the part that no timer has goes to "start".
  static void started(Timers&, std::chrono::nanoseconds);

 private:
  friend class Share;
  Simulation& s_;
  int node_;
  DeviceWork work_;
  Timed* outer_;
};

// Does work outside of routines; a timer of that name has its time.
template <class F> auto timed(Simulation& s, const char* what, F&& f) {
  using steady = std::chrono::steady_clock;
  const int node = Timed::outside(s.timers, what);
  struct Ends {
    Timers& timers;
    int node;
    steady::time_point start;
    ~Ends() { timers.record(node, steady::now() - start); }
  } const ends{s.timers, node, steady::now()};
  const Timed of(s, node);
  return f();
}

// While a Share lives, time is charged to what the present routine waits for. Shares nest: the innermost has the time.
// `own` charges the routine itself again. On a thread without a routine a Share does nothing.
class Share {
 public:
  // `overlaps`: kernels run meanwhile, so what the device does remains the routine's.
  explicit Share(Shared what, bool overlaps = false) : Share(static_cast<int>(what), overlaps) {}
  static Share own() { return Share(-1, true); }
  ~Share();
  Share(const Share&) = delete;

 private:
  Share(int what, bool overlaps);
  int node() const { return of_->node_ + 1 + what_; }
  int what_;
  Timed* of_;
  Share* outer_;
  std::optional<DeviceWork> work_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::nanoseconds inside_{};  // time of Shares within this one
};
}  // namespace cereus
