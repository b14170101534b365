// Steps that nobody looks at: what lets several be taken at once.
#pragma once
#include <cereus/simulation.hpp>
namespace cereus {
// Whether the run has reached its last iteration or its final time. The same on all ranks, because all see the same
// clock.
bool over(const Simulation&, const Clock&);

// How many steps come, at most `most`, before anything but the evolution runs, or dt changes.
int quiet_steps(Simulation&, double dt, int most);
}  // namespace cereus
