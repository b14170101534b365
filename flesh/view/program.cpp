// What a program declares, and the steps that it asks for.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "plugin/load.hpp"
#include "view/state.hpp"

namespace cereus::view {
namespace {
// MPI starts with the first program of a process, and ends with the process.
const Process& started(int* argc, char*** argv) {
  static const Process process = [&] {
    spin_briefly(*argv);
    note_terminal();
    const Process p = Process::start(argc, argv);
    set_threads(p);
    listen_to_signals();
    std::atexit([] { started(nullptr, nullptr).finish(); });
    return p;
  }();
  return process;
}

// The program's file as the name of a thorn.
std::string thorn_name(const std::filesystem::path& program) {
  std::string name = program.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return is_thorn_name(name) ? name : "program_" + name;
}

YamlNode node_of(const Value& v, const Where& where) {
  YamlNode node{.where = where, .kind = YamlNode::scalar, .text = {}, .items = {}, .entries = {}};
  node.quoted = v.holds<std::string>();
  node.text = node.quoted ? v.get<std::string>() : to_yaml(v);
  return node;
}
YamlNode node_of(const Setting& s, const Where& where) {
  if (!s.is_list) return node_of(s.values.front(), where);
  YamlNode node{.where = where, .kind = YamlNode::sequence, .text = {}, .items = {}, .entries = {}};
  for (const Value& v : s.values) node.items.push_back(node_of(v, where));
  return node;
}
}  // namespace

Where where(const Place& p) { return {std::filesystem::path(p.file).filename().string(), p.line}; }

Program::Program(int argc, char** argv, int dim, ScalarType real, const AbiFacts& built, const Place& place)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.process = started(&argc, &argv);
  s.dim = dim, s.real = real;
  s.options.file = s.name = thorn_name(argv[0]);
  s.thorn.name = s.name, s.thorn.description = "A program without a thorn", s.thorn.path = argv[0];
  for (const char* t : {"UniGrid", "Accelerator", "AcceleratorCUDA?", "Time", "Boundary", "Reduce", "CaKernel"})
    s.parameters.thorns.push_back({t, where(place)}), s.silent.emplace_back(t);
  s.silent.push_back(s.name);
  s.parameters.path = s.name;
  bool verbose = false;
  CLI::App line{"A program over Cereus"};
  line.allow_extras();  // the program's own
  line.add_option("--set", s.options.sets, "Thorn.key=value: wins over the program; may be repeated")
      ->allow_extra_args(false);
  line.add_option("--activate", s.options.thorns, "Further thorns")
      ->envname("CEREUS_ACTIVATE")
      ->allow_extra_args(false)
      ->delimiter(',');
  line.add_option("--thorns", s.options.thorn_folders, "Further folders in which thorns are looked for")
      ->allow_extra_args(false);
  line.add_flag("--fresh", s.fresh, "Move an earlier run in the output folder aside");
  line.add_flag_callback(
      "--graph", [&] { s.graph = "text"; }, "Show the schedule, as `cereus graph` does, and run nothing");
  line.add_flag_callback(
      "--dot", [&] { s.graph = "dot"; }, "The same as a graph for Graphviz");
  line.add_flag("--verbose", verbose, "Say what `cereus run` says");
  guarded(*state_, [&] {
    try {
      line.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
      if (s.process.rank() == 0) line.exit(help);
      std::exit(0);
    } catch (const CLI::ParseError& e) { throw Error(s.name + ": " + e.what()); }
    if (const std::string wrong = differences(built, this_build()); !wrong.empty())
      throw Error(s.name + " was built for another Cereus; build it again: " + wrong);
  });
  console::set_quiet(!verbose);
  set("Cereus", {{"real", real == ScalarType::float32 ? "float" : "double"}, {"iterations", 0}}, place);
}

Program::~Program() {
  guarded(*state_, [&] {
    State& s = *state_;
    if (s.run || !s.pending.empty() || !s.graph.empty()) {
      s.set_out();
      if (s.run->finish(Ended::done) == Ended::failed) throw Failure(s.simulation.failure);
    }
  });
  state_.reset();
}

