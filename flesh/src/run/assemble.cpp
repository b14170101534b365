// parameter file → parameters → declarations → groups → schedule: each step collects its mistakes before the next.
#include "run/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cereus/console.hpp"
#include "cereus/hash.hpp"
#include "cereus/text.hpp"
#include "cereus_build.hpp"
#include "exec/rebuild.hpp"
#include "parameter/describe.hpp"
#include "plugin/build.hpp"
#include "plugin/variants.hpp"
#include "run/catalog.hpp"
#include "run/languages.hpp"
#include "run/regrid.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
std::vector<std::filesystem::path> folders(const RunOptions& options, const ParameterFile& file) {
  auto list = options.thorn_folders;
  const auto block = file.blocks.find("Cereus");
  if (block == file.blocks.end()) return list;
  const auto it = block->second.settings.find("thorn_path");
  if (it == block->second.settings.end()) return list;
  const YamlNode& n = it->second.value;
  const auto base = std::filesystem::path(options.file).parent_path();
  for (const auto& item : n.kind == YamlNode::sequence ? n.items : std::vector<YamlNode>{n})
    list.push_back(base / item.text);
  return list;
}

void merge_arrangements(ParameterFile& file, const RunOptions& options, const Catalog& catalog, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [name, path] : catalog.arrangements) known.push_back(name);
  for (const auto& a : file.arrangements) {
    const auto it = catalog.arrangements.find(a.name);
    if (it == catalog.arrangements.end())
      problems.add(a.where, fmt::format("no arrangement is called '{}'{}", a.name, did_you_mean(a.name, known)));
    else merge(file, arrangement_from(load_yaml(it->second.string(), problems), problems), problems);
  }
  if (const auto block = file.blocks.find("Cereus"); block != file.blocks.end())
    if (const auto path = block->second.settings.find("thorn_path");
        path != block->second.settings.end() && path->second.origin == Origin::arrangement)
      problems.add(path->second.key_where,
          "an arrangement comes too late to say where thorns are; say it in the parameter file");
  for (const auto& name : options.thorns)
    if (std::none_of(file.thorns.begin(), file.thorns.end(), [&](const Named& n) { return n.name == name; }))
      file.thorns.push_back({name, {}});
  std::erase_if(file.thorns, [&](Named& n) {  // "NAME?": if it was built
    if (!n.name.ends_with('?')) return false;
    n.name.pop_back();
    return catalog.find(n.name) == nullptr;
  });
}

// Takes Cereus.device from the environment if neither the file nor the command line sets it: for whole test suites.
void take_device_of_environment(ParameterFile& file) {
  const char* device = std::getenv("CEREUS_DEVICE");
  if (!device) return;
  const Where where{std::string("CEREUS_DEVICE=") + device};
  ThornBlock& flesh = file.blocks.try_emplace("Cereus", ThornBlock{where, {}}).first->second;
  flesh.settings.emplace(
      "device", Setting{{where, YamlNode::scalar, device, true, {}, {}}, where, Origin::command_line});
}

