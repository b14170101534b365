#include "run/steering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cereus/console.hpp>
#include <cereus/file.hpp>
#include <cereus/text.hpp>
#include <fstream>

#include "exec/bin.hpp"
#include "parameter/resolve.hpp"
#include "parameter/yaml_file.hpp"
#include "run/assemble.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
constexpr const char *request = "steer.yaml", *taken = "steer.taken.yaml", *history = "steering.txt";
constexpr int steps_between = 16;
constexpr std::size_t most_bytes = std::size_t{1} << 20;

struct Change {
  std::string thorn, name;
  Value value;
  Where where;
};

std::vector<Change> read_changes(const Simulation& s, const std::string& text, Problems& problems) {
  std::vector<Change> changes;
  const YamlNode file = parse_yaml(text, request, problems);
  if (file.kind != YamlNode::map && problems.empty())
    problems.add(file.where, "a thorn and its parameters are expected, as in `WaveToy: {speed: 2}`");
  for (const Entry& thorn : file.entries) {
    const auto known = s.parameters.find(thorn.key);
    if (known == s.parameters.end()) {
      std::vector<std::string> names;
      for (const auto& [name, parameters] : s.parameters) names.push_back(name);
      problems.add(thorn.where, "'" + thorn.key + "' is no active thorn" + did_you_mean(thorn.key, names));
      continue;
    }
    for (const Entry& given : thorn.value.entries) {
      const auto& specs = known->second.specs();
      const auto spec = std::ranges::find(specs, given.key, &ParameterSpec::name);
      std::vector<std::string> steerable;
      for (const auto& one : specs)
        if (one.steerable) steerable.push_back(one.name);
      if (spec == specs.end() || !spec->steerable)
        problems.add(given.where,
            fmt::format("{}.{} cannot be changed during a run; {}", thorn.key, given.key,
                steerable.empty() ? "this thorn has nothing that can" : "what can: " + join(steerable, ", ")));
      else changes.push_back({thorn.key, given.key, read_value(given.value, *spec, thorn.key, problems), given.where});
    }
  }
  return changes;
}

void apply(Simulation& s, const std::vector<Change>& changes) {
  if (auto* device = s.services.find<Device>()) device->wait();  // queued kernels may still read parameters
  std::string said;
  for (const Change& c : changes) {
    Parameters& parameters = s.parameters.at(c.thorn);
    const std::string before = to_yaml(parameters[c.name]);
    parameters.set(c.name, c.value, c.where);
    said += fmt::format("iteration {}, t = {}: {}.{} is {}, was {}\n", s.clock.iteration, s.clock.time, c.thorn, c.name,
        to_yaml(c.value), before);
  }
  for (const auto& r : s.routines) set_members(s, r);
  run_bin(s, "basegrid", s.grid.all());  // speeds for the Courant limit, for one
  note_parameters(s);
  if (s.process.rank() == 0) std::ofstream(s.output / history, std::ios::app) << said;
  said.pop_back();
  console::say(said);
}
}  // namespace

// The text of the file on rank 0, which is renamed; empty if there is none.
std::string Steering::file_text(const Simulation& s) {
  const auto now = std::chrono::steady_clock::now();
  if (s.process.rank() != 0 || now - looked_ < std::chrono::seconds(1)) return "";
  looked_ = now;
  std::error_code error;
  std::filesystem::rename(s.output / request, s.output / taken, error);
  if (error) return "";
  const auto text = content_of(s.output / taken, most_bytes);
  if (!text)
    console::warn(fmt::format("{} is no file of at most {}; nothing is changed", request, format_bytes(most_bytes)));
  return text && !text->empty() ? *text : "\n";
}

void Steering::look(Simulation& s) {
  if (s.process.size() > 1 && ++steps_ % steps_between != 0) return;
  const std::string mine = file_text(s);
  if (!s.process.any(!mine.empty())) return;
  const std::string text = s.process.broadcast(mine);
  Problems problems;
  const auto changes = read_changes(s, text, problems);
  for (const auto& p : problems.list()) console::warn(p.text() + "; nothing is changed");
  if (problems.empty() && !changes.empty()) apply(s, changes);
}
}  // namespace cereus
