// Tiles that were chosen in earlier runs, kept on disk.
#pragma once
#include <cereus/simulation.hpp>
#include <vector>

#include "marches.hpp"
namespace CaKernel {
struct Choice {
  TileShape tile;
  March march = {};
  bool direct = false;  // one step at a time is faster
};
// What was chosen under a key, best first; nothing if one of them cannot be chosen any more. The same on all processes.
// `folder`: empty: nothing is kept.
std::vector<Choice> recall(
    const Simulation&, const std::string& folder, const std::string& key, const std::vector<Candidate>& possible);
void remember(const Simulation&, const std::string& folder, const std::string& key, const std::vector<Choice>&);
}  // namespace CaKernel
