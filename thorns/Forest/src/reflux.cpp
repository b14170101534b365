#include "reflux.hpp"

namespace Forest {
using namespace cereus;

const Routine* flux_kernel(const Simulation& s, int group, int component, int axis) {
  for (const Routine& r : s.routines)
    if (r.is_kernel && r.item->level_faces == axis && r.item->where == cereus::MoL::fluxes[axis].name)
      for (const VariableAccess& a : r.accesses)
        if (a.mode == Mode::write && a.group == group && a.component == component) return &r;
  return nullptr;
}

std::vector<Job> Reflux::jobs(const Registers& r, int group, int timelevel, int axis) const {
  std::vector<Job> list;
  for (const int c : r.components) list.push_back({{group, c, timelevel}, across_[static_cast<std::size_t>(axis)]});
  return list;
}

std::vector<Reflux::Registers>& Reflux::registers_of(const Simulation& s, int fluxes) {
  const auto [found, fresh] = registers_.try_emplace(fluxes);
  for (int c = 0; fresh && c < static_cast<int>(s.groups[fluxes].variables.size()); ++c) {
    if (c % most_variables == 0) found->second.emplace_back();
    found->second.back().components.push_back(c);
  }
  return found->second;
}

void Reflux::take(Simulation& s, int axis) {
  if (across_.empty()) across_ = zones_.face_transfers(s);
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    if (s.groups[g].fluxes_of.empty() || s.fields.buffers(g) == 0) continue;
    for (Registers& r : registers_of(s, g)) {
      // Where they were computed: a copy elsewhere has no ghost zones, and faces at upper ends are there.
      r.space = space_of(s, *flux_kernel(s, g, r.components.front(), axis)->table);
      zones_.carry_out(s, jobs(r, g, 0, axis), r.space, r.kept);
    }
  }
}

void Reflux::add(Simulation& s, int group, int buffer, double weight) {
  for (Registers& r : registers_[s.groups[group].fluxes]) {
    std::vector<VariableAccess> cells;
    for (const int c : r.components) cells.push_back({group, c, buffer, Mode::update});
    make_valid(s, s.grid.all(), cells, -1, r.space);
    for (int axis = 0; axis < s.grid.dim; ++axis)
      Carrier(s, r.space, jobs(r, group, buffer, axis), r.kept.scratch, r.kept.lists)
          .correct(across_[static_cast<std::size_t>(axis)]->corrected, weight);
    for (const int c : r.components)
      for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
        s.fields.validity(group, c, buffer, l).wrote_interior(r.space, {s.clock.iteration, -1});
  }
}
}  // namespace Forest
