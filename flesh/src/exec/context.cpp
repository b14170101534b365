// Gives a routine the variables that it declared; an access that it did not declare throws a Failure with its name.
#include "cereus/context.hpp"

#include <fmt/format.h>

#include "cereus/growing_file.hpp"
#include "cereus/kernel/reduce.hpp"
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

double GridPoint::coordinate(int axis) const {
  return block.level().space.place(centre, {i, j, k})[static_cast<std::size_t>(axis)];
}

double GridPoint::volume() const {
  const Patch& p = block.level().space;
  const int index[] = {i, j, k};
  double product = 1;
  for (int d = 0; d < block.grid->dim; ++d) {
    const bool end =
        centre[d] == Centre::vertex && !p.periodic[d] && (index[d] == p.cells.lo[d] || index[d] == p.cells.hi[d]);
    product *= (end ? 0.5 : 1.0) * p.distance(d, centre[d], index[d]);
  }
  if (p.map || p.joined)
    throw Failure("GridPoint::volume: cells of a ball overlap; take norms and sums of thorn Reduce");
  return product;
}

double Context::sum(const Sum& mine) const {
  Sum all = mine;
  simulation_.services.get<Driver>().combine_over_processes(
      &all, sizeof all, [](void* a, const void* b) { static_cast<Sum*>(a)->combine(*static_cast<const Sum*>(b)); });
  return all.value();
}

void Context::append(
    const std::string& file, const std::vector<std::string>& columns, const std::vector<double>& row) const {
  if (!file.ends_with(".asc") || columns.size() != row.size())
    throw Failure(fmt::format("{} appends to '{}': a name must end with .asc, and each column needs a number",
        routine_.item->full_name(), file));
  if (rank() != 0) return;
  const Clock& now = simulation_.grid.levels[levels_.first].clock;  // that of the run comes later in a step
  std::string header = "# 1:iteration 2:time", line = fmt::format("{} {}", now.iteration, all_digits(now.time));
  for (std::size_t n = 0; n < row.size(); ++n)
    header += fmt::format(" {}:{}", n + 3, columns[n]), line += " " + all_digits(row[n]);
  append_lines(simulation_.output / file, header + "\n", line + "\n");
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

char* Context::address(const VariableAccess& a, ScalarType type, const BlockRef& b) const {
  if (simulation_.type(a.group) != type)
    throw Failure(fmt::format("{} asks for {} as {}, but it is {}", routine_.name, name(a), name_of(type),
        name_of(simulation_.type(a.group))));
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
