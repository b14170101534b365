// Whose time it is: of the routine that runs, or of what it waits for before it can. Each moment of the evolution's
// thread belongs to one timer alone, as its own time; so these times add up.
#pragma once
#include "cereus/simulation.hpp"
#include "schedule/routine_timer.hpp"
namespace cereus {
// While one lives, what is waited for counts for this routine.
class Timed {
 public:
  Timed(Timers&, int node, Device* waits_for);
  ~Timed();
  Timed(const Timed&) = delete;
  // Of what is done outside of routines, as for one: the timer of that name, which is added if there is none.
  static int outside(Timers&, const std::string& name);
  // The first step comes, so long after the first bin: what bins did not have of that goes to a timer "start".
  static void started(Timers&, std::chrono::nanoseconds);
  // The device that is waited for after each routine, so that its timer has the time of its kernels; mostly none.
  static Device* device(const Simulation&);

 private:
  friend class Share;
  Timers& timers_;
  int node_;
  Device* device_;
  Timed* outer_;
};

// The time of what the present routine waits for; on threads that run none, of nobody. Shares nest: the innermost has
// the time. `own` gives it back to the routine for a while.
class Share {
 public:
  // `overlaps`: kernels run meanwhile, and the device is not waited for.
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
  std::chrono::nanoseconds inside_{};  // of shares within
};
}  // namespace cereus
