// From what a program has declared to a simulation, and to the next one where more is declared: what fields hold goes
// over to it.
#include <algorithm>

#include "cereus/hash.hpp"
#include "observe/folder.hpp"
#include "schedule/build.hpp"
#include "view/state.hpp"

namespace cereus::view {
// A thorn as any other; its assignments stand in the schedule as routines that never run, so that it has storage and
// writers for its groups.
LoadedThorn Program::State::as_thorn() const {
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
  return t;
}

Simulation Program::State::assembled() {
  std::vector<LoadedThorn> mine{as_thorn()};
  Simulation s = assemble(parameters, std::move(mine), options, {});
  s.process = process;
  if (!s.of("Cereus").was_set("output")) s.output = s.name + "-output";
  if (s.services.get<Driver>().dimension() != dim)
    throw Error(s.of("UniGrid").where("cells"), "the program is compiled for another number of dimensions");
  if (s.real != real) throw Error(s.of("Cereus").where("real"), "the program is compiled for another scalar type");
  return s;
}

// Whether some thorn may write into the output folder: not those that are always there, nor the program.
bool Program::State::writes() const {
  const auto usual = std::span(parameters.thorns).first(static_cast<std::size_t>(usual_thorns));
  return simulation.services.find<Checkpoints>() || std::ranges::any_of(simulation.routines, [&](const Routine& r) {
    return r.item->thorn != name && std::ranges::find(usual, r.item->thorn, &Named::name) == usual.end();
  });
}

// The grid, a folder and memory; the device is taken once, and kept.
void Program::State::open(const std::shared_ptr<Device>& device, bool again) {
  Simulation& s = simulation;
  if (!again) {
    open_device(s);
    if (!s.services.find<Device>()) s.provenance += "device: none\n";
  } else if (device) {
    s.services.add(Device::service_name, device);
  } else {
    s.services.remove(Device::service_name);
    s.services.remove(Accelerator::service_name);
  }
  make_grid(s, process);
  if (!writes()) s.parameters.at("Cereus").set("progress", 0.0);
  else if (again && holds_run(s.output)) describe_run(s);
  else open_folder(s, fresh);
  allocate(s);
}

void Program::State::ensure() {
  if (!changed) return;
  const bool again = run.has_value();
  std::string mistake;
  Simulation next;
  try {
    next = assembled();
  } catch (const Error& e) { mistake = e.what(); }
  if (process.any(!mistake.empty())) throw Error(mistake);
  Saved saved;
  std::shared_ptr<Device> device;
  if (again) {
    wait_for_all(simulation);
    saved = save(simulation);
    device = simulation.services.shared<Device>();
  }
  simulation = {};
  simulation = std::move(next);
  open(device, again);
  changed = out = false;
  evolve = simulation.bins.at("evolve").children;
  chosen.clear();
  for (int m = 0; m < static_cast<int>(maps.size()); ++m) chosen.push_back({m});
  if (again) put_back(simulation, saved);
  else {
    run.emplace(simulation);
    greet(simulation);
    run->start();
  }
  for (const auto& assign : std::exchange(pending, {})) assign();
}

void Program::State::set_out() {
  ensure();
  if (out) return;
  if (simulation.clock.iteration == 0 && planned == 0) run->first_look();
  run->set_out();
  out = true;
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
