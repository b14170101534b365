// The statements of a large kernel: all that is read of a variable is computed together, so that neighbours are read
// once; values that find no register wait in slots; orders are tried until few of them have to.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "equations/arrange.hpp"
#include "equations/print_expression.hpp"

namespace cereus::equations {
namespace {
constexpr int registers = 86;            // numbers of eight bytes that a thread has room for, beside addresses
constexpr std::size_t terms_a_step = 4;  // of a sum: longer ones are added up in several steps
constexpr int tries = 400,
              tries_on_shell = 80;  // of orders; more find few better ones there, and take seconds at each start

class Large : Expressions {
 public:
  Large(const Program& program, const Kernel& k, int dim, const Handles& handles,
      const std::vector<Constant>& constants, const std::string& indent)
      : Expressions(program, k, dim, handles, constants, indent),
        assignments_(k.assignments.at(dim)),
        moved_(k.moved.at(dim)),
        along_(k.along),
        rates_(k.of->kind == Calculation::Kind::rhs),
        on_shell_(dim == on_shell) {
    std::vector<int> roots;
    for (const auto& a : assignments_) roots.push_back(a.value.node);
    const std::vector<int> order = needed(roots);
    count_uses(order, roots);
    in_memory_.assign(g_.size(), false);
    placed_.assign(g_.size(), false);
    for (const int n : order) {
      const Node& node = g_[n];
      in_memory_[n] = node.op == Op::variable || node.op == Op::slope || node.op == Op::bend;
      const bool bare = node.op == Op::one || node.op == Op::pi || is_truth(n) || node.op == Op::weight ||
                        node.op == Op::inverse_spacing || names_.contains(n);
      placed_[n] =
          !bare && (!node.name.empty() || uses_[n] > 1 || node.op == Op::derivative || node.op == Op::neighbour ||
                       in_memory_[n] || node.derived_of >= 0 || std::ranges::count(roots, n) > 0);
      if (node.derived_of >= 0) derived_[node.derived_of].push_back(n);
      if (node.op == Op::derivative || node.op == Op::neighbour || node.op == Op::upwind ||
          node.op == Op::upwind_even || node.op == Op::dissipation)
        bundle_[node.variable].push_back(n);
    }
    for (const auto& [n, v] : moved_) bundle_[v].push_back(n);
    for (std::size_t r = 0; r < roots.size() && rates_; ++r) find_beginning(roots[r], static_cast<int>(r));
    for (std::size_t r = 0; r < roots.size(); ++r) results_[roots[r]].push_back(static_cast<int>(r));
    for (const int n : order)
      if (placed_[n] && (!g_[n].name.empty() || results_.contains(n)) && !moved_.contains(n)) goals_.push_back(n);
    for (const int r : roots)
      if (!placed_[r]) goals_.push_back(r);
  }

  std::string print(int& slots) {
    search();
    const auto steps = steps_for(goals_);
    const Placed placed = place(steps, in_memory_, registers);
    slots = placed.slots;
    for (std::size_t t = 0; t < steps.size(); ++t) {
      for (const Move& m : placed.before[t]) print(m);
      print(steps[t]);
    }
    return lines_;
  }

 private:
  // A right-hand side begins with what the update adds to it: where its variable is moved, if it is.
  void find_beginning(int root, int result) {
    const Node& node = g_[root];
    for (std::size_t i = 0; node.op == Op::sum && i < node.args.size(); ++i)
      if (const int n = node.args[i]; node.factors[i] == 1 && moved_.contains(n) && uses_[n] == 1 && uses_[root] == 1 &&
                                      begins_.emplace(n, result).second) {
        begun_.insert(result);
        return;
      }
  }
  std::string beginning(int result) const {
    return fmt::format("p.begin({}) + ", handles_.out.at(assignments_[result].variable));
  }

  // Orders of goals near the best one so far; the same ones each time.
  void search() {
    std::mt19937 engine(1);
    const auto below = [&](std::size_t n) { return engine() % n; };
    if (goals_.size() < 8) return;
    double best = place(steps_for(goals_), in_memory_, registers).cost;
    for (int t = 0; t < (on_shell_ ? tries_on_shell : tries); ++t) {
      auto goals = goals_;
      const std::size_t lengths[] = {1, 1, 1, 2, 3, 6}, n = lengths[below(6)];
      const auto from = goals.begin() + static_cast<std::ptrdiff_t>(below(goals.size() - n));
      std::vector<int> cut(from, from + static_cast<std::ptrdiff_t>(n));
      const auto at = from - goals.begin();
      goals.erase(from, from + static_cast<std::ptrdiff_t>(n));
      const auto all = static_cast<std::ptrdiff_t>(goals.size());
      const auto to = below(2) ? static_cast<std::ptrdiff_t>(below(goals.size() + 1))
                               : std::clamp<std::ptrdiff_t>(at + static_cast<std::ptrdiff_t>(below(25)) - 12, 0, all);
      goals.insert(goals.begin() + to, cut.begin(), cut.end());
      const double cost = place(steps_for(goals), in_memory_, registers).cost;
      if (cost <= best) best = cost, goals_ = std::move(goals);
    }
  }

