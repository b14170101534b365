// Gives a routine the variables that it declared; an access that it did not declare throws a Failure with its name.
#include "cereus/context.hpp"

#include <fmt/format.h>

#include "cereus/text.hpp"

namespace cereus {
std::vector<BlockRef> Context::blocks() const {
  std::vector<BlockRef> list;
  for (int l = levels_.first; l < levels_.last; ++l) {
    const Level& level = simulation_.grid.levels[l];
    for (int b = level.first_block; b < level.last_block; ++b) list.push_back({&simulation_.grid, b});
  }
  return list;
}

char* Context::find(
    const std::string& key, int component, ScalarType type, const BlockRef& b, int timelevel, bool write) const {
  const auto fits = [&](const VariableAccess& a) {
    return a.component == component && a.timelevel == timelevel && simulation_.groups[a.group].key == key &&
           (write ? a.mode != Mode::read : a.mode != Mode::write);
  };
  for (const auto& a : routine_.accesses) {
    if (!fits(a)) continue;
    for (const auto& other : routine_.accesses)
      if (fits(other) && other.group != a.group)
        throw Failure(fmt::format("{} asks for {}, which is the struct of {} and of {}; use view() for those",
            routine_.item->full_name(), name_of_struct(key), simulation_.groups[a.group].full_name(),
            simulation_.groups[other.group].full_name()));
    if (simulation_.type(a.group) != type)
      throw Failure(fmt::format("{} asks for {} as {}, but it is {}", routine_.name,
          simulation_.variable_name(a.group, component), name_of(type), name_of(simulation_.type(a.group))));
    return simulation_.fields.address(a.group, component, timelevel, b.number);
  }
  const std::string name = name_of_struct(key);
  throw Failure(fmt::format("{} asks to {} {}{}, which it did not declare; declare it with .{}<{}>()",
      routine_.item->full_name(), write ? "write" : "read", name,
      timelevel ? fmt::format(" at timelevel {}", timelevel) : "", write ? "writes" : "reads", name));
}

char* Context::address(const VariableAccess& a, const BlockRef& b) const {
  return simulation_.fields.address(a.group, a.component, a.timelevel, b.number);
}

char* Context::plain(const std::string& variable, ScalarType type, bool write) const {
  const std::string full = variable.find("::") == std::string::npos ? routine_.item->thorn + "::" + variable : variable;
  for (const auto& a : routine_.accesses) {
    if (simulation_.variable_name(a.group, a.component) != full) continue;
    if (simulation_.groups[a.group].kind == GroupKind::grid_function) continue;
    if (write && a.mode == Mode::read) continue;
    if (simulation_.type(a.group) != type)
      throw Failure(fmt::format("{} asks for {} as {}, but it is {}", routine_.name, full, name_of(type),
          name_of(simulation_.type(a.group))));
    return simulation_.fields.plain(a.group, a.component, a.timelevel);
  }
  throw Failure(fmt::format("{} asks to {} the grid scalar or array {}, which it did not declare so", routine_.name,
      write ? "write" : "read", full));
}

std::size_t Context::elements(const std::string& variable) const {
  const std::string full = variable.find("::") == std::string::npos ? routine_.item->thorn + "::" + variable : variable;
  const int v = simulation_.variable_number(full);
  return v < 0 ? 0 : static_cast<std::size_t>(simulation_.fields.elements(simulation_.variables[v].group));
}
}  // namespace cereus
