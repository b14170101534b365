// Makes good what a routine reads: finds stale ghost zones and boundaries, lets the driver and the boundary thorn fill
// them, notes it. One message a neighbour carries all stale variables.
#include "exec/make_valid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/execute.hpp"

namespace cereus {
namespace {
[[noreturn]] void invalid(const Simulation& s, const VariableAccess& a, const char* region, Why why, int routine) {
  throw Failure(fmt::format("{} reads the {} of {}{}, which is not valid ({})",
      routine < 0 ? std::string("the flesh") : s.routines[routine].item->full_name(), region,
      s.variable_name(a.group, a.component), a.timelevel ? fmt::format(" (timelevel {})", a.timelevel) : "",
      explain(s, why)));
}
}  // namespace

Need need_of(const Simulation& s, int level, const VariableAccess& a, const RegionValidity& v) {
  const auto faces = s.grid.outer_faces(s.grid.levels[level]);
  const bool whole = a.region != Region::interior;
  Need n{};
  n.depth = whole ? std::max({s.grid.ghosts[0], s.grid.ghosts[1], s.grid.ghosts[2]}) : a.reach;
  n.corners = whole || a.corners;
  n.boundary = n.depth > 0 && faces && ((v.boundary & faces) != faces || (n.corners && v.along < n.depth));
  const auto& have = v.ghosts[static_cast<int>(GhostKind::copied)];
  n.ghosts = (n.corners ? have.full : have.faces) < n.depth;
  return n;
}

void note_ghosts(Validity& v, const Driver::Stale& g, Space space, Why why) {
  const auto d = static_cast<std::int16_t>(g.depth);
  auto depth = v[space].ghosts[static_cast<int>(GhostKind::copied)];
  depth.faces = std::max(depth.faces, d);
  if (g.corners) depth.full = std::max(depth.full, d);
  v.filled_ghosts(space, GhostKind::copied, depth, why);
}

void note_write(const Simulation& s, int level, const VariableAccess& a, Validity& v, Space space, Why why) {
  const auto faces = s.grid.outer_faces(s.grid.levels[level]);
  const int width = std::max({s.grid.ghosts[0], s.grid.ghosts[1], s.grid.ghosts[2]});
  if (a.region == Region::interior) return v.wrote_interior(space, why);
  if (a.region == Region::everywhere) v.wrote_everywhere(space, faces, width, why);
  else v.wrote_boundary(space, faces, why);
  const auto* conditions = s.services.find<BoundaryConditions>();
  if (faces && conditions && conditions->constant(s, a.group, a.component)) v[space].constant = faces;
}

void find_stale(
    Simulation& s, int level, std::span<const VariableAccess> accesses, int routine, Space space, Stale& stale) {
  if (auto* accelerator = s.services.find<Accelerator>())
    accelerator->bring(s, level, accesses, space, {s.clock.iteration, routine});
  stale.ghosts.clear();
  stale.boundaries.clear();
  const int width = std::max({s.grid.ghosts[0], s.grid.ghosts[1], s.grid.ghosts[2]});
  for (const auto& a : accesses) {
    if (a.mode == Mode::write || s.groups[a.group].kind != GroupKind::grid_function ||
        s.fields.buffers(a.group) == 0)  // a fused right-hand side has no storage
      continue;
    const auto& v = s.fields.validity(a.group, a.component, a.timelevel, level)[space];
    const Need need = need_of(s, level, a, v);
    if (a.region == Region::boundary && !need.boundary) continue;
    if (!v.interior) invalid(s, a, "interior", v.why_interior, routine);
    if (need.ghosts)
      stale.ghosts.push_back({a.group, a.component, a.timelevel, need.depth, need.corners, v.pushed, v.sent});
    if (need.boundary) stale.boundaries.push_back({a.group, a.component, a.timelevel, width, true});
  }
}

std::vector<std::pair<int, Box>> parts_read(const Simulation& s, const Routine& r, int level, int group) {
  std::vector<std::pair<int, Box>> parts;
  const auto interiors = boxes_of(s, level, Region::interior, s.groups[group].centre);
  for (const Box& box : r.item->parts(s, level, group))
    for (const auto& [b, owned] : interiors)
      if (const Box part = intersect(box, owned); !part.empty()) parts.emplace_back(b, part);
  return parts;
}

void bring_parts(Simulation& s, const Routine& r, int level) {
  auto* accelerator = s.services.find<Accelerator>();
  for (const auto& a : r.accesses) {
    if (a.mode == Mode::write || s.groups[a.group].kind != GroupKind::grid_function || s.fields.buffers(a.group) == 0)
      continue;
    const auto& v = s.fields.validity(a.group, a.component, a.timelevel, level);
    if (v[Space::host].interior) continue;
    if (!accelerator || !v[Space::device].interior) invalid(s, a, "interior", v[Space::host].why_interior, r.id);
    accelerator->bring_boxes(s, level, a, parts_read(s, r, level, a.group), Space::host, {s.clock.iteration, r.id});
  }
}

void finish_ghosts(Simulation& s, int level, const Stale& stale, Space space, Why why) {
  const auto moved = s.services.get<Driver>().finish_sync(s);
  for (std::size_t n = 0; n < moved.size(); ++n)
    s.traffic.add({why.routine, stale.ghosts[n].group, stale.ghosts[n].component}, moved[n]);
  for (const auto& g : stale.ghosts)
    note_ghosts(s.fields.validity(g.group, g.component, g.timelevel, level), g, space, why);
}

void fill_boundaries(Simulation& s, int level, const Stale& stale, Space space, Why why) {
  if (stale.boundaries.empty()) return;
  auto* conditions = s.services.find<BoundaryConditions>();
  for (const auto& b : stale.boundaries) {
    const std::string missing = conditions ? conditions->missing(s, b.group, b.component)
                                           : "no active thorn offers BoundaryConditions; activate Boundary";
    if (!missing.empty())
      throw Failure(
          fmt::format("{} is read next to the outer boundary, but {}", s.variable_name(b.group, b.component), missing));
  }
  conditions->apply(s, level, stale.boundaries, space);
  for (const auto& b : stale.boundaries)
    s.fields.validity(b.group, b.component, b.timelevel, level)
        .filled_boundary(
            space, s.grid.outer_faces(s.grid.levels[level]), why, conditions->constant(s, b.group, b.component));
}

void make_valid(Simulation& s, int level, std::span<const VariableAccess> accesses, int routine, Space space) {
  Stale stale;
  find_stale(s, level, accesses, routine, space, stale);
  const Why why{s.clock.iteration, routine};
  if (!stale.ghosts.empty()) {
    s.services.get<Driver>().begin_sync(s, level, stale.ghosts, space);
    finish_ghosts(s, level, stale, space, why);
  }
  fill_boundaries(s, level, stale, space, why);
}
}  // namespace cereus
