#include "reflux.hpp"

#include <algorithm>

namespace Forest {
using namespace cereus;

const Routine* flux_kernel(const Simulation& s, int group, int component, int axis) {
  for (const Routine& r : s.routines)
    if (r.is_kernel && r.item->level_faces == axis && r.item->where == cereus::MoL::fluxes[axis].name)
      for (const VariableAccess& a : r.accesses)
        if (a.mode == Mode::write && a.group == group && a.component == component) return &r;
  return nullptr;
}

void Reflux::plan(const Simulation& s) {
  if (!coarser_.empty()) return;
  const int finest = static_cast<int>(s.grid.levels.size()) - 1;
  if (!subcycled_) coarser_ = {zones_.face_transfers(s, {0, finest}, Side::both, 0)};
  Offset end = subcycled_ ? 0 : coarser_.back().end();
  for (int l = 0; subcycled_ && l < finest; ++l) {
    coarser_.push_back(zones_.face_transfers(s, {l, l + 1}, Side::coarser, end));
    finer_.push_back(zones_.face_transfers(s, {l, l + 1}, Side::finer, end));
    end = coarser_.back().end();
  }
  for (const auto* list : {&coarser_, &finer_})
    for (const Faces& faces : *list)
      for (const auto& transfer : faces.across) transfer->scratch = end;
}

std::vector<Job> Reflux::jobs(const Registers& r, const Faces& faces, int group, int timelevel, int axis) const {
  std::vector<Job> list;
  for (const int c : r.components)
    list.push_back({{group, c, timelevel}, faces.across[static_cast<std::size_t>(axis)]});
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

void Reflux::take(Simulation& s, Selection levels, int axis) {
  plan(s);
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    if (s.groups[g].fluxes_of.empty() || s.fields.buffers(g) == 0) continue;
    for (Registers& r : registers_of(s, g)) {
      // Where they were computed: a copy elsewhere has no ghost zones, and faces at upper ends are there.
      r.space = space_of(s, *flux_kernel(s, g, r.components.front(), axis)->table);
      std::vector<Job> all;
      const auto add = [&](const std::vector<Faces>& list, int level) {
        if (level >= 0 && level < static_cast<int>(list.size()))
          std::ranges::move(jobs(r, list[static_cast<std::size_t>(level)], g, 0, axis), std::back_inserter(all));
      };
      for (int l = levels.first; l < levels.last; ++l) {
        add(coarser_, l);
        if (subcycled_) add(finer_, l - 1);
      }
      zones_.carry_out(s, std::move(all), r.space, r.kept);
    }
  }
}

void Reflux::correct(Simulation& s, Registers& r, Scratch& fluxes, std::span<const Faces> faces, Selection levels,
    Driver::Values of, double weight) {
  std::vector<VariableAccess> cells;
  for (const int c : r.components) cells.push_back({of.group, c, of.timelevel, Mode::update});
  make_valid(s, levels, cells, -1, r.space);
  for (const Faces& f : faces)
    for (int axis = 0; axis < s.grid.dim; ++axis)
      Carrier(s, r.space, jobs(r, f, of.group, of.timelevel, axis), fluxes, r.kept.lists)
          .correct(f.across[static_cast<std::size_t>(axis)]->corrected, weight);
  for (const int c : r.components)
    for (int l = levels.first; l < levels.last; ++l)
      s.fields.validity(of.group, c, of.timelevel, l).wrote_interior(r.space, {s.clock.iteration, -1});
}

void Reflux::correct(Simulation& s, int group, int buffer, double weight) {
  for (Registers& r : registers_[s.groups[group].fluxes])
    correct(s, r, r.kept.scratch, coarser_, s.grid.all(), {group, 0, buffer}, weight);
}

void Reflux::add_up(Simulation& s, int level, int group, double weight) {
  const bool begins = s.services.get<TimeIntegrator>().stage(s) == 0;
  const auto of = [&](int l) {
    return l >= 0 && l < static_cast<int>(coarser_.size()) ? &coarser_[static_cast<std::size_t>(l)] : nullptr;
  };
  for (Registers& r : registers_[s.groups[group].fluxes]) {
    const auto add = [&](const Faces& f, Offset first, double w, bool adds) {
      Carrier(s, r.space, jobs(r, f, group, 0, 0), r.kept.scratch, r.kept.lists)
          .add_up({first, f.count, w, adds}, r.sums);
    };
    if (const Faces* f = of(level)) {
      add(*f, f->first, weight, !begins);
      if (begins) add(*f, f->first + f->count, 0, false);
    }
    if (const Faces* f = of(level - 1)) add(*f, f->first + f->count, weight, true);
  }
}

void Reflux::correct_step(Simulation& s, int level) {
  for (auto& [fluxes, registers] : registers_)
    for (Registers& r : registers)
      correct(s, r, r.sums, {&coarser_[static_cast<std::size_t>(level)], 1}, {level, level + 1},
          {s.group_number(s.groups[fluxes].fluxes_of), 0, 0}, 1);
}
}  // namespace Forest
