// From what was said to a simulation, and to the next one where more is said.
#include "view/session.hpp"

#include <algorithm>
#include <regex>

#include "observe/folder.hpp"
#include "run/session.hpp"

namespace cereus::view {
Simulation Session::next() {
  Simulation s = assemble(parameters, given(), options, {});
  s.process = process;
  if (!s.of("Cereus").was_set("output")) s.output = s.name + "-output";
  check(s);
  return s;
}

// Whether some thorn may write into the output folder.
bool Session::writes() const {
  return simulation.services.find<Checkpoints>() || std::ranges::any_of(simulation.routines, [&](const Routine& r) {
    return std::ranges::count(silent, r.item->thorn) == 0;
  });
}

// The grid, a folder and memory; the device is taken once, and kept.
void Session::open(const std::shared_ptr<Device>& device, bool again) {
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
  else if (opened_ == s.output) describe_run(s);
  else open_folder(s, fresh), opened_ = s.output;
  allocate(s);
}

void Session::ensure() {
  if (!changed) return;
  const bool again = run.has_value();
  std::string mistake;
  Simulation coming;
  try {
    coming = next();
  } catch (const Error& e) { mistake = e.what(); }
  if (process.any(!mistake.empty())) throw Error(mistake);
  Saved saved;
  std::shared_ptr<Device> device;
  if (again) {
    wait_for_all(simulation);
    saved = save(simulation);
    device = simulation.services.shared<Device>();
  }
  sound = false;
  simulation = {};
  simulation = std::move(coming);
  by_hand_.clear(), free_.clear();
  for (auto& [_, a] : assigned_) a.made.reset();
  open(device, again);
  changed = out = false;
  if (again) put_back(simulation, saved);
  else {
    run.emplace(simulation);
    greet(simulation);
    run->start();
    run->rest();
  }
  sound = true;
  assembled();
}

std::string in_a_program(const std::string& call, std::string message) {
  const std::pair<std::regex, std::string> words[] = {
      {std::regex("needs the thorn (\\w+); add it to thorns:"), "needs the thorn $1; say "},
      {std::regex("'(\\w+)' is not active; add it to thorns: or remove this block"), "'$1' is not active; say "},
      {std::regex("add (\\w+) to thorns:"), "say "}};
  for (const auto& [file, program] : words) message = std::regex_replace(message, file, program + call + "(\"$1\")");
  return message;
}

void Session::set_out() {
  ensure();
  if (out) return;
  if (!std::exchange(looked_, true)) run->first_look();
  run->set_out();
  out = true;
}
}  // namespace cereus::view
