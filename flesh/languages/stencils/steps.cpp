// Which functions run together. Neighbouring functions of one field are one sweep, all from the values before; sweeps
// that do not look at each other are one kernel.
#include <fmt/format.h>

#include <algorithm>

#include "stencils/program.hpp"

namespace cereus::stencils {
namespace {
bool reads(const Sweep& s, const FieldText* f) {
  bool found = false;
  for (const FunctionText* g : s.functions)
    for_each_access(g->value, [&](const Expression& e) { found = found || e.text == f->name; });
  return found;
}
bool is_wanted_old(const Program& p, const FieldText* f) {
  bool found = false;
  if (const auto& until = p.text.grids[0].until)
    for_each_access(until->value, [&](const Expression& e) { found = found || (e.old && e.text == f->name); });
  return found;
}
std::vector<Sweep> sweeps_of(const Program& p) {
  std::vector<Sweep> sweeps;
  for (const FunctionText& f : p.text.functions) {
    const FieldText* updated = p.updated(f);
    if (sweeps.empty() || sweeps.back().field != updated || f.then) sweeps.push_back({updated, {}});
    sweeps.back().functions.push_back(&f);
  }
  for (Sweep& s : sweeps) {
    const bool again = std::ranges::count(sweeps, s.field, &Sweep::field) > 1;
    if (is_wanted_old(p, s.field) && again && &*std::ranges::find(sweeps, s.field, &Sweep::field) == &s)
      p.source.add(s.functions[0]->span,
          fmt::format("'{}' is updated more than once a step, and `old {}` is what it was before", s.field->name,
              s.field->name),
          "a field that is updated once");
    s.neighbours = is_wanted_old(p, s.field);
    for (const FunctionText* f : s.functions)
      for_each_access(f->value,
          [&](const Expression& e) { s.neighbours = s.neighbours || (e.text == s.field->name && is_beside(e)); });
    s.copied = s.neighbours && again;
  }
  return sweeps;
}
}  // namespace

const FieldText* Program::updated(const FunctionText& f) const {
  if (const FieldText* named = field(f.subscript)) return named;
  return f.arguments.empty() ? nullptr : field(f.arguments.back().field);
}

void find_steps(Program& p) {
  for (const Sweep& s : sweeps_of(p)) {
    const bool apart = !p.steps.empty() && std::ranges::none_of(p.steps.back(), [&](const Sweep& other) {
      // What is kept as it was before the step may be read at any time.
      const bool kept = s.neighbours && !s.copied;
      return other.field == s.field || reads(s, other.field) || (reads(other, s.field) && !kept);
    });
    if (!apart || s.copied || p.steps.back().back().copied) p.steps.emplace_back();
    p.steps.back().push_back(s);
    if (s.neighbours && s.functions.size() > 1)
      p.notes.push_back(fmt::format("{}: its {} functions all see the values before; `then` between them changes that",
          s.field->name, s.functions.size()));
  }
}
}  // namespace cereus::stencils
