// Reads the time series that IOASCII wrote. A thorn keeps nothing between calls that a restart would need; what the run
// has written so far is in the output folder, also after a restart.
#pragma once

#include <cereus/group.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "plots.hpp"

namespace IOImage {
// A series for each data column, named as the file names it; none if the file is no series.
std::vector<Series> read_series(const std::filesystem::path& file);

// What each has gained since its first finite value.
std::vector<Series> changes(std::vector<Series>);
// Series that are alike in magnitude, within a factor of 10, share a panel; of many magnitudes more do.
std::vector<LinePlot> in_panels(const std::vector<Series>&, const std::string& title);

// "norm2 of WaveToy::u, rho" for wavetoy-state.norm2.asc; the file's name if it is no group's.
std::string title_of(
    const std::vector<cereus::Group>& groups, const std::filesystem::path& file, const std::vector<Series>& series);
}  // namespace IOImage
