// What made a file, as texts in it: written, and found again.
#pragma once

#include <cereus/simulation.hpp>

#include "hdf5_file.hpp"

namespace IOHDF5 {
void write_provenance(File& f, const cereus::Simulation& s, const std::string& group);
// Nothing if the file is none of ours.
std::optional<cereus::Provenance> provenance_of(const std::filesystem::path& path);
}  // namespace IOHDF5