void choose_services(Simulation& s, Problems& problems) {
  std::map<std::string, std::vector<const ServiceOffer*>> offers;
  for (const auto& t : s.thorns)
    for (const auto& o : t.services) offers[o.service].push_back(&o);
  std::map<std::string, std::string> chosen;
  const Parameters& flesh = s.of("Cereus");
  for (const auto& text : flesh.strings("services")) {
    const auto eq = text.find('=');
    if (eq == std::string::npos)
      problems.add(
          flesh.where("services"), fmt::format("Cereus.services: '{}' is not of the form Service=Thorn", text));
    else chosen[text.substr(0, eq)] = text.substr(eq + 1);
  }
  for (auto& [service, list] : offers) {
    const ServiceOffer* offer = list.front();
    if (service == Device::service_name) {
      const std::string kind = s.audit ? "none" : flesh.string("device") == "auto" ? "cuda" : flesh.string("device");
      const auto it = std::find_if(list.begin(), list.end(), [&](auto* o) { return o->kind == kind; });
      if (it == list.end()) continue;
      offer = *it;
    } else if (list.size() > 1) {
      const auto it = std::find_if(list.begin(), list.end(), [&](auto* o) { return o->thorn == chosen[service]; });
      if (it == list.end())
        problems.add(
            fmt::format("the thorns {} and {} both offer {}; remove one, or choose with Cereus: {{services: [{}={}]}}",
                list[0]->thorn, list[1]->thorn, service, service, list[0]->thorn));
      else offer = *it;
    }
    s.offers.push_back(*offer);
  }
  for (const auto& t : s.thorns)
    for (const auto& [service, usual] : t.required_services)
      if (!offers.count(service))
        problems.add(fmt::format("{} needs the service {}, which no active thorn offers{}", t.name, service,
            usual.empty() ? "" : "; add " + usual + " to thorns:"));
  if (!offers.count(Driver::service_name))
    problems.add("no active thorn offers the service Driver, which owns the grid; add UniGrid to thorns:");
  const auto offered = [&](const char* service) {
    return std::any_of(s.offers.begin(), s.offers.end(), [&](const auto& o) { return o.service == service; });
  };
  if (const auto& asked = flesh.string("device");
      (asked == "cuda" || asked == "mirror") && !s.audit && !offered(Device::service_name))
    problems.add(flesh.where("device"),
        fmt::format("Cereus.device: no active thorn offers a device of the kind '{}'; {}", asked,
            asked == "cuda" ? "add AcceleratorCUDA to thorns: (it is built with -DCEREUS_CUDA=ON)"
                            : "add AcceleratorMirror to thorns:"));
  if (offered(Device::service_name) && !offered(Accelerator::service_name))
    problems.add("a device is of no use without the service Accelerator; add Accelerator to thorns:");
}

std::string provenance(const Simulation& s, const std::map<std::string, std::string>& hashes) {
  std::string text = fmt::format("cereus: {} {}\ncompiler: {} {} {}\nmpi: {}\n", build::version, build::git,
      build::compiler, build::type, build::flags, CEREUS_MPI_FLAVOUR);
  for (const auto& t : s.thorns) text += fmt::format("thorn: {} {} {}\n", t.name, hashes.at(t.name), t.path);
  return text;
}
}  // namespace

