// From a parameter file to a simulation that is ready to run, but for the grid: nothing is allocated here.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
struct RunOptions {
  std::string file;
  std::vector<std::string> sets;  // Thorn.key=value
  std::vector<std::filesystem::path> thorn_folders;
};
// Throws one Error that lists all mistakes.
Simulation assemble(const RunOptions&);
// The grid as seen by process `rank` of `size`, and variants that fit its dimension.
void make_grid(Simulation&, int rank, int size);
void allocate(Simulation&);
// Bytes of grid functions that the blocks of this process need.
std::int64_t memory_needed(const Simulation&);
}  // namespace cereus
