// Makes valid what a routine reads: finds stale ghost zones and boundaries, has the driver and the boundary thorn fill
// them, and notes that. One message to each neighbour carries all stale variables.
#include "exec/valid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/bin.hpp"
#include "exec/later.hpp"
#include "exec/plan.hpp"
#include "exec/rates.hpp"
#include "exec/timed.hpp"

namespace cereus {
namespace {
[[noreturn]] void invalid(const Simulation& s, const VariableAccess& a, const char* region, Why why, int routine) {
  throw Failure(fmt::format("{} reads the {} of {}{}, which is not valid ({})",
      routine < 0 ? std::string("the flesh") : s.routines[routine].name, region, s.variable_name(a.group, a.component),
      a.timelevel ? fmt::format(" (timelevel {})", a.timelevel) : "", explain(s, why)));
}

int widest_ghosts(const Grid& g) { return std::max({g.ghosts[0], g.ghosts[1], g.ghosts[2]}); }
}  // namespace

int depth_of(const Simulation& s, const VariableAccess& a) {
  return a.region == Region::interior ? a.reach : widest_ghosts(s.grid) - a.margin;
}

Need need_of(const Simulation& s, int level, const VariableAccess& a, const RegionValidity& v) {
  const Level& l = s.grid.levels[level];
  const auto faces = s.grid.outer_faces(l);
  const bool whole = a.region != Region::interior;
  Need n{};
  n.depth = depth_of(s, a);
  n.corners = whole || a.corners;
  n.boundary = n.depth > 0 && !a.inside && faces && ((v.boundary & faces) != faces || (n.corners && v.along < n.depth));
  const GhostDepth have = v.depth(l.ghosts);
  n.ghosts = (n.corners ? have.full : have.faces) < n.depth;
  return n;
}

// The table counts layers across all axes, so an exchange across some axes only is not noted.
void note_ghosts(const Simulation& s, Validity& v, const Ghosts& g, Space space, Why why) {
  if (g.axes != all_axes) return;
  const auto d = static_cast<std::int16_t>(g.depth);
  const GhostKinds kinds = s.grid.levels[g.level].ghosts;
  GhostDepth depth = v[space].depth(kinds);
  depth.faces = std::max(depth.faces, d);
  if (g.corners) depth.full = std::max(depth.full, d);
  v.filled_ghosts(space, kinds, depth, why);
}

void note_write(const Simulation& s, int level, const VariableAccess& a, Validity& v, Space space, Why why) {
  const auto faces = s.grid.outer_faces(s.grid.levels[level]);
  if (a.region == Region::interior) return v.wrote_interior(space, why);
  if (a.region == Region::everywhere) v.wrote_everywhere(space, faces, depth_of(s, a), why);
  else v.wrote_boundary(space, faces, why);
  const auto* conditions = s.services.find<BoundaryConditions>();
  if (faces && conditions && conditions->constant(s, a.group, a.component)) v[space].constant = faces;
}

void note_write(Simulation& s, int level, const VariableAccess& a, Space space, Why why) {
  note_write(s, level, a, s.fields.validity(a.group, a.component, a.timelevel, level), space, why);
  if (a.region == Region::boundary) return;
  const Level& mine = s.grid.levels[level];
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
    if (const Level& other = s.grid.levels[l]; l != level && other.ghosts & interpolated_ghosts &&
                                               (other.patch != mine.patch || std::abs(other.number - mine.number) == 1))
      s.fields.validity(a.group, a.component, a.timelevel, l).drop_interpolated(why);
}

void note_writes(Simulation& s, const Routine& r, int level, Space space) {
  // A time integrator swaps buffers, and notes its updates one by one; a fused kernel's are noted with its launch.
  if (r.integrates) return;
  const Why why{s.clock.iteration, r.id};
  for (const auto& a : r.accesses)
    if (a.mode != Mode::read && s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group) > 0)
      note_write(s, level, a, space, why);
}

void find_stale(Simulation& s, const Reader& r, Stale& stale) {
  stale.ghosts.clear();
  stale.boundaries.clear();
  auto* accelerator = s.services.find<Accelerator>();
  const int width = widest_ghosts(s.grid);
  for (int level = r.levels.first; level < r.levels.last; ++level) {
    if (accelerator) accelerator->bring(s, level, r.accesses, r.space, {s.clock.iteration, r.routine});
    for (const auto& a : r.accesses) {
      if (a.mode == Mode::write || s.groups[a.group].kind != GroupKind::grid_function ||
          s.fields.buffers(a.group) == 0)  // a fused right-hand side has no storage
        continue;
      const auto& v = s.fields.validity(a.group, a.component, a.timelevel, level)[r.space];
      const Need need = need_of(s, level, a, v);
      if (a.region == Region::boundary && !need.boundary) continue;
      if (!v.interior) invalid(s, a, "interior", v.why_interior, r.routine);
      if (need.ghosts)
        stale.ghosts.push_back({a.group, a.component, a.timelevel, level, need.depth, need.corners, a.axes});
      if (need.boundary) stale.boundaries.push_back({a.group, a.component, a.timelevel, level, width, true});
    }
  }
}