void Program::set(const std::string& thorn, const Settings& settings, const Place& place) {
  ThornBlock& block = state_->parameters.blocks.try_emplace(thorn, ThornBlock{where(place), {}}).first->second;
  for (const auto& [key, value] : settings) block.settings[key] = {node_of(value, where(place)), where(place)};
  state_->changed = true;
}

void Program::activate(const std::string& thorn, const Settings& settings, const Place& place) {
  auto& list = state_->parameters.thorns;
  if (std::ranges::find(list, thorn, &Named::name) == list.end()) list.push_back({thorn, where(place)});
  if (!settings.empty()) set(thorn, settings, place);
  state_->changed = true;
}

int Program::add_group(const std::string& name, std::vector<std::string> variables, std::size_t members,
    std::string key, const GroupOptions& options, const Place& place) {
  State& s = *state_;
  guarded(*state_, [&] {
    if (variables.size() != members)
      throw Error(where(place),
          fmt::format("the struct of group '{}' has {} grid function{}, but {} name{} given", name, members,
              members == 1 ? "" : "s", variables.size(), variables.size() == 1 ? " is" : "s are"));
    for (const std::string& n : variables)
      if (!is_name(n)) throw Error(where(place), "'" + n + "' cannot name a field: use letters, digits and _");
    if (options.timelevels < 1) throw Error(where(place), "a group has at least one timelevel");
  });
  Group& g = s.thorn.groups.emplace_back();
  g.thorn = s.name, g.name = name, g.key = std::move(key), g.variables = std::move(variables);
  g.doc = "A group of the program", g.centre.fill(options.centre);
  g.timelevels = options.timelevels, g.checkpointed = options.checkpointed;
  if (!options.boundary.empty()) g.condition = [text = options.boundary](const Parameters&, int, int) { return text; };
  s.changed = true;
  return static_cast<int>(s.thorn.groups.size()) - 1;
}

Step Program::add_map(const std::string& name, Scheduler schedule, const Place& place) {
  State& s = *state_;
  guarded(*state_, [&] {
    if (!is_name(name)) throw Error(where(place), "'" + name + "' cannot name a map: use letters, digits and _");
    if (std::ranges::find(s.maps, name, &Scheduled::name) != s.maps.end())
      throw Error(where(place), "there is a map '" + name + "' already");
  });
  s.maps.push_back({name, std::move(schedule), {}});
  s.changed = true;
  return {static_cast<int>(s.maps.size()) - 1};
}

void Program::put_on(Step step, const Part& part) {
  State& s = *state_;
  Scheduled& map = s.maps[static_cast<std::size_t>(step.number)];
  guarded(*state_, [&] {
    if (map.part) throw Error(where(part.place), "map '" + map.name + "' is on a part of the domain already");
  });
  map.part = part;
  for (int d = s.dim; d < 3; ++d) map.part->box.lo[d] = 0, map.part->box.hi[d] = 1;
  s.changed = true;
}

void Program::run(std::vector<Step> maps, int steps, const Place& place) {
  guarded(*state_, [&] {
    State& s = *state_;
    if (maps.empty()) throw Error(where(place), "run() needs a map");
    if (steps < 0) throw Error(where(place), "run() needs a number of steps that is not negative");
    s.choose(maps);
    s.set_out();
    s.planned += steps;
    if (s.planned <= s.simulation.clock.iteration) return;  // it was done before the checkpoint
    s.simulation.parameters.at("Cereus").set("iterations", static_cast<std::int64_t>(s.planned));
    const Ended ended = s.run->steps();
    if (ended == Ended::done) return;
    if (s.run->finish(ended) == Ended::failed) throw Failure(s.simulation.failure);
    if (s.process.rank() == 0) console::error(s.name + " stopped early, at iteration " + std::to_string(iteration()));
    s.simulation.services = {};
    std::exit(2);
  });
}

int Program::rank() const { return state_->process.rank(); }
int Program::processes() const { return state_->process.size(); }
int Program::iteration() {
  guarded(*state_, [&] { state_->ensure(); });
  return state_->simulation.clock.iteration;
}
double Program::time() {
  guarded(*state_, [&] { state_->ensure(); });
  return state_->simulation.clock.time;
}
}  // namespace cereus::view
