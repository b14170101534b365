// Grid functions from formulas in the parameter file: initial data, and quantities for analysis.
#include <cereus/domain_checks.hpp>
#include <cereus/formula.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>

#include "kernels.hpp"

namespace Expressions {
// What an entry of `analysis` reads; mistakes are told when it is scheduled.
std::vector<std::string> variables_of(const std::string& entry) try {
  auto names = parse_formula(entry.substr(std::min(entry.find('=') + 1, entry.size())), true).names;
  for (std::string& n : names)
    if (n.find("::") == std::string::npos) n = "Expressions::" + n;
  return names;
} catch (const Error&) { return {}; }

void declare(Declaration& d) {
  d.describe("Formulas in the parameter file that set grid functions: initial data, and quantities for analysis");
  d.parameter("initial", std::vector<std::string>{}, any(),
      "Initial data, Thorn::name = formula; set one after another, after all that thorns set themselves");
  d.parameter("outside", false, any(),
      "Initial data of the place alone are set outside the domain as well, for fixed boundaries; no axis may be "
      "periodic then");
  d.parameter("analysis", std::vector<std::string>{}, any(),
      "New variables Expressions::name, name = formula, computed whenever something due reads them");
  d.group("results", {}, "What `analysis` defines").names_from("analysis", variables_of).not_checkpointed();
}

struct Assignment {  // target = formula
  std::string text, target;
  std::vector<std::string> inputs;  // other variables, as many as a kernel has
  bool changes = false;             // reads its target
  Steps program{};
};

// Of x, y, z and t which, −1: none.
int place_of(const std::string& name) {
  const auto n = std::string("xyzt").find(name);
  return name.size() == 1 && n != std::string::npos ? static_cast<int>(n) : -1;
}

// `known`: what a name without :: may be.
Assignment read(const std::string& text, const std::string& thorn, const std::vector<std::string>& known) {
  Assignment a;
  a.text = text;
  const auto equals = text.find('=');
  a.target = text.substr(0, equals);
  while (!a.target.empty() && a.target.back() == ' ') a.target.pop_back();
  if (equals == std::string::npos || a.target.empty()) throw Error("it is not of the form NAME = formula");
  if (place_of(a.target) >= 0) throw Error("'" + a.target + "' is the place or the time; choose another name");
  if (a.target.find("::") == std::string::npos) a.target = thorn + "::" + a.target;
  const std::string blank(equals + 1, ' ');  // so that columns are those of the whole text
  const Formula f = parse_formula(blank + text.substr(equals + 1), true);
  std::vector<int> value;  // of each name
  for (std::size_t n = 0; n < f.names.size(); ++n) {
    const std::string& name = f.names[n];
    const std::string full = name.find("::") == std::string::npos ? thorn + "::" + name : name;
    if (const int place = place_of(name); place >= 0) {
      value.push_back(place);
    } else if (full == a.target) {
      a.changes = true, value.push_back(places);
    } else if (full == name || std::ranges::count(known, name)) {
      a.inputs.push_back(full), value.push_back(places + static_cast<int>(a.inputs.size()));
    } else {
      const auto first = std::ranges::find_if(
          f.steps, [&](const auto& s) { return s.operation == Operation::name && s.name == static_cast<int>(n); });
      auto words = known;
      words.insert(words.end(), {"pi", "e"});
      const std::string hint = did_you_mean(name, words);
      throw Error("column " + std::to_string(first->column) + ": unknown name '" + name + "'" +
                  (hint.empty() ? ";" : hint) + " there are x y z t, Thorn::name, and what `analysis` names before");
    }
  }
  a.program = steps_of(f, value);
  const std::size_t used = a.inputs.size(), room = used > 2 ? 4 : used;
  if (used > 4) throw Error("it reads more than four other variables; define a part of it before");
  while (a.inputs.size() < room) a.inputs.push_back(a.inputs.front());
  return a;
}

// One after another: what comes later may read what came before.
struct Place {
  Bin bin;
  std::string name, after;
};
template <class Item> void schedule_as(Item item, const Assignment& a, const Place& place) {
  item.template bind<Target>({a.target});
  item.set([program = a.program](auto& kernel, const Parameters&) { kernel.program = program; });
  item.at(place.bin), item.one_centring();
  if (!place.after.empty()) item.after(place.after);
  if (place.bin.name == bin::analysis.name) item.on_demand();
}
template <template <int, int, class> class K>
void schedule_kernel(Schedule& s, const Assignment& a, const Place& place) {
  const auto with = [&]<int n>() {
    if (a.inputs.size() != n) return;
    auto item = s.kernel<cereus::detail::With<K, n>::template type>(place.name, a.text);
    if constexpr (n > 0) item.template bind<Several<n>::template Group>(a.inputs);
    schedule_as(item, a, place);
  };
  [&]<int... n>(choices<n...>) { (with.template operator()<n>(), ...); }
  (Inputs{});
}

void schedule_all(Schedule& s, const Parameters& par, const std::string& key, Bin bin, std::vector<std::string>& known,
    std::vector<std::string>& mistakes) {
  const bool initial = key == "initial";
  std::string before;
  int number = 0;
  for (const auto& text : par.strings(key)) try {
      const Assignment a = read(text, par.thorn(), known);
      if (initial && a.target.starts_with(par.thorn() + "::"))
        throw Error("initial data are those of another thorn's variable, Thorn::name = formula");
      if (!initial && a.changes) throw Error("it needs its own value");
      const Place place{bin, key + std::to_string(number++), before};
      if (a.changes) schedule_kernel<Change>(s, a, place);
      else if (initial && par.boolean("outside") && a.inputs.empty())
        schedule_as(s.kernel<SetEverywhere>(place.name, a.text), a, place);
      else schedule_kernel<Set>(s, a, place);
      before = par.thorn() + "::" + place.name;
      if (!initial) known.push_back(a.target.substr(par.thorn().size() + 2));
    } catch (const Error& e) {
      const std::string where = to_string(par.where(key));
      mistakes.push_back(where + (where.empty() ? "" : ": ") + "Expressions." + key + ": '" + text + "': " + e.what());
    }
}

// The routine that computes a variable whenever something reads it; null if there is none.
const Routine* computes(const Simulation& run, const std::string& variable) {
  const int v = run.variable_number(variable);
  if (v < 0) return nullptr;
  const auto writes = [&](const VariableAccess& a) {
    return a.mode != Mode::read && a.group == run.variables[v].group && a.component == run.variables[v].component;
  };
  const auto it = std::ranges::find_if(
      run.routines, [&](const Routine& r) { return r.item->on_demand && std::ranges::any_of(r.accesses, writes); });
  return it == run.routines.end() ? nullptr : &*it;
}

void check(Context& c) {
  const Parameters& par = c.parameters();
  warn_of_axes(c, "initial"), warn_of_axes(c, "analysis");
  for (const std::string& text : par.strings("initial")) {
    const std::string target = text.substr(0, std::min(text.find_first_of(" ="), text.size()));
    if (const Routine* by = computes(c.simulation(), target))
      throw Error(par.where("initial"), "Expressions.initial: '" + text + "': " + by->name + " computes " + target +
                                            " whenever something reads it; it has no initial data");
  }
  if (!par.boolean("outside")) return;
  for (int d = 0; d < c.grid().dim; ++d)
    if (c.grid().levels[0].space.periodic[d])
      throw Error(par.where("outside"), std::string("Expressions.outside: the ") + "xyz"[d] +
                                            " axis is periodic: what lies outside repeats what lies inside");
}

void schedule(Schedule& s, const Parameters& par) {
  std::vector<std::string> known, mistakes;
  schedule_all(s, par, "initial", bin::postinitial, known, mistakes);
  schedule_all(s, par, "analysis", bin::analysis, known, mistakes);
  if (!mistakes.empty()) throw Error(join(mistakes, "\n"));
  s.routine("check", "Refuses initial data that are computed or lie outside, warns of axes that the grid lacks", check)
      .at(bin::paramcheck)
      .once();
}
}  // namespace Expressions
CEREUS_THORN(Expressions, Expressions::declare, Expressions::schedule)
