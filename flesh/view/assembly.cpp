// What a program has declared, as a thorn; and which of its maps are steps now.
#include <algorithm>
#include <iostream>

#include "cereus/hash.hpp"
#include "observe/schedule_graph.hpp"
#include "schedule/build.hpp"
#include "view/part.hpp"

namespace cereus::view {
// A thorn as any other; its assignments stand in the schedule as routines that never run, so that it has storage and
// writers for its groups, and ghost zones for its expressions.
std::vector<LoadedThorn> Program::State::given() const {
  LoadedThorn t{Plugin{name, thorn.path, hash_of(name), {}, nullptr}, thorn};
  std::vector<std::string> groups;
  for (const Group& g : thorn.groups) groups.push_back(g.full_name());
  t.schedule = [this, groups](Schedule& s, const Parameters&) {
    const auto by_hand = [](Context&) {};
    if (!groups.empty()) {
      s.routine("assign", "What the program assigns", by_hand).writes(groups).at(bin::initial).every({.never = true});
      auto look = s.routine("look", "What the program looks at", by_hand);
      look.reads(groups).at(bin::analysis).every({.never = true});
      for (const auto& [v, reach] : near)
        look.reads({name + "::" + thorn.groups[v.first].variables[v.second]}, Region::interior, reach);
    }
    std::string before;
    for (const Scheduled& m : maps) {
      if (m.part) schedule_part(s, m, before);
      else m.schedule(s, before);
      before = m.name;
    }
  };
  return {t};
}

void Program::State::check(Simulation& s) {
  if (s.services.get<Driver>().dimension() != dim)
    throw Error(s.of("UniGrid").where("cells"), "the program is compiled for another number of dimensions");
  if (s.real != real) throw Error(s.of("Cereus").where("real"), "the program is compiled for another scalar type");
  if (graph.empty()) return;
  make_whole_grid(s, process.size());
  check_parts(s);
  auto& nodes = s.bins.at("evolve").children;
  nodes = nodes_of(s, nodes, chosen.empty() ? all_maps() : chosen);
  if (process.rank() == 0)
    std::cout << (graph == "dot" ? schedule_as_dot(s) : schedule_as_text(s, process.size(), false));
  std::exit(0);
}

void Program::State::assembled() {
  evolve = simulation.bins.at("evolve").children;
  check_parts(simulation);
  chosen.clear();
  if (std::ranges::none_of(maps, [](const Scheduled& m) { return m.part.has_value(); })) chosen = all_maps();
  for (const auto& assign : std::exchange(pending, {})) assign();
}

std::vector<Step> Program::State::all_maps() const {
  std::vector<Step> all;
  for (int m = 0; m < static_cast<int>(maps.size()); ++m) all.push_back({m});
  return all;
}

// What of a bin is of no map, and then the maps in this order. What a map keeps of the step before is kept unless a map
// before it has written the present.
std::vector<Node> Program::State::nodes_of(
    const Simulation& s, const std::vector<Node>& bin, const std::vector<Step>& steps) const {
  std::vector<Node> nodes;
  const auto item = [&](const Node& n) -> const Item& { return *s.routines[n.routine].item; };
  const auto is_map = [&](const Node& n) { return n.routine >= 0 && item(n).thorn == name; };
  const auto written = [&](const VariableAccess& kept) {
    return kept.mode != Mode::read && std::ranges::any_of(nodes, [&](const Node& n) {
      return is_map(n) && std::ranges::any_of(s.routines[n.routine].accesses, [&](const VariableAccess& a) {
        return a.mode != Mode::read && a.group == kept.group && a.component == kept.component;
      });
    });
  };
  for (const Node& n : bin)
    if (!is_map(n)) nodes.push_back(n);
  for (const Step& step : steps)
    for (const Node& n : bin) {
      if (!is_map(n)) continue;
      const std::string& map = maps[step.number].name;
      const bool keeps = item(n).name.starts_with(map + keeping);
      if (item(n).name == map || (keeps && std::ranges::none_of(s.routines[n.routine].accesses, written)))
        nodes.push_back(n);
    }
  return nodes;
}

// Whether the buffers and ghost zones that there are do for time tiles of what the bin `evolve` holds now.
bool Program::State::tiles_fit() {
  Simulation& s = simulation;
  if (auto& driver = s.services.get<Driver>(); driver.has_ghosts(s.grid))
    if (s.services.get<StepTiles>().ghost_width(s) > s.grid.ghosts[0]) return false;
  const auto need = buffers_needed(s);
  for (int g = 0; g < s.fields.groups(); ++g)
    if (s.groups[g].kind == GroupKind::grid_function && need[g] > s.fields.buffers(g)) return false;
  return true;
}

void Program::State::choose(const std::vector<Step>& steps) {
  if (!graph.empty()) chosen = steps;
  ensure();
  const auto same = [](const Step& a, const Step& b) { return a.number == b.number; };
  Simulation& s = simulation;
  if (!std::ranges::equal(steps, chosen, same)) {
    wait_for_all(s);
    s.bins.at("evolve").children = nodes_of(s, evolve, steps);
    chosen = steps;
    const auto offer = std::ranges::find(s.offers, StepTiles::service_name, &ServiceOffer::service);
    if (offer != s.offers.end() && !s.two_kinds) {
      s.services.add(StepTiles::service_name, offer->make(s.of(offer->thorn)), offer->thorn);
      if (!tiles_fit()) s.services.remove(StepTiles::service_name);
      else if (out) s.services.get<StepTiles>().start(s);
    }
  }
  if (auto* device = s.services.find<Device>()) device->wait();  // it may look at members when it gets there
  for (const Routine& r : s.routines)
    if (r.item->thorn == name) set_members(s, r);
}
}  // namespace cereus::view
