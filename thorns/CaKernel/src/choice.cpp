#include "choice.hpp"

#include <cereus/hash.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "late.hpp"
namespace CaKernel {
namespace {
constexpr const char *direct = "one step at a time", *march = "; march ";
std::string path(const std::string& folder, const std::string& key) { return (std::filesystem::path(folder) / (hash_of(key) + ".tile")).string(); }
}  // namespace

std::vector<Choice> recall(const Simulation& s, const std::string& folder, const std::string& key, const std::vector<Candidate>& possible) {
  std::ostringstream kept;
  if (s.process.rank() == 0 && !folder.empty()) kept << std::ifstream(path(folder, key)).rdbuf();
  std::istringstream lines(s.process.broadcast(kept.str()));
  std::vector<Choice> list;
  for (std::string line; std::getline(lines, line);) {
    const auto before = list.size();
    if (line == direct) list.push_back({{}, 0, true});
    for (const auto& c : possible)
      if (const std::string tile = text_of(c.tile) + march; line.starts_with(tile))
        if (const int chunk = std::atoi(line.c_str() + tile.size()); chunk > 0) list.push_back({c.tile, chunk});
    if (list.size() == before) return {};  // of another time
  }
  return list;
}

void remember(const Simulation& s, const std::string& folder, const std::string& key, const std::vector<Choice>& list) {
  std::string text;
  for (const auto& c : list) text += (c.direct ? direct : text_of(c.tile) + march + std::to_string(c.chunk)) + "\n";
  if (s.process.rank() == 0 && !folder.empty()) write_whole(path(folder, key), text);
}
}  // namespace CaKernel
