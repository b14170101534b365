// Turns declarations into numbered groups and variables, and scheduled items into routines.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cereus/kernel/record.hpp"
#include "cereus/text.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
// Names the variables of a group after the entries of a list, NAME = …; returns those that have names.
std::vector<std::string> name_variables(Group& g, const Parameters& p, Problems& problems) {
  std::vector<std::string> named;
  const Where where = p.where(g.names_parameter);
  const char* const suffix = !g.rhs_of.empty() ? "_rhs" : !g.fluxes_of.empty() ? "_flux" : "";
  for (const auto& entry : p.strings(g.names_parameter)) {
    const std::string name = entry.substr(0, entry.find_first_of(" =")) + suffix;
    if (!is_name(name))
      problems.add(where, fmt::format("{}.{}: '{}' does not begin with the name of a new variable, NAME = …", g.thorn,
                              g.names_parameter, entry));
    else if (std::ranges::count(g.variables, name))
      problems.add(where, fmt::format("{}.{} names '{}' twice", g.thorn, g.names_parameter, name));
    else g.variables.push_back(name), named.push_back(entry);
  }
  return named;
}

void add_group(Simulation& s, Group g, Problems& problems) {
  if (s.group_number(g.full_name()) >= 0)
    problems.add(fmt::format("{} declares the group '{}' twice", g.thorn, g.name));
  g.first_variable = static_cast<int>(s.variables.size());
  if (const int state = s.group_number(g.rhs_of); state >= 0) {
    g.evolves = state;
    s.groups[state].rhs = static_cast<int>(s.groups.size());
  }
  if (const int state = s.group_number(g.fluxes_of); state >= 0)
    s.groups[state].fluxes = static_cast<int>(s.groups.size());
  for (std::size_t c = 0; c < g.variables.size(); ++c) {
    const std::string name = g.thorn + "::" + g.variables[c];
    const int v = s.variable_number(name);
    if (v >= 0 && !g.names_parameter.empty()) {
      if (g.rhs_of.empty() && g.fluxes_of.empty())
        problems.add(s.of(g.thorn).where(g.names_parameter),
            fmt::format("{}.{} names '{}', which {} has already; choose another name", g.thorn, g.names_parameter,
                g.variables[c], g.thorn));
    } else if (v >= 0)
      problems.add(fmt::format("{} declares the variable '{}' twice, in {}", g.thorn, g.variables[c],
          s.variables[v].group == static_cast<int>(s.groups.size())
              ? "the group '" + g.name + "'"
              : "the groups '" + s.groups[s.variables[v].group].name + "' and '" + g.name + "'"));
    s.variables.push_back({name, static_cast<int>(s.groups.size()), static_cast<int>(c)});
  }
  s.groups.push_back(std::move(g));
}

// The variables of a group, where what their entries read lies: a group for each centring.
std::vector<Group> by_centring(const Simulation& s, const Group& g, const std::vector<std::string>& entries) {
  std::vector<Group> groups;
  std::map<std::string, std::array<Centre, 3>> own;
  for (std::size_t v = 0; v < entries.size(); ++v) {
    auto centre = g.centre;
    for (const std::string& read : g.reads(entries[v])) {
      const int number = s.variable_number(read);
      const auto before = own.find(read);
      if (number < 0 && before == own.end()) continue;
      centre = number < 0 ? before->second : s.groups[s.variables[number].group].centre;
      break;
    }
    own[g.thorn + "::" + g.variables[v]] = centre;
    auto to = std::ranges::find(groups, centre, &Group::centre);
    if (to == groups.end()) {
      to = groups.insert(groups.end(), g);
      to->centre = centre, to->variables.clear();
    }
    to->variables.push_back(g.variables[v]);
  }
  for (Group& other : groups)
    if (groups.size() > 1 && other.centre != g.centre) {
      other.name += "_" + name_of(other.centre, 3);
      std::ranges::replace(other.name, ' ', '_');
    }
  return groups;
}
}  // namespace

