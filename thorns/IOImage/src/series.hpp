// Reads the time series that IOASCII wrote. A thorn keeps nothing between calls that a restart would need; what the run
// has written so far is in the output folder, also after a restart.
#pragma once

#include <filesystem>
#include <vector>

#include "plots.hpp"

namespace IOImage {
// A series for each data column: iteration, time, data…; the line `# data columns: 3:u 4:rho` names them. What is not
// a row of numbers is skipped, so that the torn last line of a crashed run does no harm.
std::vector<Series> read_series(const std::filesystem::path& file);
}  // namespace IOImage
