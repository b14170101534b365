// The commands that start nothing: check, list, describe, schema.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <set>

#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "command/commands.hpp"
#include "command/first_blocks.hpp"
#include "exec/bin.hpp"
#include "observe/folder.hpp"
#include "observe/schedule_graph.hpp"
#include "parameter/describe.hpp"
#include "parameter/schema.hpp"
#include "run/languages.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
std::vector<ThornParameters> all_thorns(const Catalog& catalog) {
  std::vector<ThornParameters> list{
      {"Cereus", "The flesh: when the run ends, and where its output goes", flesh_parameters(), true}};
  for (const auto& f : catalog.files)
    if (!f.shadowed) {
      const auto t = load_and_declare(f);
      list.push_back({t.record.name, t.record.description, t.record.parameters, false});
    }
  return list;
}
std::vector<std::string> names(const std::map<std::string, fs::path>& m) {
  std::vector<std::string> list;
  for (const auto& [name, path] : m) list.push_back(name);
  return list;
}
// One that does not fit, or does not load, hides no other.
std::string what_is(const ThornFile& f) {
  if (f.shadowed) return "(hidden by another of that name) " + f.path.string();
  if (!f.refused.empty()) return "refused: " + f.refused;
  if (!fs::exists(f.path)) return "(built when a run needs it)";
  try {
    return load_and_declare(f).record.description;
  } catch (const Error& e) { return std::string("refused: ") + e.what(); }
}

Simulation without_grid_functions(const Simulation& s) {
  Simulation point = s;
  point.grid = Grid{};
  point.grid.dim = s.grid.dim, point.grid.ghosts = s.grid.ghosts;
  for (const Level& level : s.grid.levels) point.grid.add(level, {});
  point.services.remove(Device::service_name);
  allocate(point);
  return point;
}

// What thorns say to their parameters once there is a grid: their routines that look at no variable.
void check_parameters(Simulation& point) {
  Problems found;
  for (const auto& r : point.routines) try {
      if (!r.is_kernel && r.item->where == bin::paramcheck.name && r.accesses.empty()) call(point, r, point.grid.all());
    } catch (const Error& e) { found.add(e.what()); }
  found.throw_if_any();
}

// The first step, where it follows from the parameters alone, and how many there will be.
std::string steps_from(Simulation& point) {
  std::set<int> offered;
  for (const auto& r : point.routines) {
    const auto writes_a_scalar = [&](const VariableAccess& a) {
      return a.mode == Mode::write && point.groups[a.group].kind == GroupKind::scalar;
    };
    if (r.is_kernel || r.item->where != bin::basegrid.name || r.accesses.empty() ||
        !std::ranges::all_of(r.accesses, writes_a_scalar))
      continue;
    call(point, r, point.grid.all());
    for (const auto& a : r.accesses) offered.insert(a.group);
  }
  for (int g = 0; g < static_cast<int>(point.groups.size()); ++g)
    if ((point.groups[g].has_tag("Time::speed") || point.groups[g].has_tag("Time::diffusivity")) && !offered.count(g))
      return fmt::format("as long as {} says", point.groups[g].full_name());
  try {
    const double dt = point.services.get<TimeStep>().next_dt(point, point.services.get<Driver>().ticks(point.grid));
    const auto iterations = point.of("Cereus").integer("iterations");
    const double final_time = point.of("Cereus").real("final_time");
    double steps = iterations >= 0 ? static_cast<double>(iterations) : HUGE_VAL;
    if (final_time >= 0) steps = std::min(steps, std::ceil(final_time / dt - 1e-9));
    return fmt::format("dt = {:.6g}{}", dt, std::isfinite(steps) ? fmt::format(", {:.0f} of them", steps) : "");
  } catch (const Failure& e) { return e.what(); }
}

std::int64_t cells_of(const std::vector<BlockHome>& blocks) {
  std::int64_t cells = 0;
  for (const BlockHome& b : blocks) cells += b.cells.points();
  return cells;
}
// How far apart points are: on a shell along an angle, where it begins and where it ends, and along the radius.
std::string distances_of(const Patch& p) {
  if (!p.map) return fmt::format("h = {:.6g}", p.spacing[0]);
  return fmt::format("h = {:.6g} to {:.6g} across, {:.6g} along the radius", p.spacing[0] * p.lower[2],
      p.spacing[0] * p.outer_radius(), p.spacing[2]);
}
// Of several levels a line each, with its share of so many bytes; and what steps of their own would save.
std::string levels_of(const Simulation& s, std::int64_t bytes) {
  if (s.grid.levels.size() == 1) return "";
  std::vector<std::vector<BlockHome>> blocks;
  std::int64_t all = 0;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    blocks.push_back(s.services.get<Driver>().all_blocks(s.grid, l));
    all += cells_of(blocks.back());
  }
  std::string text;
  double own = 0;  // cells that are updated a step of the finest level, where each level takes steps of its own
  std::vector<double> steps(blocks.size(), 0);  // of each level in a step of the run
  for (const Driver::Tick& tick : s.services.get<Driver>().ticks(s.grid))
    for (int l = tick.levels.first; l < tick.levels.last; ++l) ++steps[l];
  const bool subcycles = s.services.get<Driver>().subcycles();
  for (std::size_t l = 0; l < blocks.size(); ++l) {
    const double share = static_cast<double>(cells_of(blocks[l])) / static_cast<double>(all);
    text += fmt::format("{}: {} blocks, {} cells, {}, {}\n", s.grid.levels[l].name(), blocks[l].size(),
        cells_of(blocks[l]), distances_of(s.grid.levels[l].space), format_bytes(share * static_cast<double>(bytes)));
    own += share * (subcycles ? steps[l] / std::ranges::max(steps)
                              : double(s.grid.levels[l].ratio) / s.grid.levels.back().ratio);
  }
  if (s.grid.levels.back().ratio == 1)
    return text + fmt::format("levels: {} cells a step\n", all);  // a cube and shells
  const char* const said =
      subcycles ? "levels: {} cells, each level with steps of its own: {:.3g} of the updates that they "
                  "take with the step of the finest{}\n"
                : "levels: {} cells a step, all with the step of the finest ({:.3g} of that if each level "
                  "had its own){}\n";
  return text +
         fmt::format(fmt::runtime(said), all, own, s.services.get<Driver>().adapts(0) ? "; blocks may change" : "");
}
}  // namespace