void collect_groups(Simulation& s, Problems& problems) {
  for (const bool follow : {false, true})
    for (const auto& thorn : s.thorns)
      for (Group g : thorn.groups) {
        if (bool(g.reads) != follow) continue;
        if (!g.shape_parameter.empty()) {
          g.shape.clear();
          for (auto n : s.of(thorn.name).integers(g.shape_parameter)) g.shape.push_back(static_cast<int>(n));
        }
        std::vector<std::string> entries;
        if (!g.names_parameter.empty()) entries = name_variables(g, s.of(thorn.name), problems);
        if (!g.names_parameter.empty() && g.variables.empty()) continue;
        if (!follow) add_group(s, std::move(g), problems);
        else
          for (Group& part : by_centring(s, g, entries)) add_group(s, std::move(part), problems);
      }
}

bool schedules(const Simulation& s, const std::string& thorn) {
  const auto t = std::ranges::find(s.thorns, thorn, &ThornRecord::name);
  return t == s.thorns.end() || t->services.empty() || std::ranges::count(s.offers, thorn, &ServiceOffer::thorn) > 0;
}

ChosenBy chosen_by(const Simulation& s, const Item& item, const std::string& name) {
  const auto parameters = s.parameters.find(item.thorn);
  if (parameters == s.parameters.end()) return {};
  const int v = s.variable_number(name);
  for (const auto& spec : parameters->second.specs()) {
    if (spec.type == ParameterType::string && spec.list && parameters->second.was_set(spec.name))  // in a formula
      for (const auto& text : parameters->second.strings(spec.name))
        if (text.find(name) != std::string::npos)
          return {item.thorn + "." + spec.name + ": '" + text + "'", parameters->second.where(spec.name)};
    if (spec.type != ParameterType::variables || !parameters->second.was_set(spec.name)) continue;
    if (parameters->second[spec.name] == spec.default_value) continue;  // resolved parameters give defaults, too
    for (const auto& pattern : parameters->second.strings(spec.name)) {
      const auto found = s.match(pattern);
      if (pattern == name || std::find(found.begin(), found.end(), v) != found.end())
        return {item.thorn + "." + spec.name + (pattern == name ? "" : ", through " + pattern + ","),
            parameters->second.where(spec.name)};
    }
  }
  return {};
}

namespace {
std::vector<std::string> variable_names(const Simulation& s) {
  std::vector<std::string> names;
  for (const auto& v : s.variables) names.push_back(v.name);
  for (const auto& g : s.groups) names.push_back(g.full_name());
  return names;
}

void no_such_variable(const Simulation& s, const Item& item, const std::string& name, Problems& problems) {
  const auto [parameter, where] = chosen_by(s, item, name);
  const std::string owner = name.substr(0, name.find("::"));
  if (parameter.empty() && !name.starts_with("@") && name.find("::") == std::string::npos) {
    const auto of = s.parameters.find(item.thorn);
    const bool is_parameter =
        of != s.parameters.end() && std::ranges::count(of->second.specs(), name, &ParameterSpec::name) > 0;
    return problems.add(fmt::format("{} reads or writes '{}', which nothing declares{}", item.full_name(), name,
        is_parameter ? fmt::format("; of what the parameter '{0}' names: .reads(p.strings(\"{0}\"))", name)
                     : did_you_mean(item.thorn + "::" + name, variable_names(s))));
  }
  if (parameter.empty() && !name.starts_with("@") && !std::ranges::count(s.thorns, owner, &ThornRecord::name))
    return problems.add(fmt::format("{} needs the thorn {}; add it to thorns:", item.thorn, owner));
  if (!name.starts_with("@")) {
    const std::string who = parameter.empty() ? item.full_name() : parameter;
    return problems.add(where, fmt::format("{} names the variable '{}', which no active thorn declares{}", who, name,
                                   did_you_mean(name, variable_names(s))));
  }
  if (parameter.empty() || name == "@evolved" || name == "@rhs") return;  // a thorn's own tag may be on nothing
  std::vector<std::string> tags{"@evolved", "@rhs"};
  for (const auto& g : s.groups)
    for (const auto& tag : g.tags) tags.push_back("@" + tag);
  problems.add(
      where, fmt::format("{} names '{}', a tag that no group has{}", parameter, name, did_you_mean(name, tags)));
}

// The groups whose struct this is: those of the thorn itself, or else of all.
std::vector<int> groups_of_key(const Simulation& s, const std::string& key, const std::string& thorn) {
  std::vector<int> own, all;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    if (s.groups[g].key != key) continue;
    all.push_back(g);
    if (s.groups[g].thorn == thorn) own.push_back(g);
  }
  return own.empty() ? all : own;
}

