// Copies all grid functions, poisons those that the routine declares to write, and compares afterwards, bit by bit.
#include "exec/audit.hpp"

#include <fmt/format.h>

#include <cstring>

#include "cereus/kernel/record.hpp"
#include "exec/bin.hpp"
#include "exec/plan.hpp"
#include "grid/poison.hpp"

namespace cereus {
namespace {
struct Copy {
  int group, component, buffer, block;
  std::vector<char> bytes;  // of the box `everywhere`, x fastest
  Validity valid;
};

template <class F> void for_each_field(Simulation& s, int level, F&& f) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (s.groups[g].kind == GroupKind::grid_function)
      for (int t = 0; t < s.fields.buffers(g); ++t)
        for (int c = 0; c < static_cast<int>(s.groups[g].variables.size()); ++c)
          for (int b = s.grid.levels[level].first_block; b < s.grid.levels[level].last_block; ++b) f(g, c, t, b);
}

char* element(Simulation& s, int g, int c, int t, int b, int i, int j, int k) {
  return s.fields.address(g, c, t, b) + s.fields.layout(b).at(i, j, k) * static_cast<Offset>(size_of(s.type(g)));
}

Box whole(const Simulation& s, int g, int b) { return s.grid.everywhere(s.grid.blocks[b], s.groups[g].centre); }

std::vector<Copy> snapshot(Simulation& s, int level) {
  std::vector<Copy> copies;
  for_each_field(s, level, [&](int g, int c, int t, int b) {
    Copy copy{g, c, t, b, {}, s.fields.validity(g, c, t, level)};
    const std::size_t size = size_of(s.type(g));
    for_each_point(whole(s, g, b), [&](int i, int j, int k) {
      const char* p = element(s, g, c, t, b, i, j, k);
      copy.bytes.insert(copy.bytes.end(), p, p + size);
    });
    copies.push_back(std::move(copy));
  });
  return copies;
}

std::string point(const Simulation& s, int g, int level, int i, int j, int k) {
  const auto x = s.grid.levels[level].space.place(s.groups[g].centre, {i, j, k});
  return fmt::format("({}, {}, {}), x = {:g}, y = {:g}, z = {:g}", i, j, k, x[0], x[1], x[2]);
}

// The writes that a routine declares. A fused kernel also writes the destination of its update, in the interior.
std::vector<VariableAccess> written(const Simulation& s, const Routine& r, int level) {
  std::vector<VariableAccess> list;
  for (auto a : r.accesses) {
    if (a.mode == Mode::read) continue;
    if (!r.fused.empty()) {
      if (r.unfused_strip.layers > 0) list.push_back(a), list.back().mode = Mode::update;
      const int state = s.groups[a.group].evolves;
      const auto& integrator = s.services.get<TimeIntegrator>();
      a.timelevel = integrator.update(s, state, integrator.stage(s), s.grid.levels[level].clock.dt).destination;
      a.group = state;
      a.mode = Mode::update;
    }
    list.push_back(a);
  }
  return list;
}
}  // namespace

