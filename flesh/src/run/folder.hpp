// The output folder: one run a folder, nothing is ever overwritten.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Throws Error naming --fresh if the folder holds a run. With fresh it is moved to NAME.old-K first.
void check_folder(const std::filesystem::path&, bool fresh);
// Creates the folder and writes the resolved parameters and the provenance.
void open_folder(const Simulation&, bool fresh);
}  // namespace cereus
