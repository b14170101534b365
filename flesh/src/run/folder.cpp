// A folder holds a run if it holds resolved parameters: they are the first thing written.
#include "run/folder.hpp"

#include <fmt/format.h>

#include <fstream>

namespace cereus {
namespace fs = std::filesystem;
namespace {
constexpr const char* mark = "parameters.yaml";
}

void check_folder(const Simulation& s, bool fresh) {
  const fs::path& folder = s.output;
  for (const auto& part : folder)
    if (part == "..") throw Error(fmt::format("Cereus.output: '{}' must not contain '..'; name a folder below the current one", folder.string()));
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error(fmt::format("the output folder '{}' is a file; choose another with Cereus.output", folder.string()));
  const auto* checkpoints = s.services.find<Checkpoints>();
  if (!fresh && fs::exists(folder / mark) && !(checkpoints && checkpoints->any_in(folder)))
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
