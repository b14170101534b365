#include "observe/chain.hpp"

#include <nlohmann/json.hpp>

#include "cereus/file.hpp"
#include "cereus/text.hpp"

namespace cereus {
namespace fs = std::filesystem;

SlurmJob newest_job(const fs::path& output) {
  fs::path folder = fs::absolute(output).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // it ended with a slash
  folder += ".jobs";
  SlurmJob newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string job = entry.path().stem().string();
    if (entry.path().extension() != ".json" || job.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto j = nlohmann::json::parse(content_of(entry.path()).value_or(""), nullptr, false);
    if (!j.is_object()) continue;
    try {
      if (const int number = j.value("link", 0); number > newest.link)
        newest = {job, j.value("state", ""), printable(j.value("message", "")), number};
    } catch (const nlohmann::json::exception&) {}  // not written by us
  }
  return newest;
}
}  // namespace cereus
