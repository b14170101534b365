// Runs routines beside the evolution. The walk through the schedule offers it each routine; the thread that does so is
// observe/background_thread.hpp.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
class Background {
 public:
  virtual ~Background() = default;
  // Takes a copy of what the routine reads as it is now, and runs the routine later. False: the caller runs it now.
  virtual bool take(Simulation&, const Routine&, Selection) = 0;
  virtual void check(Simulation&) = 0;               // rethrows what a routine threw there; notes that one ends the run
  virtual void drain(Simulation&) = 0;               // waits until all routines that were taken have run
  virtual void grid_changed(const Simulation&) = 0;  // all have run, and the blocks are new
};
}  // namespace cereus
