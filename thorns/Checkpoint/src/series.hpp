// Text series: files of the output folder that grow, and whose names end in .asc, or in .gp, of horizons.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
namespace Checkpoint {
std::map<std::string, std::uint64_t> lengths_of_series(const std::filesystem::path& output);
// Cuts what was written after a checkpoint, so that series go on with neither gap nor double line. Throws Failure.
void cut_series(const std::filesystem::path& output, const std::map<std::string, std::uint64_t>& lengths);
}  // namespace Checkpoint