  // Values that a node needs: those with a place, below what is written out.
  void leaves(int n, std::vector<int>& list) const {
    if (placed_[n]) {
      if (!std::ranges::count(list, n)) list.push_back(n);
    } else if (!names_.contains(n)) {
      for (const int a : g_[n].args) leaves(a, list);
    }
  }

  std::vector<Step> steps_for(const std::vector<int>& goals) {
    steps_.clear();
    done_.assign(g_.size(), false);
    for (const int n : goals) need(n);
    return std::move(steps_);
  }
  void need(int n) {
    if (done_[n] || in_memory_[n]) return;
    if (g_[n].derived_of >= 0) return need_bundle(g_[n].derived_of);
    const auto moved = moved_.find(n);
    if (bundle_.contains(g_[n].variable) || moved != moved_.end())
      return need_bundle(moved != moved_.end() ? moved->second : g_[n].variable);
    done_[n] = true;
    std::vector<int> below;
    for (const int a : g_[n].args) leaves(a, below);
    for (const int v : below) need(v);
    if (g_[n].op == Op::sum) add_up(n);
    else if (placed_[n]) steps_.push_back({.out = n, .ins = below});
    const auto result = results_.find(n);
    if (result == results_.end()) return;
    for (const int r : result->second) {
      std::vector<int> ins;
      leaves(n, ins);
      steps_.push_back({.ins = ins, .result = r});
    }
  }
  void need_bundle(int variable) {
    for (const int n : bundle_[variable]) {
      std::vector<int> below;
      if (moved_.contains(n))
        for (const int a : g_[n].args) leaves(a, below);
      for (const int v : below) need(v);
    }
    if (done_[bundle_[variable].front()]) return;
    for (int axis = 0; axis < 4; ++axis)  // neighbours along one axis after another; at last those along two
      for (const int n : bundle_[variable]) {
        done_[n] = true;
        if (moved_.contains(n)) move(n, axis);
        else if (axis_of(g_[n]) == axis) steps_.push_back({.out = n, .room = axis < 3 ? 12 : 8});
      }
    for (const int n : derived_[variable]) {  // at once, so that differences need not wait
      done_[n] = true;
      std::vector<int> below;
      for (const int a : g_[n].args) leaves(a, below);
      for (const int v : below) need(v);
      steps_.push_back({.out = n, .ins = below});
    }
  }
  // The axis of a difference; 3 where there are two.
  static int axis_of(const Node& n) {
    if (n.op != Op::derivative && n.op != Op::neighbour) return n.along[0];
    return std::ranges::count(n.along, 0) < 2 ? 3 : n.along[0] ? 0 : n.along[1] ? 1 : 2;
  }
  // What moves a variable along an axis.
  void move(int n, int axis) {
    const Node& node = g_[n];
    Step s{.out = n, .room = 12};
    for (int i = 0; i < static_cast<int>(node.args.size()); ++i)
      if (axis_of(difference_in(node.args[i])) == axis) s.args.push_back(i), leaves(node.args[i], s.ins);
    if (s.args.empty()) return;
    s.first = std::ranges::none_of(steps_, [&](const Step& other) { return other.out == n; });
    steps_.push_back(std::move(s));
  }
  const Node& difference_in(int n) const {
    for (const int a : g_[n].args)
      if (g_[a].op == Op::upwind_odd || g_[a].op == Op::delta) return g_[a];
    return g_[n];
  }
  // Terms with one factor side by side, so that they share a product. The search asks for them thousands of times.
  const std::vector<int>& terms_of(int n) {
    std::vector<int>& terms = terms_[n];
    if (!terms.empty()) return terms;
    const auto& factors = g_[n].factors;
    std::map<Rational, std::size_t> first_with;
    for (std::size_t i = 0; i < factors.size(); ++i) first_with.try_emplace(absolute(factors[i]), i);
    std::vector<std::size_t> first;  // by term
    for (const Rational& q : factors) first.push_back(first_with.at(absolute(q))), terms.push_back(terms.size());
    std::ranges::stable_sort(terms, {}, [&](int i) { return first[i]; });
    return terms;
  }
  void add_up(int n) {
    const Node& node = g_[n];
    if (!placed_[n]) return;
    const std::vector<int>& terms = terms_of(n);
    for (std::size_t first = 0; first < terms.size(); first += terms_a_step) {
      Step s{.out = n, .first = first == 0};
      for (std::size_t i = first; i < std::min(first + terms_a_step, terms.size()); ++i) {
        s.args.push_back(terms[i]);
        leaves(node.args[terms[i]], s.ins);
      }
      steps_.push_back(std::move(s));
    }
  }

