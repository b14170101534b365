// The forecast needs no device: if Cereus.device allows one, it assumes that kernels run there.
#include "observe/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"
#include "exec/later.hpp"
#include "exec/valid.hpp"
#include "observe/background_thread.hpp"
#include "schedule/build.hpp"

namespace cereus {
Forecast::Forecast(const Simulation& s) : s_(s), idle_(never_run(s)) {
  buffers_ = buffers_of_groups(s, registers_of(s));
  if (s.of("Cereus").string("device") != "none" && !s.audit) accelerator_ = s.services.find<Accelerator>();
}

std::vector<std::string> Forecast::routine(const Routine& r) {
  std::vector<std::string> lines;
  if (idle_[r.id] || r.item->every.nowhere()) return lines;
  const Space space = space_of(r);
  const auto say = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  const auto each = [&](const auto& f) {
    for (const auto& a : r.accesses)
      if (s_.groups[a.group].kind == GroupKind::grid_function && buffers_[a.group] > 0) f(a);
  };
  each([&](const auto& a) {
    if (a.mode != Mode::write && accelerator_) say(copy(r, a, space));
  });
  if (exchanges(r, space) && !s_.audit)
    for (const Later& l : later_reads(s_, r))
      if (buffers_[l.access.group] > l.access.timelevel && space_of(*l.routine) == space)
        say(sync(*l.routine, l.access, space));
  each([&](const auto& a) {
    if (a.mode != Mode::write) say(sync(r, a, space)), fill_boundaries(r, a, space);
  });
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l)
    each([&](const auto& a) {
      if (a.mode != Mode::read) note_write(s_, l, a, at(a, l), space, {0, r.id});
    });
  return last_[r.id] = lines;
}

std::vector<std::string> Forecast::second_round(const Routine& r) {
  const auto first = last_[r.id];
  auto lines = routine(r);
  const auto what = [](const std::string& line) { return line.substr(0, line.find(": ")); };
  for (const auto& f : first)
    if (std::none_of(lines.begin(), lines.end(), [&](const auto& l) { return what(l) == what(f); }))
      lines.push_back(f + ", in the first round only");
  return lines;
}

void Forecast::cycle() {
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l)
    for (int g = 0; g < static_cast<int>(s_.groups.size()); ++g)
      for (int c = 0; s_.groups[g].timelevels > 1 && c < static_cast<int>(s_.groups[g].variables.size()); ++c) {
        for (int t = s_.groups[g].timelevels - 1; t > 0; --t) at({g, c, t}, l) = at({g, c, t - 1}, l);
        at({g, c, 0}, l) = {};
      }
}

Space Forecast::space_of(const Routine& r) const {
  if (!accelerator_) return Space::host;
  if (!r.is_kernel) return r.item->launches ? Space::device : Space::host;
  const auto* device = s_.services.find<Device>();
  return !device || device->can_run(*r.table) ? Space::device : Space::host;
}

std::string Forecast::name(Why why) const { return why.routine < 0 ? "" : s_.routines[why.routine].name; }

bool Forecast::beside(const Routine& r) {
  if (!s_.of("Cereus").boolean("lane") || !BackgroundThread::only_reads(r)) return false;
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l)
    for (const auto& a : r.accesses)
      if (s_.groups[a.group].kind == GroupKind::grid_function && buffers_[a.group] > 0 &&
          !at(a, l)[Space::device].interior)
        return false;
  return true;
}

std::int64_t Forecast::slab(int group) const {
  auto more = buffers_;
  ++more[group];
  const auto bytes = [&](const std::vector<int>& n) { return Fields::bytes_needed(s_.groups, n, s_.grid, s_.real); };
  return (bytes(more) - bytes(buffers_)) / static_cast<std::int64_t>(s_.groups[group].variables.size());
}

std::string Forecast::copy(const Routine& r, const VariableAccess& a, Space to) {
  std::int64_t bytes = 0;
  std::string maker;
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l) {
    if (r.item->parts && !at(a, l)[to].interior)
      for (const auto& [b, box] : parts_read(s_, r, l, a.group))
        bytes += box.points() * static_cast<std::int64_t>(size_of(s_.type(a.group)));
    if (!r.item->parts) bytes += accelerator_->bytes_to_bring(s_, l, a, at(a, l), to);
    maker = name(at(a, l)[to].why_interior);
  }
  if (bytes == 0) return "";
  const bool host = to == Space::host;
  if (host && !r.item->parts && beside(r)) bytes = slab(a.group);
  return fmt::format("→ {} of {} to the {}: {} reads it there, made on the {} by {}",
      format_bytes(static_cast<double>(bytes)), s_.variable_name(a.group, a.component), host ? "host" : "device",
      r.name, host ? "device" : "host", maker);
}

bool Forecast::exchanges(const Routine& r, Space space) {
  for (const VariableAccess& a : r.accesses)
    for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l)
      if (s_.groups[a.group].kind == GroupKind::grid_function && buffers_[a.group] > 0 && a.mode != Mode::write &&
          a.region != Region::boundary && need_of(s_, l, a, at(a, l)[space]).ghosts)
        return true;
  return false;
}

std::string Forecast::sync(const Routine& r, const VariableAccess& a, Space space) {
  std::string line;
  std::int64_t bytes = 0;
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l) {
    Validity& v = at(a, l);
    const Need need = need_of(s_, l, a, v[space]);
    if (!need.ghosts || (a.region == Region::boundary && !need.boundary)) continue;
    const Ghosts ghosts{a.group, a.component, a.timelevel, l, need.depth, need.corners};
    bytes += s_.services.get<Driver>().bytes_to_send(s_, ghosts);
    const std::string maker = name(v[space].why_ghosts);
    line = fmt::format("↔ sync {} ({} layers, {}{}): {} reads it at an offset, stale since {}",
        s_.variable_name(a.group, a.component),
        a.region == Region::interior || a.margin > 0 ? std::to_string(need.depth) : "all",
        need.corners ? "with corners" : "faces only",
        bytes ? fmt::format(", {} between processes", format_bytes(static_cast<double>(bytes))) : "", r.name,
        maker.empty() ? "it was allocated" : maker);
    note_ghosts(s_, v, ghosts, space, {0, r.id});
  }
  return line;
}

void Forecast::fill_boundaries(const Routine& r, const VariableAccess& a, Space space) {
  for (int l = 0; l < static_cast<int>(s_.grid.levels.size()); ++l) {
    Validity& v = at(a, l);
    if (need_of(s_, l, a, v[space]).boundary)
      v.filled_boundary(space, s_.grid.levels[l].ghosts, s_.grid.outer_faces(s_.grid.levels[l]), {0, r.id});
  }
}
}  // namespace cereus