namespace {
// Loads the thorns that the file asks for; adds the parameters of all that there are to `known`.
std::vector<LoadedThorn> load_thorns(
    const ParameterFile& file, const Catalog& catalog, std::vector<ThornParameters>& known, Problems& problems) {
  const auto asks_for = [&](const ThornFile& f) { return std::ranges::find(file.thorns, f.name, &Named::name); };
  std::vector<Library> libraries;
  for (const auto& f : catalog.files)
    if (!f.shadowed && f.refused.empty() && asks_for(f) != file.thorns.end()) libraries.push_back({f.path, {}});
  build_libraries(libraries);
  std::vector<LoadedThorn> loaded;
  for (const auto& f : catalog.files) {
    if (f.shadowed) continue;
    const auto asked = asks_for(f);
    const bool active = asked != file.thorns.end();
    ThornParameters t{f.name, "", {}, active};
    if (active) try {
        loaded.push_back(load_and_declare(f));
        t.specs = loaded.back().record.parameters;
      } catch (const Error& e) { problems.add(asked->where, e.what()); }
    known.push_back(std::move(t));
  }
  return loaded;
}

void add_late(
    std::vector<LoadedThorn>& loaded, const LateThorns& late, std::vector<ThornParameters>& known, Problems& problems) {
  for (const LateThorn& thorn : late) {
    if (std::ranges::find(known, thorn.name, &ThornParameters::name) != known.end())
      problems.add(thorn.where, fmt::format("there is a thorn {} already; give the {} another name", thorn.name,
                                    thorn.is_program ? "program" : "equations"));
    loaded.push_back({Plugin{thorn.name, thorn.record.path, hash_of(thorn.text), {}, nullptr}, thorn.record});
    known.push_back({thorn.name, thorn.description, thorn.record.parameters, true});
  }
}

// Adds the thorns that a program brings along.
void add_given(std::vector<LoadedThorn>& loaded, std::vector<LoadedThorn> given, ParameterFile& file,
    std::vector<ThornParameters>& known, Problems& problems) {
  for (LoadedThorn& t : given) {
    if (std::ranges::find(known, t.record.name, &ThornParameters::name) != known.end())
      problems.add(fmt::format("there is a thorn {} already; give the program another name", t.record.name));
    file.thorns.push_back({t.record.name, {}});
    known.push_back({t.record.name, t.record.description, t.record.parameters, true});
    loaded.push_back(std::move(t));
  }
}

// Compiles or interprets the kernels of a thorn of equations or stencils; parameters are known, and so is the target.
// Bits of the two ways may differ: where one process has no compiler, and no code in its cache, all of them interpret.
void make_kernels(Simulation& s, const LateThorn& thorn, const CompileFor& target, LoadedThorn& loaded) {
  const bool compiled = s.of("Cereus").boolean("compile");
  if (!compiled && !thorn.interpret)
    throw Error(fmt::format("Cereus.compile: the stencil program {} is always compiled; leave it true", thorn.name));
  std::string why = compiled ? "" : "as Cereus.compile says";
  if (compiled) try {
      loaded.plugin = languages().compile(thorn, target);
    } catch (const NoCompiler& e) {
      if (!thorn.interpret) throw;
      why = e.what();
    }
  if (!s.process.any(!why.empty())) {
    if (thorn.schedule)
      loaded.schedule = [schedule = thorn.schedule, target, kernels = loaded.plugin.kernels](
                            Schedule& s, const Parameters&) { schedule(target, kernels, s); };
    return;
  }
  if (target.maps)
    throw Error(
        thorn.where, fmt::format("{} is interpreted ({}), which is for straight grids; shells need compiled code",
                         thorn.name, why.empty() ? "another process has no compiler" : why));
  if (why.empty()) why = "another process has no compiler, or no place for its code";
  s.agreed[thorn.name] = "interpreted";
  console::say(fmt::format("{} is interpreted, on the host, which is slower: {}", thorn.name, why));
  loaded.plugin.entry = nullptr;
  loaded.schedule = [&thorn, target](Schedule& s, const Parameters&) { thorn.interpret(target, s); };
}

std::shared_ptr<Driver> some_driver(const Simulation& s) {  // which has no grid yet
  const auto driver = std::ranges::find(s.offers, std::string(Driver::service_name), &ServiceOffer::service);
  return std::static_pointer_cast<Driver>(driver->make(s.of(driver->thorn)));
}
int dimension_of_grid(const Simulation& s) { return some_driver(s)->dimension(); }

void prepare_loops(const Simulation& s, const std::vector<LoadedThorn>& loaded) {
  std::vector<const Plugin*> active;
  for (const auto& t : loaded) active.push_back(&t.plugin);
  prepare_variants(active, dimension_of_grid(s), s.real == ScalarType::float32);
}

// Thorns that were built from equations: for shells their text is compiled again, by the chain rule.
LateThorns built_from_equations(const Simulation& s, const LateThorns& late) {
  LateThorns all;
  for (const ThornRecord& t : s.thorns)
    if (!t.equations.empty() && std::ranges::find(late, t.name, &LateThorn::name) == late.end())
      all.push_back(languages().equations({t.name}, t.equations));
  return all;
}

void compile_late(Simulation& s, const LateThorns& late, std::vector<LoadedThorn>& loaded) {
  for (const LateThorn& thorn : late) {
    CompileFor target;
    const auto driver = some_driver(s);
    target.dimension = driver->dimension(), target.maps = driver->maps(), target.stretches = driver->stretches_axes();
    target.audits = s.of("Cereus").boolean("audit");
    for (const auto& offer : s.offers)
      if (offer.service == Device::service_name) target.device = offer.kind == "cuda";
    if (!std::ranges::count(thorn.dimensions, target.dimension))
      throw Error(thorn.where, fmt::format("{} is not for grids of {} dimension{}, as this run has", thorn.name,
                                   target.dimension, target.dimension == 1 ? "" : "s"));
    target.real = s.real == ScalarType::float32 ? "float" : "double";
    if (const auto& order = thorn.order_parameter; !order.empty()) target.order = s.of(thorn.name).integer(order);
    for (auto& l : loaded)
      if (l.record.name == thorn.name) make_kernels(s, thorn, target, l);
  }
}

void prepare_kernels(Simulation& s, const LateThorns& late, std::vector<LoadedThorn>& loaded) {
  const bool shells = some_driver(s)->maps();
  if (shells && s.real == ScalarType::float32)
    throw Error(
        s.of("Cereus").where("real"), "Cereus.real: float, but shells around a cube are for double; leave it out");
  compile_late(s, late, loaded);
  if (shells) compile_late(s, built_from_equations(s, late), loaded);
  prepare_loops(s, loaded);
}

std::vector<std::shared_ptr<Item>> schedule_items(
    const Simulation& s, const std::vector<LoadedThorn>& loaded, bool chosen) {
  std::vector<std::shared_ptr<Item>> items;
  for (const auto& t : s.thorns) {
    if (chosen && !schedules(s, t.name)) continue;
    Schedule schedule(t.name, items, &s.parameters);
    for (const auto& l : loaded) {
      if (l.record.name != t.name) continue;
      if (l.schedule) l.schedule(schedule, s.of(t.name));
      else if (l.plugin.entry) l.plugin.entry->schedule(schedule, s.of(t.name));
    }
  }
  std::erase_if(items, [&](const auto& item) {
    const auto& thorn = item->with_thorn;
    return !thorn.empty() && std::ranges::find(s.thorns, thorn, &ThornRecord::name) == s.thorns.end();
  });
  return items;
}
// Before anything depends on it in which processes wait for each other.
void check_same(const Simulation& s) {
  if (!s.process.same(s.resolved_parameters + s.provenance))
    throw Error(
        "the processes of this run have read different parameters, or have different thorns; give all of them "
        "the same file, the same environment and the same installation of Cereus");
}
}  // namespace

