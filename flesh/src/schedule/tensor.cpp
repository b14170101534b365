// Which component of which tensor a variable is.
#include <algorithm>
#include <iterator>
#include <sstream>

#include "cereus/declaration.hpp"

namespace cereus {
std::string name_of(const std::array<Centre, 3>& centre, int dim) {
  int cells = 0, cell = 0, vertex = 0;  // axes along which it lies between vertices; one of them; one of the others
  for (int d = 0; d < dim; ++d)
    if (centre[static_cast<std::size_t>(d)] == Centre::cell) ++cells, cell = d;
    else vertex = d;
  if (cells == 0) return "at vertices";
  if (cells == dim) return "in cells";
  return cells == dim - 1 ? std::string("on faces across ") + "xyz"[vertex]
                          : std::string("on edges along ") + "xyz"[cell];
}

GroupDeclaration& GroupDeclaration::tensor(Tensor t, const std::vector<std::string>& variables, double weight) {
  constexpr const char* components[] = {"", "X Y Z", "x y z", "xx xy xz yy yz zz", "XX XY XZ YY YZ ZZ"};
  return tensor(components[static_cast<int>(t)], variables, false, weight);
}

GroupDeclaration& GroupDeclaration::tensor(
    const std::string& components, const std::vector<std::string>& variables, bool axial, double weight) {
  Group& g = me();
  std::istringstream words(components);
  std::vector<std::string> names{std::istream_iterator<std::string>(words), {}};
  if (names.empty()) names.emplace_back();
  if (g.variables.empty()) throw Error(g.full_name() + ".tensor: a parameter names the variables of this group");
  if (variables.size() % names.size() != 0)
    throw Error(g.full_name() + ": a tensor of this type has " + std::to_string(names.size()) + " components, and " +
                std::to_string(variables.size()) + " variables are named");
  g.characters.resize(g.variables.size());
  for (std::size_t c = 0; c < variables.size(); ++c) {
    const auto v = std::ranges::find(g.variables, variables[c]);
    if (v == g.variables.end()) throw Error(g.full_name() + ".tensor: no variable is called '" + variables[c] + "'");
    g.characters[v - g.variables.begin()] = {names[c % names.size()], axial, weight};
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