BlockBoxes parts_read(const Simulation& s, const Routine& r, int level, int group) {
  BlockBoxes parts;
  const auto interiors = boxes_of(s, level, Region::interior, s.groups[group].centre);
  for (const Box& box : r.item->parts(s, level, group))
    for (const auto& [b, owned] : interiors)
      if (const Box part = intersect(box, owned); !part.empty()) parts.push_back({b, part});
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

namespace {
void check_condition(Simulation& s, const BoundaryConditions* conditions, const Ghosts& b) {
  if (!s.plans) s.plans = std::make_shared<LaunchPlans>();
  auto& known = s.plans->with_conditions(s.grid);  // asking looks at all blocks
  if (known.contains({b.group, b.component})) return;
  const std::string missing = conditions ? conditions->missing(s, b.group, b.component)
                                         : "no active thorn offers BoundaryConditions; activate Boundary";
  if (!missing.empty())
    throw Failure(
        fmt::format("{} is read next to the outer boundary, but {}", s.variable_name(b.group, b.component), missing));
  known.emplace(b.group, b.component);
}

// How many of these items, which go level by level, are filled together: those of the first level, or of shells from it
// on that have the same.
std::size_t filled_together(const Grid& grid, std::span<const Ghosts> items) {
  const auto of_one = static_cast<std::size_t>(
      std::ranges::find_if(items, [&](const Ghosts& g) { return g.level != items[0].level; }) - items.begin());
  const auto same = [&](const Ghosts& a, const Ghosts& b) {
    return a.group == b.group && a.component == b.component && a.timelevel == b.timelevel && a.level == b.level + 1;
  };
  std::size_t all = of_one;
  while (grid.levels[items[0].level].space.map && all + of_one <= items.size() &&
         grid.levels[items[all].level].space.map &&
         std::equal(items.begin() + std::ptrdiff_t(all), items.begin() + std::ptrdiff_t(all + of_one),
             items.begin() + std::ptrdiff_t(all - of_one), same))
    all += of_one;
  return all;
}
}  // namespace

void fill_boundaries(Simulation& s, std::span<const Ghosts> boundaries, Space space, Why why) {
  if (boundaries.empty()) return;
  const Share filling(Shared::boundaries);
  auto* conditions = s.services.find<BoundaryConditions>();
  for (const Ghosts& b : boundaries) check_condition(s, conditions, b);
  while (!boundaries.empty()) {
    const auto now = boundaries.first(filled_together(s.grid, boundaries));
    conditions->apply(s, now, space);
    for (const auto& b : now) {
      const Level& l = s.grid.levels[b.level];
      s.fields.validity(b.group, b.component, b.timelevel, b.level)
          .filled_boundary(space, l.ghosts, s.grid.outer_faces(l), why, conditions->constant(s, b.group, b.component));
    }
    boundaries = boundaries.subspan(now.size());
  }
}

std::unique_ptr<Exchange> begin_exchange(Simulation& s, std::span<const Ghosts> items, Space space, int routine) {
  if (s.two_kinds && (!s.rates || s.rates->checks())) {
    std::string asked;
    for (const Ghosts& g : items)
      asked +=
          fmt::format("{} {} {} {} {} {} {};", g.group, g.component, g.timelevel, g.level, g.depth, g.corners, g.axes);
    if (!s.process.same(asked))
      throw Failure(
          fmt::format("processes with a device and others ask for other ghost zones where {} reads them; "
                      "this is a mistake in Cereus",
              routine < 0 ? std::string("the flesh") : s.routines[routine].name));
  }
  return s.services.get<Driver>().exchange(s, items, space, routine);
}

void make_valid(Simulation& s, Selection levels, std::span<const VariableAccess> accesses, int routine, Space space) {
  Stale stale;
  const Reader reader{levels, accesses, routine, space};
  find_stale(s, reader, stale);
  add_later(s, reader, stale);
  const Why why{s.clock.iteration, routine};
  if (!stale.ghosts.empty()) {
    const Share exchanging(Shared::ghosts);
    begin_exchange(s, stale.ghosts, space, routine)->finish(s);
    for (const auto& g : stale.ghosts)
      note_ghosts(s, s.fields.validity(g.group, g.component, g.timelevel, g.level), g, space, why);
  }
  fill_boundaries(s, stale.boundaries, space, why);
}
}  // namespace cereus
