#include "exec/later.hpp"

#include <algorithm>
#include <set>

#include "exec/plan.hpp"
#include "exec/valid.hpp"

namespace cereus {
namespace {
// The nodes that follow a routine in its bin or group.
std::span<const Node> behind(const Node& node, int routine) {
  const auto here = std::ranges::find(node.children, routine, &Node::routine);
  if (here != node.children.end()) return {here + 1, node.children.end()};
  for (const Node& child : node.children)
    if (const auto found = behind(child, routine); found.data()) return found;
  return {};
}
}  // namespace

Space where_of(const Simulation& s, const Routine& r) {
  return r.is_kernel ? space_of(s, *r.table) : r.item->launches ? kernel_space(s) : Space::host;
}

std::vector<Later> later_reads(const Simulation& s, const Routine& first) {
  std::vector<Later> found;
  const auto updates = [](const Routine& r) { return r.integrates || !r.fused.empty(); };
  if (updates(first)) return found;
  std::set<std::pair<int, int>> written;
  const auto note_written = [&](const Routine& r) {
    for (const VariableAccess& a : r.accesses)
      if (a.mode != Mode::read) written.insert({a.group, a.component});
  };
  const auto add = [&](const VariableAccess& a, const Routine* reader) {  // null: only to one that is there
    const auto same = [&](const Later& l) {
      return l.access.group == a.group && l.access.component == a.component && l.access.timelevel == a.timelevel;
    };
    const auto there = std::ranges::find_if(found, same);
    if (there != found.end())
      there->access.reach = std::max(there->access.reach, a.reach), there->access.corners |= a.corners;
    else if (reader) found.push_back({a, reader});
  };
  const auto reads_neighbours = [&](const VariableAccess& a) {
    return a.mode != Mode::write && a.region == Region::interior && a.reach > 0 && a.axes == all_axes &&
           s.groups[a.group].kind == GroupKind::grid_function;
  };
  const auto launches = [](const Routine& r) { return r.is_kernel || r.item->launches; };
  note_written(first);
  std::span<const Node> nodes;
  for (const auto& [name, bin] : s.bins)
    if (nodes = behind(bin, first.id); nodes.data()) break;
  for (const Node& node : nodes) {
    if (node.routine < 0) break;
    const Routine& r = s.routines[static_cast<std::size_t>(node.routine)];
    const bool always = r.item->every == Every{} && !r.item->on_demand && node.if_group < 0 && node.while_group < 0;
    if (updates(r) || !always) break;
    for (const VariableAccess& a : r.accesses)
      if (!r.item->parts && launches(r) == launches(first) && reads_neighbours(a) &&
          !written.contains({a.group, a.component}))
        add(a, &r);
    note_written(r);
  }
  for (const VariableAccess& a : first.accesses)
    if (reads_neighbours(a)) add(a, nullptr);
  return found;
}

void add_later(Simulation& s, const Reader& reader, Stale& stale) {
  // An audit looks at what each routine reads itself; processes of two kinds read in different spaces.
  if (reader.routine < 0 || s.audit || s.two_kinds || stale.ghosts.empty()) return;
  if (!s.plans) s.plans = std::make_shared<LaunchPlans>();
  const std::size_t own = stale.ghosts.size();
  const auto is_filled = [&](int level) {
    const auto items = std::span(stale.ghosts).first(own);
    return std::ranges::find(items, level, &Ghosts::level) != items.end();
  };
  for (const Later& l : s.plans->later(s, s.routines[static_cast<std::size_t>(reader.routine)])) {
    const VariableAccess& a = l.access;
    if (s.fields.buffers(a.group) <= a.timelevel || where_of(s, *l.routine) != reader.space) continue;
    std::vector<Ghosts> more;
    bool all = true;  // levels on which it is stale are those that are filled
    for (int level = reader.levels.first; level < reader.levels.last; ++level) {
      const RegionValidity& v = s.fields.validity(a.group, a.component, a.timelevel, level)[reader.space];
      const Need need = need_of(s, level, a, v);
      all = all && v.interior && (!need.ghosts || is_filled(level));
      if (need.ghosts) more.push_back({a.group, a.component, a.timelevel, level, need.depth, need.corners, a.axes});
    }
    if (!all) continue;
    for (const Ghosts& g : more) {
      const auto same = [&](const Ghosts& o) {
        return o.group == g.group && o.component == g.component && o.timelevel == g.timelevel && o.level == g.level;
      };
      if (const auto found = std::ranges::find_if(stale.ghosts, same); found == stale.ghosts.end())
        stale.ghosts.push_back(g);
      else found->depth = std::max(found->depth, g.depth), found->corners |= g.corners;
    }
  }
  std::ranges::stable_sort(stale.ghosts, {}, &Ghosts::level);
}
}  // namespace cereus
