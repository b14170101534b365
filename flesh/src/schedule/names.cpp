// Looks up groups and variables by name or pattern.
#include <algorithm>

#include "cereus/simulation.hpp"
#include "cereus/text.hpp"

namespace cereus {
int Simulation::group_number(const std::string& full_name) const {
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].full_name() == full_name) return static_cast<int>(g);
  return -1;
}

int Simulation::variable_number(const std::string& full_name) const {
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (variables[v].name == full_name) return static_cast<int>(v);
  return -1;
}

// A name thorn::variable, a group thorn::group, a glob of either, @evolved, @rhs, or @tag for groups with that tag. A
// glob leaves out right-hand sides and groups with the tag `scratch`, unless it finds nothing else.
std::vector<int> Simulation::match(const std::string& pattern) const {
  std::vector<int> found;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const Group& g = groups[variables[v].group];
    bool yes = false;
    if (pattern == "@rhs") yes = g.evolves >= 0;
    else if (pattern == "@evolved") yes = g.rhs >= 0;
    else if (pattern.starts_with("@")) yes = g.has_tag(pattern.substr(1));
    else yes = glob_match(pattern, variables[v].name) || glob_match(pattern, g.full_name());
    if (yes) found.push_back(static_cast<int>(v));
  }
  if (pattern.find_first_of("*?") != std::string::npos) {
    const auto passing = [&](int v) {
      const Group& g = groups[variables[v].group];
      return g.evolves >= 0 || g.has_tag("scratch");
    };
    if (!std::ranges::all_of(found, passing)) std::erase_if(found, passing);
  }
  return found;
}
}  // namespace cereus