// The one group that is meant; −1, and said, if there is none or more than one.
int group_of(const Simulation& s, const Item& item, const Access& a, Problems& problems) {
  const std::string name = name_of_struct(a.key);
  const auto groups = groups_of_key(s, a.key, item.thorn);
  if (groups.size() == 1) return groups.front();
  if (groups.empty()) {
    problems.add(
        fmt::format("{} touches a group that no active thorn declares (its struct is {}); activate the thorn "
                    "that declares it, or declare it with d.group<{}>",
            item.full_name(), name, name));
    return -1;
  }
  std::vector<std::string> list;
  for (int g : groups) list.push_back(s.groups[g].full_name());
  problems.add(fmt::format("{} touches {}, which is the struct of {} groups: {}; say which with .bind<{}>({{\"{}\"}})",
      item.full_name(), name, groups.size(), join(list, ", "), name, list.front()));
  return -1;
}

void resolve_access(const Simulation& s, const Item& item, const Access& a, Routine& r, Problems& problems) {
  const auto add = [&](int group, int component) {
    r.accesses.push_back({group, component, a.timelevel, a.mode, a.region, a.reach, a.corners});
  };
  if (a.variables.empty() && !a.key.empty()) {
    const int g = group_of(s, item, a, problems);
    if (g < 0) return;
    const auto n = static_cast<int>(s.groups[g].variables.size());
    if (a.components && a.components != n) {
      problems.add(fmt::format("{}: the struct of group {} has {} grid functions, but {} variables are declared",
          item.full_name(), s.groups[g].full_name(), a.components, n));
      return;
    }
    for (int c = 0; c < n; ++c) add(g, c);
    return;
  }
  for (const auto& name : a.variables) {
    const auto found =
        s.match(name.find("::") == std::string::npos && !name.starts_with("@") ? item.thorn + "::" + name : name);
    if (found.empty()) no_such_variable(s, item, name, problems);
    for (int v : found) add(s.variables[v].group, s.variables[v].component);
  }
}

bool find_scalar(
    const Simulation& s, const Item& item, const std::string& name, int& group, int& component, Problems& problems) {
  if (name.empty()) return false;
  const int v = s.variable_number(name.find("::") == std::string::npos ? item.thorn + "::" + name : name);
  if (v < 0 || s.groups[s.variables[v].group].kind != GroupKind::scalar) {
    problems.add(fmt::format("{} names '{}', which is no grid scalar", item.full_name(), name));
    return false;
  }
  group = s.variables[v].group, component = s.variables[v].component;
  return true;
}
}  // namespace

void resolve_routines(Simulation& s, const std::vector<std::shared_ptr<Item>>& items, Problems& problems) {
  for (const auto& item : items) {
    Routine r;
    r.item = item;
    r.name = item->full_name();
    r.id = static_cast<int>(s.routines.size());
    r.is_kernel = !item->variants.empty();
    for (const auto& a : item->accesses) resolve_access(s, *item, a, r, problems);
    if (r.is_kernel)
      for (const auto& a : r.accesses)
        if (s.groups[a.group].kind != GroupKind::grid_function)
          problems.add(fmt::format("{}: a kernel touches grid functions only, and {} is none", item->full_name(),
              s.variable_name(a.group, a.component)));
    if (item->on_demand && item->where.find("::") != std::string::npos)
      problems.add(fmt::format(
          "{} runs on demand in the schedule group '{}'; only what lies in a bin itself can: schedule it with .at()",
          item->full_name(), item->where));
    if (item->parts && std::ranges::any_of(item->accesses, [](const Access& a) {
          return a.mode != Mode::write && (a.mode != Mode::read || a.region != Region::interior || a.reach > 0);
        }))
      problems.add(fmt::format(
          "{} looks at parts only, .only(), so it can only read interiors, and not at an offset", item->full_name()));
    find_scalar(s, *item, item->result_scalar, r.result_group, r.result_component, problems);
    for (const auto& name : item->set_scalars) {
      VariableAccess& a = r.scalars.emplace_back();
      find_scalar(s, *item, name, a.group, a.component, problems);
    }
    s.routines.push_back(std::move(r));
  }
}

