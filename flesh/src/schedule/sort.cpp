// The schedule as a graph: explicit before/after edges, then those that data flow implies (who writes comes before who
// reads). Whatever is left undecided between two that touch the same data is an error, not a coin toss.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <ranges>
#include <set>

#include "cereus/text.hpp"
#include "schedule/build.hpp"
#include "schedule/routine_timer.hpp"

namespace cereus {
namespace {
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

struct Touch {  // how a child (a routine, or a group with all that is in it) touches a variable
  bool reads = false, writes = false, adds = false;
  bool wrote_interior = false;
};
struct Child {
  Node node;
  const Item* item;
  std::map<std::pair<int, int>, Touch> touches;  // (group, component); timelevel 0 only
};

class Container {  // a bin or schedule group while it is being sorted
 public:
  Container(const Simulation& s, std::string name, std::vector<Child> children, Problems& problems)
      : s_(s),
        name_(std::move(name)),
        children_(std::move(children)),
        problems_(problems),
        graph_(children_.size()),
        reach_(children_.size(), std::vector<bool>(children_.size())) {}

  void explicit_edge(int from, int to, const std::string& why) { add(from, to, why); }

  void data_flow() {
    const int n = static_cast<int>(children_.size());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        if (a == b) continue;
        for (const auto& [variable, x] : children_[a].touches) {
          const auto y = children_[b].touches.find(variable);
          if (y != children_[b].touches.end()) imply(a, b, variable, x, y->second);
        }
      }
  }

  // Sorted children; ties are broken by the order of declaration, so that the order is always the same.
  std::vector<Child> sorted(std::vector<std::string>& why) {
    report_cycles();
    if (failed_) return {};
    std::vector<Child> result;
    std::vector<bool> done(children_.size());
    while (result.size() < children_.size())
      for (std::size_t c = 0; c < children_.size(); ++c) {
        bool ready = !done[c];
        for (std::size_t p = 0; p < children_.size() && ready; ++p)
          ready = done[p] || !boost::edge(p, c, graph_).second;
        if (!ready) continue;
        done[c] = true;
        result.push_back(std::move(children_[c]));
        break;
      }
    why = why_;
    return result;
  }
  void check_writers() {
    for (std::size_t a = 0; a < children_.size(); ++a)
      for (std::size_t b = a + 1; b < children_.size(); ++b)
        for (const auto& [variable, x] : children_[a].touches) {
          const auto y = children_[b].touches.find(variable);
          if (y == children_[b].touches.end() || !x.writes || !y->second.writes || x.adds || y->second.adds) continue;
          if (reach_[a][b] || reach_[b][a]) continue;
          failed_ = true;
          problems_.add(fmt::format(
              "{} and {} both write {} in '{}', in no order; {}say .before(\"{}\") or .after(\"{}\") in one "
              "of them",
              name(a), name(b), variable_name(variable), name_,
              children_[a].item->thorn == children_[b].item->thorn ? "" : "take one of the two thorns alone, or ",
              name(b), name(b)));
          return;
        }
  }

 private:
  void imply(int a, int b, std::pair<int, int> variable, const Touch& x, const Touch& y) {
    if (reach_[a][b] || reach_[b][a]) return;
    const bool pure_write = x.writes && !x.reads, first = pure_write || (x.adds && !y.adds);
    if (first && y.reads && !(y.writes && !y.reads))
      add(a, b,
          fmt::format("{} before {}: {} writes {}, which {} uses", name(a), name(b), name(a), variable_name(variable),
              name(b)));
    else if (x.writes && y.reads && !y.writes)
      add(a, b,
          fmt::format("{} before {}: {} changes {}, which {} reads", name(a), name(b), name(a), variable_name(variable),
              name(b)));
    else if (x.writes && !x.adds && y.adds)
      add(a, b,
          fmt::format("{} before {}: {} writes {}, to which {} adds", name(a), name(b), name(a),
              variable_name(variable), name(b)));
    else if (x.adds && y.adds && name(a) < name(b))
      add(a, b,
          fmt::format(
              "{} before {}: both add to {}, in the order of their names", name(a), name(b), variable_name(variable)));
    else if (x.writes && y.writes && !x.reads && !y.reads && x.wrote_interior && !y.wrote_interior)
      add(a, b,
          fmt::format("{} before {}: writing the interior of {} makes its boundary stale", name(a), name(b),
              variable_name(variable)));
  }
  void add(int from, int to, const std::string& why) {
    boost::add_edge(from, to, graph_);
    why_.push_back(why);
    const int n = static_cast<int>(children_.size());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if ((a == from || reach_[a][from]) && (b == to || reach_[to][b])) reach_[a][b] = true;
  }
  void report_cycles() {
    std::vector<int> component(children_.size());
    if (children_.empty()) return;
    const int n = boost::strong_components(graph_, component.data());
    for (int c = 0; c < n; ++c) {
      std::vector<std::string> members;
      for (std::size_t i = 0; i < children_.size(); ++i)
        if (component[i] == c) members.push_back(name(i));
      if (members.size() < 2) continue;
      failed_ = true;
      problems_.add(
          fmt::format("the schedule of '{}' has a cycle: {} must each run before the next; drop one of their "
                      ".before/.after",
              name_, join(members, ", ")));
    }
  }
  std::string name(std::size_t c) const { return children_[c].item->full_name(); }
  std::string variable_name(std::pair<int, int> v) const { return s_.variable_name(v.first, v.second); }

