// Sums start from zero: in each bin or group, a kernel of the flesh's own clears a sum right before the first that adds
// to it, unless a routine there has written it before.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>

#include "schedule/build.hpp"
#include "schedule/routine_timer.hpp"

namespace cereus {
namespace {
struct Start {  // of a sum
  const Node* place;
  std::size_t child;  // before which it is cleared
  int adder;          // the routine that adds first
  bool operator==(const Start&) const = default;
};
struct Cleared {
  std::size_t child;
  int routine;
};

class Sums {
 public:
  explicit Sums(Simulation& s, Problems& p) : s_(s), problems_(p) {}

  void clear() {
    const auto routines = s_.routines.size();
    for (Node& bin : s_.bins | std::views::values) {
      for (std::size_t r = 0; r < routines; ++r)
        if (first(bin, [&](int n) { return n == static_cast<int>(r); }) >= 0) clear_for(bin, static_cast<int>(r));
      insert(bin);
      cleared_.clear();
    }
  }

 private:
  // The first routine below a node, in the order in which they run, for which f holds; −1: none.
  template <class F> static int first(const Node& node, F&& f) {
    if (node.routine >= 0) return f(node.routine) ? node.routine : -1;
    for (const Node& child : node.children)
      if (const int n = first(child, f); n >= 0) return n;
    return -1;
  }
  auto touches(const VariableAccess& v, bool adds) const {
    return [&, adds](int n) {
      return std::ranges::any_of(s_.routines[n].accesses, [&](const auto& a) {
        return a.group == v.group && a.component == v.component && a.mode != Mode::read &&
               (a.mode == Mode::add) == adds;
      });
    };
  }

  // In the innermost group that holds all that add to it; nothing if something is written there before.
  std::optional<Start> start_of(const Node& place, const VariableAccess& v) const {
    for (std::size_t c = 0; c < place.children.size(); ++c) {
      const Node& child = place.children[c];
      const int adder = first(child, touches(v, true));
      if (adder < 0 && first(child, touches(v, false)) >= 0) return {};
      if (adder < 0) continue;
      const bool more = std::any_of(place.children.begin() + static_cast<std::ptrdiff_t>(c) + 1, place.children.end(),
          [&](const Node& later) { return first(later, touches(v, true)) >= 0; });
      if (child.routine < 0 && !more) return start_of(child, v);
      return Start{&place, c, adder};
    }
    return {};
  }

  // The sums that a routine is the first to add to: those of a handle together.
  void clear_for(const Node& bin, int number) {
    const auto item = s_.routines[number].item;
    std::size_t next = 0;
    for (std::size_t n = 0; n < item->accesses.size(); ++n) {
      const auto count = static_cast<std::size_t>(item->accesses[n].components);
      const auto& all = s_.routines[number].accesses;
      if (next + count > all.size()) return;  // an error, and said elsewhere
      const std::vector<VariableAccess> sums(
          all.begin() + static_cast<std::ptrdiff_t>(next), all.begin() + static_cast<std::ptrdiff_t>(next + count));
      next += count;
      if (item->accesses[n].mode != Mode::add) continue;
      const auto start = start_of(bin, sums.front());
      for (const auto& v : sums)
        if (start_of(bin, v) != start)
          return problems_.add(
              fmt::format("{} adds to {} and {}, whose sums begin at different routines; add to each by a handle of "
                          "its own",
                  item->full_name(), name(sums.front()), name(v)));
      if (start && start->adder == number) add_clear(*start, sums, item->clearing[n]);
    }
  }

  void add_clear(const Start& start, std::vector<VariableAccess> sums, const std::vector<KernelTable>& tables) {
    const Item& adder = *s_.routines[start.adder].item;
    auto item = std::make_shared<Item>();
    item->thorn = adder.thorn, item->name = "clear_" + s_.groups[sums.front().group].name;
    item->doc = fmt::format("From zero: {} is the first to add to it", adder.full_name());
    item->where = start.place->name, item->variants = tables, item->clears = item->on_demand = true;
    item->accesses = tables.front().accesses, item->every = adder.every;
    for (const auto& r : s_.routines)  // it runs when they do
      if (std::ranges::any_of(sums, [&](const auto& v) { return touches(v, true)(r.id); }) &&
          first(*start.place, [&](int n) { return n == r.id; }) >= 0) {
        item->on_demand = item->on_demand && r.item->on_demand;
        if (r.item->every != adder.every)
          problems_.add(fmt::format("{} and {} add to {}, but not equally often; say the same .every({{…}}) in both",
              adder.full_name(), r.item->full_name(), name(sums.front())));
      }
    for (auto& a : sums) a.mode = Mode::write;
    std::vector<std::string> names;
    for (const auto& a : sums) names.push_back(name(a));
    item->accesses.front().variables = names;
    Routine r;
    r.id = static_cast<int>(s_.routines.size()), r.item = item, r.accesses = std::move(sums), r.is_kernel = true;
    cleared_[start.place].push_back({start.child, r.id});
    s_.routines.push_back(std::move(r));
  }

  // Into the innermost places first: then no place moves while it is still a key.
  void insert(Node& place) {
    for (Node& child : place.children) insert(child);
    auto& list = cleared_[&place];
    std::ranges::stable_sort(list, std::greater{}, &Cleared::child);
    for (const Cleared& c : list) {
      const Item& item = *s_.routines[c.routine].item;
      Node node;
      node.name = item.full_name(), node.routine = c.routine;
      node.timer = add_routine_timer(s_.timers, node.name, place.timer);
      place.why_sorted.push_back(
          fmt::format("{} before {}: sums begin there", node.name, place.children[c.child].name));
      place.children.insert(place.children.begin() + static_cast<std::ptrdiff_t>(c.child), std::move(node));
    }
  }
  const std::string& name(const VariableAccess& v) const { return s_.variable_name(v.group, v.component); }

  Simulation& s_;
  Problems& problems_;
  std::map<const Node*, std::vector<Cleared>> cleared_;
};
}  // namespace

void clear_sums(Simulation& s, Problems& problems) { Sums(s, problems).clear(); }
}  // namespace cereus