namespace {
// The type of a handle says how far its group may be read; what is exchanged is what each variable is read at. An
// output that a kernel leaves out at some points would be what a register happened to hold.
void record_reach(const Simulation& s, Routine& r, Problems& problems) {
  if (const auto& groups = r.item->inside)
    for (auto& a : r.accesses)
      a.inside = groups->empty() || std::ranges::count(*groups, s.groups[a.group].full_name()) > 0;
  if (static_cast<int>(r.accesses.size()) != r.table->handles || !r.table->loops().record) return;
  std::vector<Recording> seen(r.accesses.size());
  const auto* driver = s.services.find<Driver>();
  const bool maps = driver && driver->maps() && r.table->loops().record_mapped;
  (maps ? r.table->loops().record_mapped : r.table->loops().record)(r.table->kernel.get(), seen.data());
  for (std::size_t h = 0; h < seen.size(); ++h) {
    auto& a = r.accesses[h];
    if (a.mode == Mode::write && !seen[h].written)
      problems.add(
          fmt::format("{} does not write {} at each point; write it in every branch, or declare what may stay "
                      "as it is with Modify<> instead of Write<>",
              r.name, s.variable_name(a.group, a.component)));
    if (maps && a.mode == Mode::read && a.reach > 0) a.corners = true;  // derivatives across two coordinates of a shell
    if (a.mode != Mode::read || seen[h].gathered || r.item->all_neighbours || !r.scalars.empty()) continue;
    a.reach = seen[h].reach;
    a.corners = seen[h].corners || (maps && a.reach > 0);
  }
}
}  // namespace

void set_members(const Simulation& s, const Routine& r) {
  if (!r.item->set) return;
  std::vector<double> values;  // zeros as long as there are no grid scalars yet
  for (const auto& a : r.scalars) {
    values.push_back(0);
    if (static_cast<int>(s.groups.size()) == s.fields.groups())
      visit_scalar(s.type(a.group), [&]<class T>(T) {
        const T* now = reinterpret_cast<const T*>(s.fields.plain(a.group, a.component, 0));
        if constexpr (requires { now->re; }) values.back() = static_cast<double>(now->re);
        else values.back() = static_cast<double>(*now);
      });
  }
  r.item->set(r.item->variants, s.of(r.item->thorn), values);
}

namespace {
// Whether each handle is of the type of its variable.
bool fits(const Simulation& s, const Routine& r, const KernelTable& t) {
  std::size_t h = 0;
  for (const auto& a : t.accesses)
    for (int c = 0; c < a.components; ++c, ++h)
      if (h >= r.accesses.size() || s.type(r.accesses[h].group) != a.type) return false;
  return true;
}
}  // namespace

namespace {
void check_centring(const Simulation& s, const Routine& r, int dim, Problems& problems) {
  const auto centre = [&](const VariableAccess& a) -> const auto& { return s.groups[a.group].centre; };
  const auto name = [&](const VariableAccess& a) { return s.variable_name(a.group, a.component); };
  const auto place = [&](const VariableAccess& a) {
    return a.mode == Mode::read ? 1 : 0;  // what is written is named first
  };
  const VariableAccess& first = *std::ranges::min_element(r.accesses, {}, place);
  for (const VariableAccess& a : r.accesses) {
    if (std::equal(centre(a).begin(), centre(a).begin() + dim, centre(first).begin())) continue;
    const auto [parameter, where] = chosen_by(s, *r.item, name(a));
    return problems.add(where,
        fmt::format("{}: {} lies {}, and {} {}; one formula takes its variables at one place, so their centring must "
                    "be the same",
            parameter.empty() ? r.item->full_name() : parameter, name(first), name_of(centre(first), dim), name(a),
            name_of(centre(a), dim)));
  }
}
}  // namespace