int command_check(const Options& options) {
  Simulation s = assemble(options);
  const int processes = std::max(options.processes, 1);
  std::int64_t all = 0, most = 0;
  for (int r = 0; r < processes; ++r) {
    make_grid(s, Process::pretend(r, processes));
    const auto bytes = memory_needed(s);
    all += bytes, most = std::max(most, bytes);
  }
  check_folder(s, true);
  Simulation point = without_grid_functions(s);
  check_parameters(point);
  bool known = true, even = false;  // even: the fullest process is taken to have an even share
  if (s.services.get<Driver>().adapts(0)) {
    make_grid(s, Process::pretend(0, 1));
    console::set_quiet(true);
    known = add_first_blocks(s, point);
    console::set_quiet(false);
    if (known) all = memory_needed(s), most = (all + processes - 1) / processes, even = processes > 1;
  }
  const std::string steps = steps_from(point);
  fmt::print("{}: no mistakes found\nsteps: {}\n", options.file, steps);
  fmt::print("ghost zones: {} wide\n{}", ghost_width(s), forecast_of_steps(s));
  fmt::print("grid functions: {} ({} bytes) in all, {}{} on the fullest of {} process{}\n",
      format_bytes(static_cast<double>(all)), all, even ? "about " : "", format_bytes(static_cast<double>(most)),
      processes, processes == 1 ? "" : "es");
  fmt::print("{}", levels_of(s, all));
  if (!known) fmt::print("blocks: more come at the start, as initial data ask for them, and each takes its memory\n");
  const auto memory = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (all > memory)
    console::warn(fmt::format("that is more than the {} of this machine", format_bytes(static_cast<double>(memory))));
  std::int64_t cells = 0, volume = 0;  // of one output of everything that routines of the output bin read
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
    cells += cells_of(s.services.get<Driver>().all_blocks(s.grid, l));
  for (const auto& r : s.routines)
    if (r.item->where == "output")
      for (const auto& a : r.accesses)
        if (s.groups[a.group].kind == GroupKind::grid_function)
          volume += cells * static_cast<std::int64_t>(size_of(s.type(a.group)));
  fmt::print("output: at most {} each time that all outputs are due, to {}\n",
      format_bytes(static_cast<double>(volume)), s.output.string());
  fmt::print("checkpoints: {}\n", s.services.find<Checkpoints>()
                                      ? "a run that was stopped goes on with the same command"
                                      : "none; a run that was stopped begins anew (thorn Checkpoint keeps its state)");
  return 0;
}

int command_list(const Options& options) {
  const Catalog catalog = make_catalog(options.thorn_folders);
  fmt::print("arrangements\n");
  for (const auto& [name, path] : catalog.arrangements) {
    Problems problems;
    fmt::print("  {:<14} {}\n", name, arrangement_from(load_yaml(path.string(), problems), problems).description);
  }
  fmt::print("thorns\n");
  for (const auto& f : catalog.files) fmt::print("  {:<14} {}\n", f.name, what_is(f));
  return 0;
}

int command_describe(const Options& options) {
  if (options.name.empty()) return command_list(options);
  if (options.name.ends_with(".edl"))
    throw Error(
        fmt::format("{} is no thorn but a text of equations, whose section `parameter` says what a run may set; "
                    "`cereus equations {}` checks it",
            options.name, options.name));
  const Catalog catalog = make_catalog(options.thorn_folders);
  const auto dot = options.name.find('.');
  const std::string thorn = options.name.substr(0, dot);
  ThornParameters t{"Cereus", "The flesh: when the run ends, and where its output goes", flesh_parameters(), true};
  std::vector<Group> groups;
  std::string text;  // of equations
  if (thorn != "Cereus") {
    const auto* file = catalog.find(thorn);
    if (!file) throw Error(fmt::format("no thorn is called '{}'{}", thorn, did_you_mean(thorn, catalog.thorn_names())));
    const auto loaded = load_and_declare(*file);
    t = {loaded.record.name, loaded.record.description, loaded.record.parameters, false};
    groups = loaded.record.groups, text = loaded.record.equations;
  }
  if (dot == std::string::npos) {
    std::cout << describe_thorn(t);
    for (const auto& g : groups)
      fmt::print("\ngroup {}: {} ({})\n", g.name,
          g.names_parameter.empty() ? join(g.variables, ", ") : "named by " + g.names_parameter, g.doc);
    if (!text.empty()) fmt::print("{}", languages().costs(thorn, text));
    return 0;
  }
  const std::string key = options.name.substr(dot + 1);
  std::vector<std::string> known;
  for (const auto& p : t.specs) {
    if (p.name == key) return std::cout << describe_parameter(p), 0;
    known.push_back(p.name);
  }
  throw Error(fmt::format("{} has no parameter '{}'{}", thorn, key, did_you_mean(key, known)));
}

int command_equations(const Options& options) { return languages().command_equations(options); }

int command_schema(const Options& options) {
  const Catalog catalog = make_catalog(options.thorn_folders);
  std::cout << json_schema(all_thorns(catalog), names(catalog.arrangements)).dump(2) << "\n";
  return 0;
}
}  // namespace cereus
