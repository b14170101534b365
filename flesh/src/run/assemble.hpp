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
// From parameters, and from thorns beside those that they name. RunOptions::file names the run. The problems: so far.
Simulation assemble(ParameterFile, std::vector<LoadedThorn>, const RunOptions&, Problems);
// Writes down all values that parameters have now.
void note_parameters(Simulation&);
// The grid as seen by process `rank` of `size`, and variants that fit its dimension. Collective.
void make_grid(Simulation&, const Process&);
// Throws Failure if processes have not found alike what they must (Simulation::agreed). Collective.
void check_agreed(Simulation&);
// Before services go: gives back what they share with other processes. Collective.
void close_services(Simulation&);
void allocate(Simulation&);
// Takes the device of this process; without one kernels run on the host. Collective.
void open_device(Simulation&);
// Destroys and makes again all services: what they keep beside the simulation must not matter.
void rebuild_services(Simulation&);
// Buffers that each group needs, of which the time integrator and time tiles have some.
std::vector<int> buffers_needed(const Simulation&);
// Bytes of grid functions that the blocks of this process need.
std::int64_t memory_needed(const Simulation&);
}  // namespace cereus