void choose_variants(Simulation& s, int dim, Problems& problems) {
  for (auto& r : s.routines) {
    if (!r.is_kernel || r.accesses.empty()) continue;
    if (r.item->one_centring) check_centring(s, r, dim, problems);
    auto output =
        std::find_if(r.accesses.begin(), r.accesses.end(), [](const auto& a) { return a.mode != Mode::read; });
    const ScalarType type = s.type((output == r.accesses.end() ? r.accesses.front() : *output).group);
    for (const auto& t : r.item->variants)
      if (t.dim == dim && t.type == type) r.table = &t;
    for (const auto& t : r.item->variants)  // a kernel in the run's type may write integers
      if (!r.table && t.dim == dim && t.type == s.real && fits(s, r, t)) r.table = &t;
    if (!r.table) {
      std::set<std::string> compiled;
      for (const auto& v : r.item->variants) compiled.insert(fmt::format("{}D {}", v.dim, name_of(v.type)));
      problems.add(fmt::format("{} is not compiled for {}D {}, which this run takes, but for {}", r.item->thorn, dim,
          name_of(type), fmt::join(compiled, ", ")));
      continue;
    }
    std::size_t h = 0;
    for (const auto& a : r.table->accesses)
      for (int c = 0; c < a.components && h < r.accesses.size(); ++c, ++h)
        if (s.type(r.accesses[h].group) != a.type)
          problems.add(fmt::format("{}: {} is {}, but the kernel's handle is {}", r.item->full_name(),
              s.variable_name(r.accesses[h].group, r.accesses[h].component), name_of(s.type(r.accesses[h].group)),
              name_of(a.type)));
    if (static_cast<int>(r.accesses.size()) != r.table->handles)
      problems.add(fmt::format(
          "{}: {} variables are bound to {} handles", r.item->full_name(), r.accesses.size(), r.table->handles));
    if (r.result_group >= 0 && !r.table->number)
      problems.add(
          fmt::format("{} puts into {} what is no number; a kernel that returns Max, Min, Sum or Count may say .into()",
              r.item->full_name(), s.variable_name(r.result_group, r.result_component)));
    set_members(s, r);
    record_reach(s, r, problems);
  }
  find_margins(s, problems);
}

int ghost_width(const Simulation& s) {
  int width = 0;
  const Margins margins(s);
  for (const auto& r : s.routines) {
    for (const auto& a : r.item->accesses)  // as declared
      if (a.mode == Mode::read) width = std::max(width, a.reach);
    for (const auto& a : r.accesses)
      if (a.mode == Mode::read && a.region == Region::interior) width = std::max(width, a.reach + margins.of(a));
  }
  return width;
}

std::vector<bool> never_run(const Simulation& s) {
  std::vector<bool> never(s.routines.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& r : s.routines) {
      if (!r.item->on_demand || never[r.id]) continue;
      const auto writes = [&](const VariableAccess& read) {
        return (read.group == r.result_group && read.component == r.result_component) ||
               std::any_of(r.accesses.begin(), r.accesses.end(), [&](const auto& w) {
                 return w.mode != Mode::read && w.group == read.group && w.component == read.component;
               });
      };
      const bool wanted = std::any_of(s.routines.begin(), s.routines.end(), [&](const Routine& other) {
        return other.id != r.id && !never[other.id] &&
               (std::ranges::any_of(other.scalars, writes) ||
                   std::any_of(other.accesses.begin(), other.accesses.end(),
                       [&](const auto& a) { return (a.mode == Mode::read || a.mode == Mode::update) && writes(a); }));
      });
      if (!wanted) never[r.id] = changed = true;
    }
  }
  return never;
}

int registers_of(const Simulation& s) {
  const auto* integrator = s.services.find<TimeIntegrator>();
  const auto* driver = s.services.find<Driver>();
  return integrator ? integrator->registers(driver && driver->subcycles()) : 0;
}

std::vector<int> buffers_of_groups(const Simulation& s, int registers) {
  std::vector<int> n(s.groups.size(), 0);
  const auto never = never_run(s);
  for (const auto& r : s.routines) {
    if (never[r.id]) continue;
    for (const auto& a : r.accesses) n[a.group] = std::max(n[a.group], s.groups[a.group].timelevels);
    if (r.result_group >= 0) n[r.result_group] = std::max(n[r.result_group], 1);
    for (const auto& a : r.scalars) n[a.group] = std::max(n[a.group], 1);
  }
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    if (s.groups[g].kind != GroupKind::grid_function) n[g] = std::max(n[g], s.groups[g].timelevels);
  for (const auto& g : s.groups)
    if (g.evolves >= 0 && n[g.evolves]) n[g.evolves] += registers;
  for (const auto& r : s.routines)
    for (int g : r.fused) n[g] = r.unfused_strip.layers > 0 ? 1 : 0;  // never leaves the registers
  return n;
}
}  // namespace cereus