  const Simulation& s_;
  std::string name_;
  std::vector<Child> children_;
  Problems& problems_;
  Graph graph_;
  std::vector<std::vector<bool>> reach_;  // transitive closure, kept up to date: few children, many questions
  std::vector<std::string> why_;
  bool failed_ = false;
};

class Builder {
 public:
  Builder(Simulation& s, Problems& p) : s_(s), problems_(p) {
    for (const auto& r : s_.routines) by_name_[r.item->full_name()] = &r;
  }

  Node build(const std::string& place, int timer_parent, std::map<std::pair<int, int>, Touch>* touches) {
    Node node;
    node.name = place;
    node.timer = s_.timers.add(place, timer_parent);
    if (!open_.insert(place).second) {
      problems_.add(fmt::format("the schedule group '{}' lies inside itself", place));
      return node;
    }
    std::vector<Child> children;
    for (const auto& r : s_.routines)
      if (r.item->where == place) children.push_back(child(r, node.timer));
    open_.erase(place);
    if (touches)
      for (const auto& c : children)
        for (const auto& [v, t] : c.touches) merge((*touches)[v], t);
    std::vector<const Item*> items;
    for (const auto& c : children) items.push_back(c.item);
    Container container(s_, place, std::move(children), problems_);
    for (std::size_t c = 0; c < items.size(); ++c) {
      for (const auto& other : items[c]->before) link(container, items, c, other, place, true);
      for (const auto& other : items[c]->after) link(container, items, c, other, place, false);
    }
    container.data_flow();
    container.check_writers();
    for (auto& c : container.sorted(node.why_sorted)) node.children.push_back(std::move(c.node));
    return node;
  }
  void check_places() {
    std::vector<std::string> places;
    for (const Bin& b : bin::in_order) places.push_back(b.name);
    for (const auto& r : s_.routines)
      if (r.item->is_group) places.push_back(r.item->full_name());
    for (const auto& r : s_.routines)
      if (std::find(places.begin(), places.end(), r.item->where) == places.end())
        problems_.add(
            r.item->where.empty()
                ? fmt::format("{} is scheduled nowhere; say .at(bin::…) or .in(group)", r.item->full_name())
                : fmt::format("{} is scheduled in '{}', which is no bin and no schedule group of an active thorn{}{}",
                      r.item->full_name(), r.item->where, did_you_mean(r.item->where, places), lacks(r.item->where)));
  }

