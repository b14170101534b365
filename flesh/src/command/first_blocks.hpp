// The blocks of a run's first step, before there is a run.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Gives a simulation, of one process and a driver that adapts, the blocks that its start will ask for. Returns false,
// and leaves those that it has, if they follow from initial data. `point`: the same without grid functions, whose grid
// is changed.
bool add_first_blocks(Simulation&, Simulation& point);
}  // namespace cereus
