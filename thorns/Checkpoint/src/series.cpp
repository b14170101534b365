#include "series.hpp"

#include <cereus/console.hpp>
#include <cereus/error.hpp>
namespace Checkpoint {
namespace fs = std::filesystem;

namespace {
bool is_series(const fs::path& name) { return name.extension() == ".asc" || name.extension() == ".gp"; }
}  // namespace

std::map<std::string, std::uint64_t> lengths_of_series(const fs::path& output) {
  std::map<std::string, std::uint64_t> lengths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(output, error))
    if (entry.symlink_status(error).type() == fs::file_type::regular && is_series(entry.path()))
      lengths[entry.path().filename().string()] = entry.file_size(error);
  return lengths;
}

void cut_series(const fs::path& output, const std::map<std::string, std::uint64_t>& lengths) {
  for (const auto& [name, length] : lengths_of_series(output)) {
    const auto known = lengths.find(name);
    std::error_code error;
    if (known == lengths.end()) fs::remove(output / name, error);
    else if (length < known->second)
      cereus::console::warn((output / name).string() + " is shorter than it was: lines are missing");
    else fs::resize_file(output / name, known->second, error);
    if (error) throw cereus::Failure("cannot cut " + (output / name).string() + ": " + error.message());
  }
}
}  // namespace Checkpoint