 private:
  // Why the thorn of a schedule group that is not there has none.
  std::string lacks(const std::string& group) const {
    if (group.find("::") == std::string::npos) return "";
    const std::string thorn = group.substr(0, group.find("::"));
    if (std::ranges::none_of(s_.thorns, [&](const auto& t) { return t.name == thorn; }))
      return fmt::format("; add {} to thorns:", thorn);
    return schedules(s_, thorn) ? "" : fmt::format("; {} runs nothing, since Cereus.services chose others", thorn);
  }
  static void merge(Touch& a, const Touch& b) {
    a.reads |= b.reads, a.writes |= b.writes, a.adds |= b.adds, a.wrote_interior |= b.wrote_interior;
  }
  Child child(const Routine& r, int timer_parent) {
    Child c;
    c.item = r.item.get();
    if (r.item->is_group) c.node = build(r.item->full_name(), timer_parent, &c.touches);
    else {
      c.node.name = r.item->full_name();
      c.node.timer = add_routine_timer(s_.timers, c.node.name, timer_parent);
      c.node.routine = r.id;
      for (const auto& a : r.accesses) {
        if (a.timelevel) continue;
        auto& t = c.touches[{a.group, a.component}];
        t.reads |= a.mode == Mode::read || a.mode == Mode::update;
        t.writes |= a.mode != Mode::read;
        t.adds |= a.mode == Mode::add;
        t.wrote_interior |= a.mode != Mode::read && a.region != Region::boundary;
      }
      if (r.result_group >= 0) c.touches[{r.result_group, r.result_component}].writes = true;
      for (const auto& a : r.scalars) c.touches[{a.group, a.component}].reads = true;
    }
    scalar(r, r.item->while_scalar, c.node.while_group, c.node.while_component);
    scalar(r, r.item->if_scalar, c.node.if_group, c.node.if_component);
    if (c.node.while_group >= 0) c.touches[{c.node.while_group, c.node.while_component}].reads = true;
    if (c.node.if_group >= 0) c.touches[{c.node.if_group, c.node.if_component}].reads = true;
    return c;
  }
  void scalar(const Routine& r, const std::string& name, int& group, int& component) {
    if (name.empty()) return;
    const int v = s_.variable_number(name.find("::") == std::string::npos ? r.item->thorn + "::" + name : name);
    if (v < 0 || s_.groups[s_.variables[v].group].kind != GroupKind::scalar ||
        s_.type(s_.variables[v].group) != ScalarType::int32)
      problems_.add(fmt::format("{} runs while or if '{}', which is no int32 grid scalar", r.item->full_name(), name));
    else group = s_.variables[v].group, component = s_.variables[v].component;
  }
  void link(Container& container, const std::vector<const Item*>& items, std::size_t c, const std::string& other,
      const std::string& place, bool before) {
    const std::string full = other.find("::") == std::string::npos ? items[c]->thorn + "::" + other : other;
    for (std::size_t o = 0; o < items.size(); ++o)
      if (items[o]->full_name() == full) {
        const std::string why =
            before ? fmt::format("{} before {}: said so", items[c]->full_name(), full)
                   : fmt::format("{} before {}: {} says after", full, items[c]->full_name(), items[c]->full_name());
        const int me = static_cast<int>(c), it = static_cast<int>(o);
        return before ? container.explicit_edge(me, it, why) : container.explicit_edge(it, me, why);
      }
    std::vector<std::string> here, all;
    for (const auto* i : items) here.push_back(i->full_name());
    for (const auto& [name, r] : by_name_) all.push_back(name);
    if (by_name_.count(full))
      problems_.add(fmt::format("{} is to run {} {}, but that is scheduled in '{}', not in '{}'", items[c]->full_name(),
          before ? "before" : "after", full, by_name_[full]->item->where, place));
    else
      problems_.add(fmt::format("{} is to run {} '{}', which no active thorn schedules{}", items[c]->full_name(),
          before ? "before" : "after", full, did_you_mean(full, all)));
  }

