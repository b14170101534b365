#include "choice.hpp"

#include <algorithm>
#include <cereus/hash.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "late.hpp"
namespace CaKernel {
namespace {
constexpr const char *direct = "one step at a time", *marches = "; march ";
std::string path(const std::string& folder, const std::string& key) {
  return (std::filesystem::path(folder) / (hash_of(key) + ".tile")).string();
}
}  // namespace

std::vector<Choice> recall(
    const Simulation& s, const std::string& folder, const std::string& key, const std::vector<Candidate>& possible) {
  std::ostringstream kept;
  if (s.process.rank() == 0 && !folder.empty()) kept << std::ifstream(path(folder, key)).rdbuf();
  std::istringstream lines(s.process.broadcast(kept.str()));
  std::vector<Choice> list;
  for (std::string line; std::getline(lines, line);) {
    const auto before = list.size();
    if (line == direct) list.push_back({{}, {}, true});
    for (const auto& c : possible)
      if (const std::string tile = text_of(c.tile) + marches; line.starts_with(tile))
        if (const March m = march_of(line.substr(tile.size())); text_of(m) == line.substr(tile.size()) &&
                                                                std::min({m.whole + 1, m.planes, m.rest}) > 0 &&
                                                                std::max({m.whole, m.planes, m.rest}) < 1 << 24)
          list.push_back({c.tile, m});
    if (list.size() == before) return {};  // of another time
  }
  return list;
}

void remember(const Simulation& s, const std::string& folder, const std::string& key, const std::vector<Choice>& list) {
  std::string text;
  for (const auto& c : list) text += (c.direct ? direct : text_of(c.tile) + marches + text_of(c.march)) + "\n";
  if (s.process.rank() == 0 && !folder.empty()) write_whole(path(folder, key), text);
}
}  // namespace CaKernel
