// What analysis thorns on the host share: the variables that a parameter file names, and the files that take results.
#pragma once
#include <Output/vocabulary.hpp>

namespace Analysis {
using namespace cereus;

// Calls f(variable, group) for all that the parameter `variables` names.
template <class F> void for_each_chosen(Context& c, F&& f) {
  const Simulation& s = c.simulation();
  for (const auto& pattern : c.parameters().strings("variables"))
    for (int v : s.match(pattern)) f(s.variables[v], s.groups[s.variables[v].group]);
}

// What the routine reads, each variable once, however many patterns it fits.
inline std::vector<VariableAccess> each_once(const Context& c) {
  std::vector<VariableAccess> list;
  for (const auto& chosen : Output::by_group(c.accesses()))
    list.insert(list.end(), chosen.accesses.begin(), chosen.accesses.end());
  return list;
}

// wavetoy-u.spectrum.asc
inline std::filesystem::path text_file(Context& c, const VariableAccess& a, const std::string& what) {
  const Group& g = c.group(a);
  return c.simulation().output / (Output::lower_case(g.thorn) + "-" + g.variables[a.component] + "." + what + ".asc");
}
}  // namespace Analysis