namespace {
// Whether ghost zones or a boundary were filled while the routine ran: a solver does so between the kernels that it
// launches. Each declared write counts the version up by one, each kernel that wrote by another.
bool filled_meanwhile(const Simulation& s, int level, const Copy& copy, std::span<const VariableAccess> writes) {
  const auto is_declared = [&](const VariableAccess& a) {
    return a.group == copy.group && a.component == copy.component && a.timelevel == copy.buffer;
  };
  const Validity& now = s.fields.validity(copy.group, copy.component, copy.buffer, level);
  if (now.version - copy.valid.version > std::ranges::count_if(writes, is_declared)) return true;
  const RegionValidity &here = now[Space::host], &before = copy.valid[Space::host];
  const GhostDepth deep = here.depth(only_copied), was = before.depth(only_copied);
  return (here.boundary & ~before.boundary) != 0 || deep.faces > was.faces || deep.full > was.full;
}

// Throws if a point was written that was not declared, or if a declared point was left unwritten.
void compare(Simulation& s, const Routine& r, int level, const Copy& copy, std::span<const VariableAccess> writes) {
  const std::size_t size = size_of(s.type(copy.group));
  const char* old = copy.bytes.data();
  const auto loop = r.is_kernel ? boxes_of(s, level, Region::interior, centre_of(s, r.accesses)) : BlockBoxes{};
  const auto beside = [&](Index at) {  // whether another output of the kernel has a point there
    return std::ranges::any_of(loop, [&](const auto& b) { return b.block == copy.block && b.box.contains(at); });
  };
  const auto declared = [&](Index at) -> const VariableAccess* {
    for (const auto& a : writes)
      if (a.group == copy.group && a.component == copy.component && a.timelevel == copy.buffer)
        for (const auto& [b, box] : boxes_of(s, r, level, a, s.groups[a.group].centre))
          if (b == copy.block && box.contains(at)) return &a;
    return nullptr;
  };
  const Box own = s.grid.points(s.grid.blocks[copy.block], s.groups[copy.group].centre);
  const bool filled = filled_meanwhile(s, level, copy, writes);
  for_each_point(whole(s, copy.group, copy.block), [&](int i, int j, int k) {
    const char* now = element(s, copy.group, copy.component, copy.buffer, copy.block, i, j, k);
    const auto* a = declared({i, j, k});
    if (!a && std::memcmp(now, old, size) != 0 && !beside({i, j, k}) && !(filled && !own.contains({i, j, k})))
      throw Failure(fmt::format("{} wrote {} at {}, which it did not declare", r.name,
          s.variable_name(copy.group, copy.component), point(s, copy.group, level, i, j, k)));
    if (a && a->mode == Mode::write && is_poison(now, s.type(copy.group)))
      throw Failure(fmt::format("{} declared that it writes {}, but left it unwritten at {}", r.name,
          s.variable_name(copy.group, copy.component), point(s, copy.group, level, i, j, k)));
    old += size;
  });
}

void poison(Simulation& s, const Routine& r, int level, const VariableAccess& a) {
  for (const auto& [b, box] : boxes_of(s, r, level, a, s.groups[a.group].centre))
    for_each_point(box, [&, b = b](int i, int j, int k) {
      fill_poison(element(s, a.group, a.component, a.timelevel, b, i, j, k), s.type(a.group), 1, true);
    });
}
}  // namespace

void run_audited(Simulation& s, Routine& r, Selection levels) {
  if (r.integrates) {  // a time integrator swaps registers, which no declaration names: it is not checked
    run_unaudited(s, r, levels);
    return;
  }
  std::vector<std::vector<Copy>> before;
  std::vector<std::vector<VariableAccess>> writes;
  make_valid(s, levels, r.accesses, r.id);  // syncs come before the copy: they are not writes of the routine
  for (int l = levels.first; l < levels.last; ++l) {
    writes.push_back(written(s, r, l));
    for (const auto& a : writes.back())
      if (a.mode == Mode::write && s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group))
        poison(s, r, l, a);
    before.push_back(snapshot(s, l));
  }
  run_unaudited(s, r, levels);
  for (int l = levels.first; l < levels.last; ++l)
    for (const auto& copy : before[l - levels.first]) compare(s, r, l, copy, writes[l - levels.first]);
}

void watch_reads(Simulation& s, const Routine& r, LaunchRequest request) {
  std::vector<Recording> seen(r.accesses.size()), allowed;
  const bool on_shell = s.grid.levels[request.level].space.map && r.table->loops().watch_mapped;
  for (const auto& a : r.table->accesses)
    allowed.insert(allowed.end(), a.components, {a.reach, (a.corners || on_shell) && a.reach > 0});
  request.watch = seen.data();
  launch(s, request);
  for (std::size_t h = 0; h < seen.size(); ++h) {
    const auto& a = r.accesses[h];
    const auto beyond = [&](int reach, bool corners) { return seen[h].reach > reach || (seen[h].corners && !corners); };
    const auto what = [&](int reach, bool corners) { return fmt::format("{}<{}>", corners ? "box" : "star", reach); };
    if (beyond(allowed[h].reach, allowed[h].corners))
      throw Failure(
          fmt::format("{} gathers {} within {}, but its handle says {}", r.name, s.variable_name(a.group, a.component),
              what(seen[h].reach, seen[h].corners), what(allowed[h].reach, allowed[h].corners)));
    if (beyond(a.reach, a.corners))
      throw Failure(fmt::format(
          "{} reads {} within {} in a branch so rare that the flesh knows of {} only, and exchanges no more; "
          "say .reads_all_neighbours() where it is scheduled",
          r.name, s.variable_name(a.group, a.component), what(seen[h].reach, seen[h].corners),
          what(a.reach, a.corners)));
  }
}
}  // namespace cereus
