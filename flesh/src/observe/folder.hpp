// The output folder: one run a folder. Nothing is overwritten but by a run that goes on from a checkpoint.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Throws Error naming --fresh if the folder holds a run that cannot go on; and if it holds anything but a run. With
// fresh it is moved to NAME.old-K first, and so is a run that died before its first checkpoint.
void check_folder(const Simulation&, bool fresh);
// Creates the folder, and describes the run there, unless it holds one: that may refuse to go on with these parameters.
void open_folder(const Simulation&, bool fresh);
void close_folder(const Simulation&);                 // another run may have it; without this, when the process ends
bool holds_run(const std::filesystem::path& folder);  // one that goes on or has ended
bool in_use(const std::filesystem::path& folder);     // one that goes on
// Writes down beside the provenance what processes have agreed on since, if the folder is this run's.
void describe_agreed(const Simulation&);
// Writes the resolved parameters and the provenance.
void describe_run(const Simulation&);
}  // namespace cereus
