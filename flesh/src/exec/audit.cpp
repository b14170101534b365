// Keeps a copy of all grid functions, poisons what is to be written, and compares afterwards, bit by bit.
#include "exec/audit.hpp"

#include <fmt/format.h>

#include <cstring>

#include "exec/make_valid.hpp"
#include "grid/poison.hpp"

namespace cereus {
namespace {
struct Copy {
  int group, component, buffer, level, block;
  std::vector<char> bytes;  // of the box `everywhere`, x fastest
};

template <class F> void for_each_field(Simulation& s, int level, F&& f) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (s.groups[g].kind == GroupKind::grid_function)
      for (int t = 0; t < s.fields.buffers(g); ++t)
        for (int c = 0; c < static_cast<int>(s.groups[g].variables.size()); ++c)
          for (int b = 0; b < static_cast<int>(s.grid.levels[level].blocks.size()); ++b) f(g, c, t, b);
}

char* element(Simulation& s, int g, int c, int t, int level, int b, int i, int j, int k) {
  return s.fields.address(g, c, t, level, b) +
         s.fields.layout(level, b).at(i, j, k) * static_cast<Offset>(size_of(s.type(g)));
}

Box whole(const Simulation& s, int g, int level, int b) {
  const Level& l = s.grid.levels[level];
  return s.grid.everywhere(l, l.blocks[b], s.groups[g].centre);
}

std::vector<Copy> snapshot(Simulation& s, int level) {
  std::vector<Copy> copies;
  for_each_field(s, level, [&](int g, int c, int t, int b) {
    Copy copy{g, c, t, level, b, {}};
    const std::size_t size = size_of(s.type(g));
    for_each_point(whole(s, g, level, b), [&](int i, int j, int k) {
      const char* p = element(s, g, c, t, level, b, i, j, k);
      copy.bytes.insert(copy.bytes.end(), p, p + size);
    });
    copies.push_back(std::move(copy));
  });
  return copies;
}

std::string point(const Simulation& s, int g, int level, int i, int j, int k) {
  const Level& l = s.grid.levels[level];
  const auto& c = s.groups[g].centre;
  return fmt::format("({}, {}, {}), x = {:g}, y = {:g}, z = {:g}", i, j, k, l.coordinate(0, c[0], i),
      l.coordinate(1, c[1], j), l.coordinate(2, c[2], k));
}

// The destination of a fused update is written too, in its interior.
std::vector<VariableAccess> written(const Simulation& s, const Routine& r, int level) {
  std::vector<VariableAccess> list;
  for (auto a : r.accesses) {
    if (a.mode == Mode::read) continue;
    if (!r.fused.empty()) {
      if (r.unfused_strip > 0) list.push_back(a), list.back().mode = Mode::update;
      const int state = s.group_number(s.groups[a.group].rhs_of);
      a.timelevel = s.services.get<TimeIntegrator>().update(s, state, level).destination;
      a.group = state;
      a.mode = Mode::update;
    }
    list.push_back(a);
  }
  return list;
}
}  // namespace

void run_audited(Simulation& s, Routine& r, int level_or_all) {
  // The integrator reads and swaps stages that no declaration names: it is trusted with what it owns.
  if (r.item->thorn == s.services.provider<TimeIntegrator>()) {
    run_unaudited(s, r, level_or_all);
    return;
  }
  const int first = level_or_all < 0 ? 0 : level_or_all;
  const int last = level_or_all < 0 ? static_cast<int>(s.grid.levels.size()) : level_or_all + 1;
  std::vector<std::vector<Copy>> before;
  std::vector<std::vector<VariableAccess>> writes;
  for (int l = first; l < last; ++l) {
    make_valid(s, l, r.accesses, r.id);  // syncs come first, they are not the routine's
    writes.push_back(written(s, r, l));
    for (const auto& a : writes.back())
      if (a.mode == Mode::write && s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group))
        for (const auto& [b, box] : boxes_of(s, l, a.region, s.groups[a.group].centre))
          for_each_point(box, [&, b = b](int i, int j, int k) {
            fill_poison(element(s, a.group, a.component, a.timelevel, l, b, i, j, k), s.type(a.group), 1, true);
          });
    before.push_back(snapshot(s, l));
  }
  run_unaudited(s, r, level_or_all);
  for (int l = first; l < last; ++l)
    for (const auto& copy : before[l - first]) {
      const std::size_t size = size_of(s.type(copy.group));
      const char* old = copy.bytes.data();
      const auto declared = [&](Index at) -> const VariableAccess* {
        for (const auto& a : writes[l - first])
          if (a.group == copy.group && a.component == copy.component && a.timelevel == copy.buffer)
            for (const auto& [b, box] : boxes_of(s, l, a.region, s.groups[a.group].centre))
              if (b == copy.block && box.contains(at)) return &a;
        return nullptr;
      };
      for_each_point(whole(s, copy.group, l, copy.block), [&](int i, int j, int k) {
        const char* now = element(s, copy.group, copy.component, copy.buffer, l, copy.block, i, j, k);
        const auto* a = declared({i, j, k});
        if (!a && std::memcmp(now, old, size) != 0)
          throw Failure(fmt::format("{} wrote {} at {}, which it did not declare", r.item->full_name(),
              s.variable_name(copy.group, copy.component), point(s, copy.group, l, i, j, k)));
        if (a && a->mode == Mode::write && is_poison(now, s.type(copy.group)))
          throw Failure(fmt::format("{} declared that it writes {}, but left it unwritten at {}", r.item->full_name(),
              s.variable_name(copy.group, copy.component), point(s, copy.group, l, i, j, k)));
        old += size;
      });
    }
}

void watch_reads(Simulation& s, const Routine& r, LaunchRequest request) {
  std::vector<Recording> seen(r.accesses.size()), allowed;
  for (const auto& a : r.table->accesses)
    allowed.insert(allowed.end(), a.components, {a.reach, a.corners && a.reach > 0});
  request.watch = seen.data();
  launch(s, request);
  for (std::size_t h = 0; h < seen.size(); ++h) {
    const auto& a = r.accesses[h];
    const auto beyond = [&](int reach, bool corners) { return seen[h].reach > reach || (seen[h].corners && !corners); };
    const auto what = [&](int reach, bool corners) { return fmt::format("{}<{}>", corners ? "box" : "star", reach); };
    if (beyond(allowed[h].reach, allowed[h].corners))
      throw Failure(fmt::format("{} gathers {} within {}, but its handle says {}", r.item->full_name(),
          s.variable_name(a.group, a.component), what(seen[h].reach, seen[h].corners),
          what(allowed[h].reach, allowed[h].corners)));
    if (beyond(a.reach, a.corners))
      throw Failure(fmt::format(
          "{} reads {} within {} in a branch so rare that the flesh knows of {} only, and exchanges no more; "
          "say .reads_all_neighbours() where it is scheduled",
          r.item->full_name(), s.variable_name(a.group, a.component), what(seen[h].reach, seen[h].corners),
          what(a.reach, a.corners)));
  }
}
}  // namespace cereus
