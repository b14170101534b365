// What a program does between steps: it looks at variables, and has thorns do once what they would be scheduled for.
#include <fmt/format.h>

#include <algorithm>

#include "exec/bin.hpp"
#include "schedule/build.hpp"
#include "view/session.hpp"

namespace cereus::view {
namespace {
void run_now(Simulation& s, Routine& r) {
  wait_for_all(s);
  const auto background = std::exchange(s.background, nullptr);  // it knows the routines of the schedule alone
  run_unaudited(s, r, s.grid.all());
  if (auto* device = s.services.find<Device>()) device->wait();
  s.background = background;
}

// A parameter block of a thorn, in place of what the run has while this lives.
class Instead {
 public:
  Instead(Simulation& s, const std::string& thorn, Parameters p) : parameters_(s.parameters), thorn_(thorn) {
    if (const auto it = parameters_.find(thorn); it != parameters_.end()) before_ = it->second;
    parameters_[thorn] = std::move(p);
  }
  ~Instead() {
    if (before_) parameters_[thorn_] = std::move(*before_);
    else parameters_.erase(thorn_);
  }
  Instead(const Instead&) = delete;

 private:
  std::map<std::string, Parameters>& parameters_;
  std::string thorn_;
  std::optional<Parameters> before_;
};

Parameters read_block(const LoadedThorn& t, const std::string& block) {
  Problems problems;
  std::vector<std::string> warnings;
  const std::string& thorn = t.record.name;
  const ParameterFile file = parameter_file_from(parse_yaml(thorn + ": " + block, thorn, problems), problems);
  auto all = resolve(file, {{thorn, t.record.description, t.record.parameters, true}}, problems, warnings);
  problems.throw_if_any();
  return std::move(all.at(thorn));
}
}  // namespace

VariableAccess Session::readable(const VariableAccess& a) {
  compute(a);
  const Validity& valid = simulation.fields.validity(a.group, a.component, a.timelevel, 0);
  if (simulation.fields.buffers(a.group) == 0 || (!valid[Space::host].interior && !valid[Space::device].interior))
    throw Error(fmt::format("{} holds nothing; assign to it first, or run a map that writes it",
        simulation.variable_name(a.group, a.component)));
  return a;
}

// What an analysis on demand makes is of the moment when somebody looks.
void Session::compute(const VariableAccess& a) {
  for (const Node& n : simulation.bins.at("analysis").children) {
    if (n.routine < 0 || !simulation.routines[n.routine].item->on_demand) continue;
    Routine& r = simulation.routines[n.routine];
    const auto makes = [&](const VariableAccess& w) {
      return w.mode != Mode::read && w.group == a.group && w.component == a.component;
    };
    if (std::ranges::none_of(r.accesses, makes)) continue;
    for (const VariableAccess& read : r.accesses)
      if (read.mode == Mode::read) compute(read);
    run_now(simulation, r);
  }
}

// Routines beside those of the schedule. They stay, so that the next time costs nothing.
Session::ByHand Session::made_of(const LoadedThorn& loaded, const std::string& block) {
  const std::string& thorn = loaded.record.name;
  Simulation& s = simulation;
  const Parameters parameters = read_block(loaded, block);
  const Instead instead(s, thorn, parameters);
  std::vector<std::shared_ptr<Item>> items;
  Schedule schedule(thorn, items, &s.parameters);
  loaded.plugin.entry->schedule(schedule, parameters);
  const auto first = s.routines.size();
  Problems problems;
  wait_for_all(s);
  resolve_routines(s, items, problems);
  if (problems.empty()) choose_variants(s, s.grid.dim, problems);
  if (!problems.empty()) s.routines.resize(first);
  problems.throw_if_any();
  ByHand made{parameters, {}};
  const bool again = free_.size() >= s.routines.size() - first;
  for (auto n = first; n < s.routines.size(); ++n) {
    const int place = again ? free_.back() : static_cast<int>(n);
    made.routines.push_back(place);
    if (!again) continue;
    free_.pop_back();
    s.routines[n].id = place;
    s.routines[static_cast<std::size_t>(place)] = std::move(s.routines[n]);
  }
  if (again) s.routines.resize(first);
  return made;
}

// Their places are for others then, and plans that were made for them go.
void Session::forget_by_hand() {
  wait_for_all(simulation);
  simulation.plans.reset();
  for (const auto& [_, made] : by_hand_) std::ranges::copy(made.routines, std::back_inserter(free_));
  by_hand_.clear();
}

void Session::carry_out(const std::string& thorn, const std::string& block) {
  ensure();
  const std::string key = thorn + ": " + block;
  if (!by_hand_.contains(key)) {
    if (by_hand_.size() >= most_by_hand) forget_by_hand();
    const Catalog catalog = make_catalog(options.thorn_folders);
    const ThornFile* file = catalog.find(thorn);
    if (!file) throw Error(fmt::format("there is no thorn {}", thorn));
    by_hand_[key] = made_of(load_and_declare(*file), block);
  }
  const Instead instead(simulation, thorn, by_hand_[key].parameters);
  carry_out(by_hand_[key]);
}

void Session::carry_out(const ByHand& made) {
  for (const int n : made.routines) {
    Routine& r = simulation.routines[static_cast<std::size_t>(n)];
    for (const VariableAccess& a : r.accesses) {
      if (a.mode == Mode::read || a.mode == Mode::update) readable(a);
      else if (simulation.fields.buffers(a.group) == 0)
        throw Error(fmt::format(
            "{} has no storage: nothing in this run reads it", simulation.variable_name(a.group, a.component)));
    }
    run_now(simulation, r);
  }
}
}  // namespace cereus::view