Simulation assemble(const RunOptions& options) {
  Problems problems;
  ParameterFile file = parameter_file_from(load_yaml(options.file, problems), problems);
  return assemble(std::move(file), {}, options, std::move(problems));
}

Simulation assemble(ParameterFile file, std::vector<LoadedThorn> given, const RunOptions& options, Problems problems) {
  Simulation s;
  s.process = options.process;
  for (const auto& set : options.sets) apply_set(file, set, problems);
  const Catalog catalog = make_catalog(folders(options, file));
  merge_arrangements(file, options, catalog, problems);
  take_device_of_environment(file);
  const LateThorns late = asks_for_languages(file) ? languages().take(file, problems) : LateThorns{};
  problems.throw_if_any();

  std::vector<ThornParameters> known{{"Cereus", "The flesh", flesh_parameters(), true}};
  std::vector<LoadedThorn> loaded = load_thorns(file, catalog, known, problems);
  add_late(loaded, late, known, problems);
  add_given(loaded, std::move(given), file, known, problems);
  std::vector<std::string> warnings;
  s.parameters = resolve(file, known, problems, warnings);
  problems.throw_if_any();
  for (const LateThorn& thorn : late) warnings.insert(warnings.end(), thorn.warnings.begin(), thorn.warnings.end());
  for (const auto& w : warnings) console::warn(w);

  // Thorns in the order of the file: ties in the schedule are broken by it.
  std::map<std::string, std::string> hashes;
  for (const auto& name : file.thorns)
    for (const auto& t : loaded)
      if (t.record.name == name.name && !hashes.count(name.name)) {
        hashes[name.name] = t.plugin.hash;
        s.thorns.push_back(t.record);
      }
  const Parameters& flesh = s.of("Cereus");
  s.name = std::filesystem::path(options.file).stem().string();
  s.output =
      flesh.string("output").empty() ? std::filesystem::path(s.name) : std::filesystem::path(flesh.string("output"));
  s.real = flesh.string("real") == "float" ? ScalarType::float32 : ScalarType::float64;
  s.audit = flesh.boolean("audit"), s.fuse = flesh.boolean("fuse"), s.overlap = flesh.boolean("overlap");
  if (!late.empty()) s.equations = languages().as_yaml(late);
  note_parameters(s);
  s.provenance = provenance(s, hashes);
  check_same(s);

  collect_groups(s, problems);
  problems.throw_if_any();
  choose_services(s, problems);
  const bool chosen = problems.empty();
  if (chosen) prepare_kernels(s, late, loaded);
  const auto items = schedule_items(s, loaded, chosen);
  resolve_routines(s, items, problems);
  sort_schedule(s, problems);
  problems.throw_if_any();
  build_services(s);
  if (!s.services.find<TimeStep>())
    throw Error("no active thorn offers the service TimeStep, which chooses dt; add Time to thorns:");
  if (flesh.integer("iterations") < 0 && flesh.real("final_time") < 0 && flesh.real("wall_clock") <= 0)
    throw Error(fmt::format(
        "{}: nothing says when the run ends; give Cereus: {{iterations: …}}, {{final_time: …}} or {{wall_clock: …}}",
        options.file));
  plan_fusion(s);
  choose_variants(s, s.services.get<Driver>().dimension(), problems);
  problems.throw_if_any();
  return s;
}

