// Changes the blocks in the course of a run.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// If the driver adapts before the step that leads to this iteration: runs the bin `regrid`, lets the driver change
// blocks, carries over variables that are valid on all levels, and runs `basegrid` and `postregrid`. Returns whether
// blocks have changed. Collective.
bool regrid(Simulation&, int iteration);
// A copy of memory without gaps, of any size: in pieces, because an extent is an int. `bytes`: a multiple of 16.
std::vector<CopyPiece> contiguous(const char* from, char* to, std::size_t bytes);
// Copies the tables of stretched axes to the device.
void put_axes_on_device(Simulation&);
}  // namespace cereus
