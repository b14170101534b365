// Which component of which tensor a variable is.
#include <algorithm>

#include "cereus/declaration.hpp"

namespace cereus {
GroupDeclaration& GroupDeclaration::tensor(Tensor t, const std::vector<std::string>& variables, double weight) {
  constexpr int components[] = {1, 3, 3, 6, 6};
  Group& g = me();
  const int n = components[static_cast<int>(t)];
  if (g.variables.empty()) throw Error(g.full_name() + ".tensor: a parameter names the variables of this group");
  if (static_cast<int>(variables.size()) % n != 0)
    throw Error(g.full_name() + ": a tensor of this type has " + std::to_string(n) + " components, and " +
                std::to_string(variables.size()) + " variables are named");
  g.characters.resize(g.variables.size());
  for (int c = 0; c < static_cast<int>(variables.size()); ++c) {
    const auto v = std::ranges::find(g.variables, variables[c]);
    if (v == g.variables.end()) throw Error(g.full_name() + ".tensor: no variable is called '" + variables[c] + "'");
    g.characters[v - g.variables.begin()] = {t, c % n, weight};
  }
  return *this;
}

GroupDeclaration& GroupDeclaration::outgoing(const std::vector<std::string>& variables, Outgoing o) {
  Group& g = me();
  g.outgoing.resize(g.variables.size());
  for (const auto& name : variables) {
    const auto v = std::ranges::find(g.variables, name);
    if (v == g.variables.end()) throw Error(g.full_name() + ".outgoing: no variable is called '" + name + "'");
    g.outgoing[v - g.variables.begin()] = o;
  }
  return *this;
}
}  // namespace cereus