  void print(const Move& m) {
    if (m.kind == Move::Kind::put) return line(fmt::format("p.template put<{}>({});", m.slot, names_.at(m.value)));
    const std::string name = fresh(wish_of(m.value));
    names_.erase(m.value);
    line(fmt::format("{}Real {} = {};", adds_later(m.value) ? "" : "const ", name,
        m.kind == Move::Kind::read ? of_node(m.value).text : fmt::format("p.template get<{}>()", m.slot)));
    names_[m.value] = name;
  }
  void print(const Step& s) {
    if (s.result >= 0) {
      const Assignment& a = assignments_[s.result];
      const std::string first = rates_ && !begun_.contains(s.result) ? beginning(s.result) : "";
      return line(fmt::format("p({}) = {}{};", handles_.out.at(a.variable), first, of(a.value).text));
    }
    const Node& node = g_[s.out];
    read_beside(s);
    const bool parts = !s.args.empty() && s.args.size() < node.args.size();
    std::string text;
    if (s.args.empty()) {
      names_.erase(s.out);
      text = of_node(s.out).text;
    } else {
      std::vector<Rational> factors;
      std::vector<int> args;
      for (const int i : s.args) factors.push_back(node.factors[i]), args.push_back(node.args[i]);
      text = sum(factors, args).text;
    }
    if (!s.first) return line(fmt::format("{} += {};", names_.at(s.out), text));
    if (const auto begins = begins_.find(s.out); begins != begins_.end()) text = beginning(begins->second) + text;
    const std::string name = fresh(wish_of(s.out));
    line(fmt::format("{}Real {} = {};", parts ? "" : "const ", name, text), comment(s.out));
    names_[s.out] = name;
  }
  // The neighbours that a step needs are read once for all steps that need them.
  void read_beside(const Step& s) {
    const bool moves = moved_.contains(s.out);
    const Node& leaf = moves ? difference_in(g_[s.out].args[s.args[0]]) : g_[s.out];
    const bool reads = moves || leaf.op == Op::derivative || leaf.op == Op::neighbour;
    const std::pair now{reads ? leaf.variable : -1, reads ? axis_of(leaf) : 3};
    if (now == beside_) return;
    beside_ = now, point_ = grid_;
    if (now.second == 3) return;
    point_ = fresh(program_.model->variables()[now.first].name + "_along_" + "xyz"[now.second]);
    line(fmt::format("const auto {} = beside<{}, {}>({}, {});", point_, now.second,
        print_reach(along_.at(now.first)[now.second]), grid_, handles_.in.at(now.first)));
  }
  // Whether later steps add to a value that is brought back now.
  bool adds_later(int n) const {
    return g_[n].op == Op::sum && (g_[n].args.size() > terms_a_step || moved_.contains(n));
  }
  std::string wish_of(int n) {
    const auto at = wishes_.find(n);
    return at != wishes_.end() ? at->second : wishes_[n] = wish(n);
  }

  const std::vector<Assignment>& assignments_;
  const std::map<int, int>& moved_;
  const std::map<int, std::array<Reach, 3>>& along_;
  const bool rates_, on_shell_;
  std::pair<int, int> beside_{-1, 3};  // the variable and axis whose neighbours have been read
  std::map<int, int> begins_;          // the sum with which a result begins
  std::set<int> begun_;                // results that begin with one
  std::vector<int> goals_;             // named parts and results, in the order in which they are computed
  std::vector<bool> in_memory_, placed_, done_;
  std::map<int, std::vector<int>> bundle_;   // by variable: its differences, and how it is moved
  std::map<int, std::vector<int>> derived_;  // by variable: on a shell, its derivatives by x, y, z
  std::map<int, std::vector<int>> results_;  // by node
  std::map<int, std::vector<int>> terms_;    // by node
  std::map<int, std::string> wishes_;
  std::vector<Step> steps_;
};
}  // namespace

std::string print_large_body(const Program& program, const Kernel& k, int dim, const Handles& handles,
    const std::vector<Constant>& constants, const std::string& indent, int& slots) {
  return Large(program, k, dim, handles, constants, indent).print(slots);
}
}  // namespace cereus::equations
