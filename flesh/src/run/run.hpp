// The main loop, in parts, so that a program may act between them.
#pragma once
#include <functional>
#include <optional>

#include "cereus/simulation.hpp"
#include "observe/watchdog.hpp"
#include "run/shares.hpp"
#include "run/steering.hpp"
namespace cereus {
enum class Ended { done, stopped, failed };  // stopped: early, and it can go on; failed: Simulation::failure says why
class Run {
 public:
  explicit Run(Simulation& s) : s_(s) {}
  void start();                       // computes initial data, or reads the newest checkpoint
  void first_look();                  // analysis and output of initial data; does nothing after a restart
  void set_out();                     // before the first step, and again where the simulation was assembled anew
  void rest() { watchdog_.reset(); }  // the program pauses: no step is expected until steps()
  // Until a limit is reached; `each` hears of every step.
  Ended steps(const std::function<void(const Clock&)>& each = {});
  Ended finish(Ended);  // the last checkpoint; the bins `terminate` and `shutdown`. Returns how the run has ended

 private:
  bool early(double longest_step) const;
  void write(Checkpoints&);
  Simulation& s_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point bins_begin_ = begin_;
  std::optional<Watchdog> watchdog_;
  Steering steering_;
  Shares shares_;
  bool restored_ = false;
};
Ended run(Simulation&);         // all of it
void ask_to_stop(bool = true);  // from a signal handler: the run ends after this step; or it does not
void ask_for_checkpoint();      // from a signal handler, too: after this step
}  // namespace cereus
