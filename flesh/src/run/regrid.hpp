// Blocks that change in the course of a run.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Lets the driver change blocks before the step that leads to this iteration, if it adapts then: runs `regrid`; carries
// over what is valid; runs `basegrid` and `postregrid`. Returns whether blocks have changed. Collective.
bool regrid(Simulation&, int iteration);
// Gives a device the tables of stretched axes.
void put_axes_on_device(Simulation&);
}  // namespace cereus