namespace {
// The first line of a thorn's parameters, or of one of them, in the file; nowhere if it is not there.
Where line_of(const Simulation& s, const std::string& thorn, const std::string& parameter = "") {
  Where first;
  const auto found = s.parameters.find(thorn);
  if (found == s.parameters.end()) return first;
  for (const auto& spec : found->second.specs()) {
    const Where& where = found->second.where(spec.name);
    const bool asked = parameter.empty() || spec.name == parameter;
    if (asked && where.line > 0 && (first.line == 0 || where.line < first.line)) first = where;
  }
  return first;
}

// The line for messages about boundary conditions: that of the thorn's parameters or, without any, of `periodic`.
Where place_of_conditions(const Simulation& s) {
  const Where place = line_of(s, s.services.provider<BoundaryConditions>());
  return place.line > 0 ? place : line_of(s, s.services.provider<Driver>(), "periodic");
}

// Checks, before anything is allocated, that each variable that is read next to the outer boundary has a condition.
void check_boundaries(const Simulation& s) {
  bool outer = false;
  for (const auto& l : s.grid.levels) outer = outer || s.grid.outer_faces(l) != 0;
  const auto* conditions = s.services.find<BoundaryConditions>();
  Problems problems;
  const Where place = place_of_conditions(s);
  const Margins margins(s);  // a variable with a margin is computed outside the domain: it needs no condition
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses) {
      const bool near = a.mode == Mode::read && (a.reach > 0 || a.region != Region::interior);
      if (!outer || a.inside || margins.of(a) > 0 || !near || s.groups[a.group].kind != GroupKind::grid_function ||
          s.groups[a.group].evolves >= 0)
        continue;
      const std::string missing = conditions ? conditions->missing(s, a.group, a.component)
                                             : "no active thorn offers BoundaryConditions; add Boundary to thorns:";
      if (!missing.empty())
        problems.add(place, fmt::format("{} is read next to the outer boundary, but {}",
                                s.variable_name(a.group, a.component), missing));
    }
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses) {
      if (!outer || !conditions || !r.is_kernel || a.mode == Mode::read) continue;
      const int group = s.groups[a.group].evolves >= 0 ? s.groups[a.group].evolves : a.group;
      if (s.groups[a.group].centre != centre_of(s, r.accesses) && conditions->constant(s, group, a.component))
        problems.add(
            fmt::format("{} cannot be fixed outside the domain: {} writes it together with variables that have "
                        "vertices where it has "
                        "cells; give it another condition",
                s.variable_name(group, a.component), r.name));
    }
  problems.throw_if_any();
}
// A kernel that reads neighbours without a look at axes takes angles and radii for x, y and z.
bool for_shells(const Routine& r) {
  const auto reads_neighbours = [](const VariableAccess& a) { return a.mode == Mode::read && a.reach > 0; };
  return r.table->loops().host_mapped ||
         (!r.table->only_straight_axes() && std::ranges::none_of(r.accesses, reads_neighbours));
}
// On stretched axes a kernel that computes with one spacing for a whole axis would give wrong answers, and so would one
// for straight axes on shells.
void check_axes(const Simulation& s) {
  Problems problems;
  for (const auto& r : s.routines)
    if (r.is_kernel && s.services.get<Driver>().maps() && !for_shells(r))
      problems.add(
          fmt::format("{} computes with neighbours on a straight grid; shells need a kernel that says "
                      "`static constexpr bool maps = true;` and reads neighbours by derivative<> and its like alone",
              r.item->full_name()));
  for (const auto& r : s.routines)
    if (r.is_kernel && s.grid.levels.front().space.stretched() && r.table->only_uniform_axes())
      problems.add(
          fmt::format("{} computes with one spacing for all points of an axis, and {} stretches axes; take "
                      "uniform ones, or a thorn that asks the point for derivatives",
              r.item->full_name(), s.services.provider<Driver>()));
  problems.throw_if_any();
}
// Points that the run's scalar type cannot tell apart well: their distance has less than two digits.
void check_digits(const Simulation& s, const Process& process) {
  const double digit =
      s.real == ScalarType::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const Patch& space = s.grid.levels[0].space;
  for (int d = 0; d < s.grid.dim; ++d) {
    double far = 0;
    for (const int i : {space.cells.lo[d], space.cells.hi[d]})
      far = std::max(far, std::abs(space.coordinate(d, Centre::vertex, i)));
    if (space.smallest_distance(d) >= 100 * digit * far || process.rank() != 0) continue;
    console::warn(fmt::format(
        "numbers of type {} hold {} up to {:.7g} only to {:.1g}, and points are {:.4g} apart: what depends on the "
        "place is not exact; put the origin nearer{}",
        name_of(s.real), "xyz"[d], far, digit * far, space.smallest_distance(d),
        s.real == ScalarType::float32 ? ", or take Cereus.real=double" : ""));
  }
}

}  // namespace

