// What a program has declared, as a thorn; and which of its maps are steps now.
#include <algorithm>

#include "cereus/hash.hpp"
#include "schedule/build.hpp"
#include "view/state.hpp"

namespace cereus::view {
// A thorn as any other; its assignments stand in the schedule as routines that never run, so that it has storage and
// writers for its groups.
std::vector<LoadedThorn> Program::State::given() const {
  LoadedThorn t{Plugin{name, thorn.path, hash_of(name), {}, nullptr}, thorn};
  std::vector<std::string> groups;
  for (const Group& g : thorn.groups) groups.push_back(g.full_name());
  t.schedule = [groups, maps = maps](Schedule& s, const Parameters&) {
    const auto by_hand = [](Context&) {};
    if (!groups.empty()) {
      s.routine("assign", "What the program assigns", by_hand).writes(groups).at(bin::initial).every({.never = true});
      s.routine("look", "What the program looks at", by_hand).reads(groups).at(bin::analysis).every({.never = true});
    }
    std::string before;
    for (const Map& m : maps) m.schedule(s, before), before = m.name;
  };
  return {t};
}

void Program::State::check(const Simulation& s) const {
  if (s.services.get<Driver>().dimension() != dim)
    throw Error(s.of("UniGrid").where("cells"), "the program is compiled for another number of dimensions");
  if (s.real != real) throw Error(s.of("Cereus").where("real"), "the program is compiled for another scalar type");
}

void Program::State::assembled() {
  evolve = simulation.bins.at("evolve").children;
  chosen.clear();
  for (int m = 0; m < static_cast<int>(maps.size()); ++m) chosen.push_back({m});
  for (const auto& assign : std::exchange(pending, {})) assign();
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
  ensure();
  const auto same = [](const Step& a, const Step& b) { return a.number == b.number; };
  Simulation& s = simulation;
  if (!std::ranges::equal(steps, chosen, same)) {
    std::vector<Node> nodes;
    const auto is_map = [&](const Node& n) { return n.routine >= 0 && s.routines[n.routine].item->thorn == name; };
    for (const Node& n : evolve)
      if (!is_map(n)) nodes.push_back(n);
    for (const Step& step : steps)
      for (const Node& n : evolve)
        if (is_map(n) && s.routines[n.routine].item->name == maps[step.number].name) nodes.push_back(n);
    wait_for_all(s);
    s.bins.at("evolve").children = std::move(nodes);
    chosen = steps;
    const auto offer = std::ranges::find(s.offers, StepTiles::service_name, &ServiceOffer::service);
    if (offer != s.offers.end()) {
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
