#include "choice.hpp"

#include <cereus/hash.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "late.hpp"
namespace CaKernel {
namespace {
constexpr const char *direct = "one step at a time", *march = "; march ";
std::string path(const std::string& folder, const std::string& key) { return (std::filesystem::path(folder) / (hash_of(key) + ".tile")).string(); }
}  // namespace

std::optional<Choice> recall(const Simulation& s, const std::string& folder, const std::string& key, const std::vector<Candidate>& possible) {
  std::string text;
  if (s.process.rank() == 0 && !folder.empty()) {
    std::ifstream file(path(folder, key));
    std::getline(file, text);
  }
  text = s.process.broadcast(text);
  if (text == direct) return Choice{{}, 0, true};
  for (const auto& c : possible)
    if (const std::string tile = text_of(c.tile) + march; text.starts_with(tile))
      if (const int chunk = std::atoi(text.c_str() + tile.size()); chunk > 0) return Choice{c.tile, chunk};
  return {};
}

void remember(const Simulation& s, const std::string& folder, const std::string& key, const Choice& c) {
  if (s.process.rank() == 0 && !folder.empty())
    write_whole(path(folder, key), (c.direct ? direct : text_of(c.tile) + march + std::to_string(c.chunk)) + "\n");
}
}  // namespace CaKernel
