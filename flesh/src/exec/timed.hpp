// Timers of routines. Each moment of the evolution's thread belongs to exactly one timer: that of the routine that
// runs, or of what it waits for (ghost zones, boundaries, the background thread). So these times add up.
#pragma once
#include "cereus/simulation.hpp"
#include "schedule/routine_timer.hpp"
namespace cereus {
// While an object lives, waiting (Share) is charged to this routine.
class Timed {
 public:
  Timed(Timers&, int node, Device* waits_for);
  ~Timed();
  Timed(const Timed&) = delete;
  // The timer of that name for work outside of routines; it is added if there is none.
  static int outside(Timers&, const std::string& name);
  // Called before the first step, with the time since the first bin: the part that no timer has goes to "start".
  static void started(Timers&, std::chrono::nanoseconds);
  // With Cereus.exact_times the device, for which the caller waits after each routine, so that the timer of the routine
  // has the time of its kernels; else null.
  static Device* device(const Simulation&);

 private:
  friend class Share;
  Timers& timers_;
  int node_;
  Device* device_;
  Timed* outer_;
};

// While a Share lives, time is charged to what the present routine waits for. Shares nest: the innermost has the time.
// `own` charges the routine itself again. On a thread without a routine a Share does nothing.
class Share {
 public:
  // `overlaps`: kernels run meanwhile, so the device is not waited for before the clock starts.
  explicit Share(Shared what, bool overlaps = false) : Share(static_cast<int>(what), overlaps) {}
  static Share own() { return Share(-1, true); }
  ~Share();
  Share(const Share&) = delete;

 private:
  Share(int what, bool overlaps);
  int what_;
  Timed* of_;
  Share* outer_;
  bool waits_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::nanoseconds inside_{};  // time of Shares within this one
};
}  // namespace cereus
