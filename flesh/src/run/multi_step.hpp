// Finds steps after which no routine is due: several of them can be taken at once (multi-step).
#pragma once
#include <cereus/simulation.hpp>
namespace cereus {
// How many steps, at most `most`, can be taken before a routine outside the evolution is due or dt changes.
int steps_before_due(Simulation&, double dt, int most);
}  // namespace cereus
