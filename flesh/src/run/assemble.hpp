// From a parameter file to a simulation that is ready to run, but for the grid: nothing is allocated here.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
struct LoadedThorn;
struct ParameterFile;
struct RunOptions {
  std::string file;
  std::vector<std::string> sets;    // Thorn.key=value
  std::vector<std::string> thorns;  // activated beside those of the file
  std::vector<std::filesystem::path> thorn_folders;
  Process process;  // of the run: all of its processes assemble the same
};
// Throws one Error that lists all mistakes. Collective, within Process::agree.
Simulation assemble(const RunOptions&);
// The same from parameters and from loaded thorns beside those that they name. RunOptions::file names the run; the
// Problems are those found so far.
Simulation assemble(ParameterFile, std::vector<LoadedThorn>, const RunOptions&, Problems);
// Sets Simulation::resolved_parameters to the present values of all parameters.
void note_parameters(Simulation&);
// Makes the grid as this process has it. Collective.
void make_grid(Simulation&, const Process&);
// Makes the blocks of so many processes as if this one had them all, for forecasts of what all move together.
void make_whole_grid(Simulation&, int processes);
// Throws Failure if processes have not found alike what they must (Simulation::agreed). Collective.
void check_agreed(Simulation&);
// Before services go: gives back what they share with other processes. Collective.
void close_services(Simulation&);
void allocate(Simulation&);
// The number of buffers of each group: timelevels and those of the time integrator and of multi-step.
std::vector<int> buffers_needed(const Simulation&);
// The bytes of all grid functions on the blocks of this process.
std::int64_t memory_needed(const Simulation&);
}  // namespace cereus
