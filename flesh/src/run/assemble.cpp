// parameter file → parameters → declarations → groups → schedule: each step collects its mistakes before the next.
#include "run/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "cereus_build.hpp"
#include "parameter/describe.hpp"
#include "run/catalog.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
ParameterFile read_all(const RunOptions& options, Catalog& catalog, Problems& problems) {
  ParameterFile file = read_parameter_file(options.file, problems);
  for (const auto& s : options.sets) apply_set(file, s, problems);
  std::vector<std::string> known;
  for (const auto& [name, path] : catalog.arrangements) known.push_back(name);
  for (const auto& a : std::vector<Named>(file.arrangements)) {
    const auto it = catalog.arrangements.find(a.name);
    if (it == catalog.arrangements.end())
      problems.add(a.where, fmt::format("no arrangement is called '{}'{}", a.name, did_you_mean(a.name, known)));
    else merge(file, read_arrangement(it->second.string(), problems), problems);
  }
  return file;
}

std::vector<std::filesystem::path> folders(const RunOptions& options, const ParameterFile& file) {
  auto list = options.thorn_folders;
  const auto block = file.blocks.find("Cereus");
  if (block == file.blocks.end()) return list;
  const auto it = block->second.settings.find("thorn_path");
  if (it == block->second.settings.end()) return list;
  const YamlNode& n = it->second.value;
  const auto base = std::filesystem::path(options.file).parent_path();
  for (const auto& item : n.kind == YamlNode::sequence ? n.items : std::vector<YamlNode>{n}) list.push_back(base / item.text);
  return list;
}

void choose_services(Simulation& s, Problems& problems) {
  std::map<std::string, std::vector<const ServiceOffer*>> offers;
  for (const auto& t : s.thorns)
    for (const auto& o : t.services) offers[o.service].push_back(&o);
  std::map<std::string, std::string> chosen;
  const Parameters& flesh = s.of("Cereus");
  for (const auto& text : flesh.strings("services")) {
    const auto eq = text.find('=');
    if (eq == std::string::npos) problems.add(flesh.where("services"), fmt::format("Cereus.services: '{}' is not of the form Service=Thorn", text));
    else chosen[text.substr(0, eq)] = text.substr(eq + 1);
  }
  for (auto& [service, list] : offers) {
    const ServiceOffer* offer = list.front();
    if (list.size() > 1) {
      const auto it = std::find_if(list.begin(), list.end(), [&](auto* o) { return o->thorn == chosen[service]; });
      if (it == list.end())
        problems.add(fmt::format("the thorns {} and {} both offer {}; remove one, or choose with Cereus: {{services: [{}={}]}}",
                                 list[0]->thorn, list[1]->thorn, service, service, list[0]->thorn));
      else offer = *it;
    }
    if (problems.empty()) s.services.add(service, offer->make(s.of(offer->thorn)));
  }
  for (const auto& t : s.thorns)
    for (const auto& need : t.required_services)
      if (!offers.count(need)) problems.add(fmt::format("{} needs the service {}, which no active thorn offers", t.name, need));
  if (!offers.count(Driver::service_name))
    problems.add("no active thorn offers the service Driver, which owns the grid; add UniGrid to thorns:");
}

std::string provenance(const Simulation& s, const std::map<std::string, std::string>& hashes) {
  std::string text = fmt::format("cereus: {} {}\ncompiler: {} {} {}\n", build::version, build::git, build::compiler, build::type, build::flags);
  for (const auto& t : s.thorns) text += fmt::format("thorn: {} {} {}\n", t.name, hashes.at(t.name), t.path);
  return text;
}
}  // namespace

