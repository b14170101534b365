// The main loop, in parts, so that a program may do something between them.
#pragma once
#include <optional>

#include "cereus/simulation.hpp"
#include "observe/watchdog.hpp"
#include "run/steering.hpp"
namespace cereus {
enum class Ended { done, stopped, failed };  // stopped: early, and it can go on; failed: Simulation::failure says why
class Run {
 public:
  explicit Run(Simulation& s) : s_(s) {}
  void start();                       // initial data, or what the newest checkpoint holds
  void first_look();                  // analysis and output of initial data; nothing after a checkpoint
  void set_out();                     // before the first step, and again where the simulation was assembled anew
  void rest() { watchdog_.reset(); }  // until the next step: nobody waits for it
  Ended steps();                      // until a limit is reached
  void finish(Ended);                 // the last checkpoint; the bins `terminate` and `shutdown`

 private:
  template <class F> auto timed(const char* what, F&&);  // what is done outside of routines
  bool early(double longest_step) const;
  Simulation& s_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point bins_begin_ = begin_;
  std::optional<Watchdog> watchdog_;
  Steering steering_;
  bool restored_ = false;
};
Ended run(Simulation&);         // all of it
void ask_to_stop(bool = true);  // from a signal handler: the run ends after this step; or it does not
void ask_for_checkpoint();      // from a signal handler, too: after this step
}  // namespace cereus