void make_grid(Simulation& s, const Process& process) {
  auto& driver = s.services.get<Driver>();
  const int width = ghost_width(s);
  s.grid = driver.make_grid(width, process);
  if (auto* tiles = s.services.find<StepTiles>(); tiles && driver.has_ghosts(s.grid))
    if (const int wide = tiles->ghost_width(s); wide > width) s.grid = driver.make_grid(wide, process);
  check_boundaries(s);
  check_axes(s);
  check_digits(s, process);
}

void make_whole_grid(Simulation& s, int processes) {
  make_grid(s, Process::pretend(0, processes));
  Grid whole;
  whole.dim = s.grid.dim, whole.ghosts = s.grid.ghosts;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    std::vector<Block> blocks;
    for (const BlockHome& b : s.services.get<Driver>().all_blocks(s.grid, l))
      blocks.push_back({.number = b.number, .cells = b.cells});
    whole.add(s.grid.levels[l], std::move(blocks));
  }
  s.grid = std::move(whole);
}

std::vector<int> buffers_needed(const Simulation& s) {
  auto n = buffers_of_groups(s, registers_of(s));
  if (auto* tiles = s.services.find<StepTiles>())
    for (std::size_t g = 0; g < n.size(); ++g) n[g] += tiles->extra_buffers(s, static_cast<int>(g));
  return n;
}

std::int64_t memory_needed(const Simulation& s) {
  return Fields::bytes_needed(s.groups, buffers_needed(s), s.grid, s.real);
}

void allocate(Simulation& s) {
  auto* device = s.services.find<Device>();
  // Where a device has the values, the host has pages for what comes back, and no others.
  const bool poison = s.of("Cereus").boolean("poison") && (!device || device->runs_host_code());
  s.fields = Fields(s.groups, buffers_needed(s), s.grid, s.real, poison);
  if (!device) return;
  const std::int64_t needed = memory_needed(s), free = static_cast<std::int64_t>(device->free_memory());
  if (needed > free)
    throw Failure(fmt::format(
        "the device has {} free, and grid functions need {}; take {} processes with a device each, fewer cells, or "
        "Cereus: {{device: none}}",
        format_bytes(static_cast<double>(free)), format_bytes(static_cast<double>(needed)),
        s.process.size() * (needed / std::max<std::int64_t>(1, free) + 1)));
  s.fields.allocate_on_device(
      s.groups, [&](std::size_t bytes, const std::string& group) { return device->allocate(bytes, group); });
  put_axes_on_device(s);
  device->prepare(s);
}

void note_parameters(Simulation& s) {
  std::vector<std::string> order;
  for (const auto& t : s.thorns) order.push_back(t.name);
  s.resolved_parameters = resolved_yaml(s.parameters, order) + s.equations;
}

void check_agreed(Simulation& s) {
  std::string mine, axes;
  if (s.services.find<Device>() || s.two_kinds)
    for (const auto& r : s.routines)
      if (r.is_kernel && r.table->loops().device_pushes != 7)
        axes += fmt::format(" {} {:03b}", r.name, r.table->loops().device_pushes);
  if (!axes.empty()) s.agreed["axes across which kernels fill ghost zones (zyx), where not all"] = axes.substr(1);
  for (const auto& [what, found] : s.agreed) mine += fmt::format("\n  {}: {}", what, found);
  if (!s.process.same(mine))
    throw Failure("the processes of this run have not found the same:" + s.process.broadcast(mine) +
                  "\n  is what process 0 has, and others have not");
}

void close_services(Simulation& s) {
  // Links write into memory of other devices. That memory is freed when all devices are done.
  s.process.agree([&] {
    if (auto* device = s.services.find<Device>()) device->wait();
  });
  if (auto* driver = s.services.find<Driver>()) driver->close();
}

}  // namespace cereus
