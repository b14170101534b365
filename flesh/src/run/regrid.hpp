// Blocks that change in the course of a run.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Lets the driver change blocks before the step that leads to this iteration, if it adapts then: runs `regrid`; carries
// over what is valid; runs `basegrid` and `postregrid`. Returns whether blocks have changed. Collective.
bool regrid(Simulation&, int iteration);
// The grid that Driver::grid_text described, made by the driver that is there now.
Grid make_grid_of(Simulation&, const std::string& blocks);
// A copy of memory without gaps, of any size: in pieces, because an extent is an int. `bytes`: a multiple of 16.
std::vector<CopyPiece> contiguous(const char* from, char* to, std::size_t bytes);
// Gives a device the tables of stretched axes.
void put_axes_on_device(Simulation&);
}  // namespace cereus
