// The output folder: each run has its own. Only a run that goes on from a checkpoint overwrites files.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Throws an Error that names --fresh if the folder holds a run that cannot go on, or files that are no run. With
// `fresh` the old folder is moved to NAME.old-K first; so is a run that died before its first checkpoint.
void check_folder(const Simulation&, bool fresh);
// Creates the folder and describes the run there. If the folder already holds a run, its description stays, because
// that run may refuse to go on with these parameters.
void open_folder(const Simulation&, bool fresh);
// Takes back what open_folder() wrote and made, if nothing else is there: who mends a mistake starts in the same
// folder.
void forget_folder(const Simulation&);
void close_folder(const Simulation&);  // unlocks the folder for other runs; the end of the process does so, too
bool holds_run(const std::filesystem::path& folder);  // whether it goes on or has ended
bool in_use(const std::filesystem::path& folder);     // whether a run in it goes on
// Adds to the provenance what processes have agreed on since, if the folder is this run's.
void describe_agreed(const Simulation&);
// Writes the resolved parameters and the provenance.
void describe_run(const Simulation&);
}  // namespace cereus