Simulation assemble(const RunOptions& options) {
  Problems problems;
  Simulation s;
  Catalog catalog = make_catalog(options.thorn_folders);
  ParameterFile file = read_all(options, catalog, problems);
  if (const auto more = folders(options, file); more.size() > options.thorn_folders.size()) catalog = make_catalog(more);

  std::vector<LoadedThorn> loaded;
  std::vector<ThornParameters> known{{"Cereus", "The flesh", flesh_parameters(), true}};
  for (const auto& f : catalog.files) {
    if (f.shadowed) continue;
    const auto asked = std::find_if(file.thorns.begin(), file.thorns.end(), [&](const Named& n) { return n.name == f.name; });
    const bool active = asked != file.thorns.end();
    ThornParameters t{f.name, "", {}, active};
    if (active) try {
        loaded.push_back(load_and_declare(f));
        t.specs = loaded.back().record.parameters;
      } catch (const Error& e) {
        problems.add(asked->where, e.what());
      }
    known.push_back(std::move(t));
  }
  std::vector<std::string> warnings;
  s.parameters = resolve(file, known, problems, warnings);
  problems.throw_if_any();
  for (const auto& w : warnings) console::warn(w);

  // Thorns in the order of the file: ties in the schedule are broken by it.
  std::map<std::string, std::string> hashes;
  for (const auto& name : file.thorns)
    for (auto& t : loaded)
      if (t.record.name == name.name && !hashes.count(name.name)) {
        hashes[name.name] = t.plugin.hash;
        s.thorns.push_back(t.record);
      }
  const Parameters& flesh = s.of("Cereus");
  s.name = std::filesystem::path(options.file).stem().string();
  s.output = flesh.string("output").empty() ? std::filesystem::path(s.name) : std::filesystem::path(flesh.string("output"));
  s.real = flesh.string("real") == "float" ? ScalarType::float32 : ScalarType::float64;
  s.audit = flesh.boolean("audit"), s.fuse = flesh.boolean("fuse"), s.overlap = flesh.boolean("overlap");
  std::vector<std::string> order;
  for (const auto& t : s.thorns) order.push_back(t.name);
  s.resolved_parameters = resolved_yaml(s.parameters, order);
  s.provenance = provenance(s, hashes);

  collect_groups(s, problems);
  problems.throw_if_any();
  std::vector<std::shared_ptr<Item>> items;
  for (const auto& t : s.thorns) {
    Schedule schedule(t.name, items);
    for (auto& l : loaded)
      if (l.record.name == t.name) l.plugin.entry->schedule(schedule, s.of(t.name));
  }
  resolve_routines(s, items, problems);
  sort_schedule(s, problems);
  choose_services(s, problems);
  problems.throw_if_any();
  if (!s.services.find<TimeStep>())
    throw Error("no active thorn offers the service TimeStep, which chooses dt; add Time to thorns:");
  if (flesh.integer("iterations") < 0 && flesh.real("final_time") < 0 && flesh.real("wall_clock") <= 0)
    throw Error(fmt::format("{}: nothing says when the run ends; give Cereus: {{iterations: …}}, {{final_time: …}} or {{wall_clock: …}}",
                            options.file));
  plan_fusion(s);
  choose_variants(s, s.services.get<Driver>().dimension(), problems);
  problems.throw_if_any();
  return s;
}

namespace {
// Whatever is read next to the outer boundary needs a condition there: found before anything is allocated.
void check_boundaries(const Simulation& s) {
  bool outer = false;
  for (const auto& l : s.grid.levels)
    for (int d = 0; d < s.grid.dim; ++d) outer = outer || !l.periodic[d];
  const auto* conditions = s.services.find<BoundaryConditions>();
  Problems problems;
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses) {
      const bool near = a.mode == Mode::read && (a.reach > 0 || a.region != Region::interior);
      if (!outer || !near || s.groups[a.group].kind != GroupKind::grid_function || !s.groups[a.group].rhs_of.empty()) continue;
      const std::string missing = conditions ? conditions->missing(s, a.group, a.component)
                                             : "no active thorn offers BoundaryConditions; add Boundary to thorns:";
      if (!missing.empty()) problems.add(fmt::format("{} is read next to the outer boundary, but {}", s.variable_name(a.group, a.component), missing));
    }
  problems.throw_if_any();
}
}  // namespace

void make_grid(Simulation& s, int rank, int size) {
  s.grid = s.services.get<Driver>().make_grid(ghost_width(s), rank, size);
  check_boundaries(s);
}

namespace {
std::vector<int> buffers(const Simulation& s) {
  const auto* integrator = s.services.find<TimeIntegrator>();
  return buffers_of_groups(s, integrator ? integrator->stages() : 0);
}
}  // namespace

void allocate(Simulation& s) {
  s.fields = Fields(s.groups, s.variables, buffers(s), s.grid, s.real, s.of("Cereus").boolean("poison"));
}

std::int64_t memory_needed(const Simulation& s) { return Fields::bytes_needed(s.groups, buffers(s), s.grid, s.real); }
}  // namespace cereus
