// Files as AHFinderDirect writes them, so that kuibit and scripts read them.
#pragma once
#include <filesystem>
#include <optional>

#include "measure.hpp"

namespace Horizons {
std::string diagnostics_header(int number, int of);
std::string diagnostics_line(int iteration, double time, const Horizon&, const Found&);
// What later searches start from, a line a search, to the last bit: a run that goes on from a checkpoint reads it.
extern const char* const surfaces_header;
std::string surfaces_line(int iteration, double time, const Surface&);
std::optional<Surface> last_of(const std::filesystem::path& surfaces, int lmax);  // of the last line; none without file
std::string shape(const Basis&, const Surface&, int iteration, double time);
}  // namespace Horizons
