// Reads the time series that IOASCII wrote. A thorn keeps nothing between calls that a restart would need; what the run
// has written so far is in the output folder, also after a restart.
#pragma once

#include <filesystem>
#include <vector>

#include "plots.hpp"

namespace IOImage {
// A series for each data column, named as the file names it; none if the file is no series.
std::vector<Series> read_series(const std::filesystem::path& file);
}  // namespace IOImage
