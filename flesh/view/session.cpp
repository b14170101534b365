// From what was said to a simulation, and to the next one where more is said.
#include "view/session.hpp"

#include <algorithm>

#include "observe/folder.hpp"
#include "run/session.hpp"

namespace cereus::view {
Simulation Session::next() {
  options.process = process;
  Simulation s = assemble(parameters, given(), options, {});
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
void Session::open(const Taken& taken, bool again) {
  Simulation& s = simulation;
  if (again) take_again(s, taken);
  else open_device(s);
  if (s.two_kinds) set_threads_of_two_kinds(s);
  make_grid(s, process);
  if (!writes()) s.parameters.at("Cereus").set("progress", 0.0);
  else if (opened_ == s.output) describe_run(s);
  else open_folder(s, fresh), opened_ = s.output;
  allocate(s);
}

void Session::ensure() {
  if (!changed) return;
  const bool again = run.has_value();
  Simulation coming;
  process.agree([&] { coming = next(); });
  Saved saved;
  Taken taken;
  if (again) {
    wait_for_all(simulation);
    process.agree([&] { saved = save(simulation); }, longest_wait);
    taken = taken_by(simulation);
  }
  sound = false;
  close_services(simulation);
  simulation = {};
  simulation = std::move(coming);
  by_hand_.clear(), free_.clear();
  for (auto& [_, a] : assigned_) a = {.seconds = a.seconds};  // code is for the grid that there was
  process.agree([&] { open(taken, again); }, longest_wait);
  changed = out = false;
  if (again) put_back(simulation, saved);
  else {
    run.emplace(simulation);
    greet(simulation);
    process.agree([&] { run->start(); }, longest_wait);
    run->rest();
  }
  sound = true;
  assembled();
}

std::string in_a_program(const std::string& call, std::string message) {
  const std::pair<const char*, std::string> words[] = {
      {"needs the thorn (\\w+); add it to thorns:", "needs the thorn $1; say "},
      {"'(\\w+)' is not active; add it to thorns: or remove this block", "'$1' is not active; say "},
      {"add (\\w+) to thorns:", "say "}};
  for (const auto& [file, program] : words) message = replaced(message, file, program + call + "(\"$1\")");
  if (call == "w.thorn") {
    const std::pair<const char*, const char*> in_python[] = {
        {"set Time: \\{dt: …\\}", "give evolve() a dt=, or a field its speed= or diffusivity="},
        {"add --fresh to move it aside", "say World(fresh=True) to move it aside"},
        {"with --set Cereus.output=NAME", "with World(output=NAME)"}, {"set Time.dt", "give evolve() a dt="}};
    for (const auto& [file, python] : in_python) message = replaced(message, file, python);
  }
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
