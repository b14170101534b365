// A folder holds a run if it holds resolved parameters: they are the first thing written.
#include "run/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace cereus {
namespace fs = std::filesystem;
namespace {
constexpr const char* mark = "parameters.yaml";
}

void check_folder(const Simulation& s, bool fresh) {
  const fs::path& folder = s.output;
  const auto refuse = [&](const std::string& why) { throw Error(fmt::format("the output folder '{}' {}; choose another with Cereus.output", folder.string(), why)); };
  if (std::ranges::any_of(folder.native(), [](unsigned char c) { return c < ' '; })) throw Error("Cereus.output: the name of a folder has no control characters");
  for (const auto& part : folder)
    if (part == "..") throw Error(fmt::format("Cereus.output: '{}' must not contain '..'; name a folder below the current one", folder.string()));
  std::error_code error;
  const auto status = fs::status(folder, error);
  const bool marked = fs::is_directory(status) && fs::exists(folder / mark, error);
  if (!fs::status_known(status)) refuse("cannot be looked at: " + error.message());
  if (fs::exists(status) && !fs::is_directory(status)) refuse("is a file");
  if (fs::exists(status) && !marked && !fs::is_empty(folder, error)) refuse(error ? "cannot be looked at: " + error.message() : "is not empty, and holds no run");
  const auto* checkpoints = s.services.find<Checkpoints>();
  if (!fresh && marked && !(checkpoints && checkpoints->any_in(folder)))
    throw Error(fmt::format("the folder '{}' already holds a run{}; add --fresh to move it aside (to {}.old-K) and start anew, or "
                            "choose another folder with --set Cereus.output=NAME", folder.string(), checkpoints ? ", but no checkpoint to go on from" : "", folder.string()));
}

void open_folder(const Simulation& s, bool fresh) {
  if (s.process.rank() != 0) return;
  check_folder(s, fresh);
  if (fresh && fs::exists(s.output / mark)) {
    int k = 1;
    while (fs::exists(s.output.string() + ".old-" + std::to_string(k))) ++k;
    fs::rename(s.output, s.output.string() + ".old-" + std::to_string(k));
  }
  std::error_code failed;
  fs::create_directories(s.output, failed);
  if (failed) throw Error(fmt::format("cannot create the output folder '{}': {}", s.output.string(), failed.message()));
  std::ofstream(s.output / mark) << s.resolved_parameters;
  std::ofstream(s.output / "provenance.txt") << s.provenance;
}
}  // namespace cereus
