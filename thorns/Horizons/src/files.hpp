// Files as AHFinderDirect writes them, so that kuibit and scripts read them.
#pragma once
#include <filesystem>
#include <optional>

#include "measure.hpp"

namespace Horizons {
std::string diagnostics_header(int number, int of);
std::string diagnostics_line(int iteration, double time, const Horizon&, const Found&);
// A sphere about the centroid, of the mean radius, that the last line of a file tells of; none if there is no such
// file.
std::optional<Surface> last_of(const std::filesystem::path& diagnostics, int lmax);
std::string shape(const Basis&, const Surface&, int iteration, double time);
}  // namespace Horizons