  Simulation& s_;
  Problems& problems_;
  std::map<std::string, const Routine*> by_name_;
  std::set<std::string> open_;
};

using Written = std::set<std::pair<int, int>>;

void add_written(const Routine& r, Written& written) {
  for (const auto& a : r.accesses)
    if (a.mode == Mode::write || a.mode == Mode::add) written.insert({a.group, a.component});
  if (r.result_group >= 0) written.insert({r.result_group, r.result_component});
}

Written written_by_any(const Simulation& s) {
  Written written;
  for (const auto& r : s.routines) add_written(r, written);
  return written;
}

// What a thorn reads by a tag of its own choice, it reads as far as anything writes it.
void drop_what_nothing_writes(Simulation& s) {
  const Written written = written_by_any(s);
  for (Routine& r : s.routines) {
    std::set<int> named;  // without a tag
    for (const auto& access : r.item->accesses)
      for (const auto& name : access.variables)
        if (!name.starts_with("@"))
          for (const int variable : s.match(name)) named.insert(variable);
    for (const auto& access : r.item->accesses)
      for (const auto& name : access.variables) {
        if (!name.starts_with("@") || name == "@evolved" || name == "@rhs") continue;
        const auto tagged = s.match(name);
        std::erase_if(r.accesses, [&](const auto& a) {
          return a.mode == Mode::read && s.groups[a.group].kind == GroupKind::grid_function &&
                 !written.count({a.group, a.component}) &&
                 std::ranges::count(tagged, s.groups[a.group].first_variable + a.component) > 0 &&
                 !named.count(s.groups[a.group].first_variable + a.component) &&
                 chosen_by(s, *r.item, s.variable_name(a.group, a.component)).parameter.empty();
        });
      }
  }
}

// A variable that is written, and whose name goes on where this one ends.
std::string longer(const Simulation& s, const std::string& name, const Written& written) {
  for (const auto& [group, component] : written)
    if (const std::string& other = s.variable_name(group, component); other.starts_with(name + "_"))
      return " (" + other + " is written)";
  return "";
}

// What a routine reads of grid functions that is not written; `why` and `mend` say what that means.
void check_reads(const Simulation& s, const Routine& r, const Written& written, const char* why, const char* mend,
    Problems& problems) {
  std::vector<std::string> names;  // that the routine itself asks for
  for (const auto& a : r.accesses) {
    if (a.mode != Mode::read || s.groups[a.group].kind != GroupKind::grid_function ||
        written.count({a.group, a.component}))
      continue;
    const auto& name = s.variable_name(a.group, a.component);
    const auto [parameter, where] = chosen_by(s, *r.item, name);
    if (parameter.empty()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    } else
      problems.add(where, fmt::format("{} names {}, which {}{}; {}, or take it off the list", parameter, name, why,
                              longer(s, name, written), mend));
  }
  if (!names.empty())
    problems.add(
        fmt::format("{} reads {}, which {}; {}, or drop the read", r.item->full_name(), join(names, ", "), why, mend));
}

// Reading what nobody ever writes is a mistake that poison would only show at run time.
void check_written(const Simulation& s, Problems& problems) {
  const Written written = written_by_any(s);
  for (const auto& r : s.routines)
    check_reads(s, r, written, "no active thorn writes", "activate a thorn that sets it", problems);
}

// The routines below a node; of those that may not run only if `all`.
void collect(const Simulation& s, const Node& node, bool all, std::vector<const Routine*>& list) {
  if (!all && (node.if_group >= 0 || node.while_group >= 0)) return;
  if (node.routine >= 0 && (all || !s.routines[node.routine].item->every.nowhere()))
    list.push_back(&s.routines[node.routine]);
  for (const auto& child : node.children) collect(s, child, all, list);
}

bool writes_any(const Routine& r, const Written& variables) {
  return std::ranges::any_of(r.accesses, [&](const auto& a) {
    return a.mode != Mode::read && variables.count({a.group, a.component});
  });
}

// Those of a list, in the order in which they run, that run at all: on demand only where a later one asks, hence
// backwards.
std::set<const Routine*> asked_for(const std::vector<const Routine*>& list) {
  std::set<const Routine*> run;
  Written asked;
  for (const Routine* r : std::views::reverse(list)) {
    if (r->item->on_demand && !writes_any(*r, asked)) continue;
    run.insert(r);
    for (const auto& a : r->accesses)
      if (a.mode == Mode::read) asked.insert({a.group, a.component});
  }
  return run;
}

// Before the first step, everything from initial data to output runs once: what is written only by steps, such as
// right-hand sides, cannot be read there.
void check_first_pass(const Simulation& s, Problems& problems) {
  std::vector<const Routine*> all;
  auto bins = bin::in_order | std::views::filter(&Bin::before_first_step);
  for (const Bin& b : bins) collect(s, s.bins.at(b.name), false, all);
  const auto run = asked_for(all);
  Written written;
  for (const Bin& b : bins) {
    std::vector<const Routine*> here;
    collect(s, s.bins.at(b.name), true, here);
    for (const auto* r : here) add_written(*r, written);
    for (const auto* r : here)
      if (run.count(r))
        check_reads(s, *r, written, "nothing writes before the first step, though read at iteration 0",
            "name what is evolved, in place of what is computed for outputs, give it a value in initial data (in "
            "equations, under `initial`), or activate a thorn that does",
            problems);
  }
}
}  // namespace

void sort_schedule(Simulation& s, Problems& problems) {
  Builder builder(s, problems);
  std::set<std::string> names;
  for (const auto& r : s.routines)
    if (!names.insert(r.item->full_name()).second)
      problems.add(fmt::format("{} is scheduled twice; give each its own name", r.item->full_name()));
  builder.check_places();
  if (!problems.empty()) return;
  drop_what_nothing_writes(s);
  for (const Bin& b : bin::in_order) s.bins[b.name] = builder.build(b.name, -1, nullptr);
  check_written(s, problems);
  if (problems.empty()) check_first_pass(s, problems);
  if (problems.empty()) clear_sums(s, problems);
}

bool Every::due(const Clock& at, bool over) const {
  if (at_end && over) return true;
  if (never) return false;
  if (iterations > 0) return at.iteration % iterations == 0;
  if (time > 0) {  // at the start, and whenever a multiple of the interval was passed in this step
    const double eps = 1e-9 * at.dt;
    const auto passed = [&](double t) { return static_cast<long long>((t + eps) / time); };
    return at.iteration == 0 || passed(at.time) > passed(at.time - at.dt);
  }
  return true;
}
}  // namespace cereus
