// Large kernels move all variables along the same shift and damp them alike: what is upwinded and what is dissipated of
// a variable becomes Σ c · difference, with coefficients c that all variables share.
#include "equations/lower.hpp"

#include <map>

#include "equations/print.hpp"

namespace cereus::equations {
namespace {
bool moves(const Node& n) { return n.op == Op::upwind || n.op == Op::upwind_even || n.op == Op::dissipation; }

class Lowering {
 public:
  explicit Lowering(Program& program) : m_(*program.model), g_(program.graph) {}

  Term lower(Term t, const std::string& name, std::map<int, int>& moved) {
    const int root[] = {t.node};
    for (const int n : cone(g_, root)) {
      has_.resize(g_.size(), false);
      has_[n] = moves(g_[n]);
      for (const int a : g_[n].args) has_[n] = has_[n] || has_[a];
    }
    if (!has_[t.node]) return t;
    coefficients_.clear();
    rest_ = g_.number(0);
    gather(t, g_.number(1));
    std::map<int, Term> sums;  // by variable
    for (const auto& [leaf, c] : coefficients_) {
      const int v = g_[leaf].variable;
      sums[v] = g_.add(sums.try_emplace(v, g_.number(0)).first->second, g_.multiply(c, {1, leaf}));
    }
    Term sum = rest_;
    for (const auto& [v, moved_by] : sums) {
      const Term node = g_.name(moved_by, "moved_" + name, 0);
      moved[node.node] = v;
      sum = g_.add(sum, node);
    }
    return sum;
  }

 private:
  void gather(Term t, Term by) {
    const Node n = g_[t.node];  // a copy: the list of nodes grows
    const Term product = g_.multiply(by, g_.number(t.factor));
    const auto has = [&](int node) { return node < static_cast<int>(has_.size()) && has_[node]; };
    if (!has(t.node)) {
      rest_ = g_.add(rest_, g_.multiply(product, {1, t.node}));
    } else if (n.op == Op::sum) {
      for (std::size_t i = 0; i < n.args.size(); ++i)
        gather({1, n.args[i]}, g_.multiply(product, g_.number(n.factors[i])));
    } else if (n.op == Op::product && has(n.args[0]) != has(n.args[1])) {
      const int at = has(n.args[0]) ? 0 : 1;
      gather({1, n.args[at]}, g_.multiply(product, {1, n.args[1 - at]}));
    } else if (moves(n)) {
      add(n, product);
    } else {
      rest_ = g_.add(rest_, g_.multiply(product, {1, t.node}));
    }
  }
  void add(const Node& n, Term by) {
    const bool dissipates = n.op == Op::dissipation;
    const char* op = dissipates ? "dissipation" : "upwind";
    Term c = g_.multiply(by, g_.leaf(Op::inverse_spacing, "here", -1, n.along));
    Term leaf = g_.leaf(Op::upwind_odd, "", n.variable, n.along);
    if (n.op != Op::upwind) {
      c = g_.multiply(c, g_.leaf(Op::weight, op));
      leaf = g_.leaf(Op::delta, order_text(*m_.op(op), dissipates ? 1 : 2), n.variable, n.along);
    }
    Term& sum = coefficients_.try_emplace(leaf.node, g_.number(0)).first->second;
    sum = g_.add(sum, c);
  }

  const Model& m_;
  Graph& g_;
  std::vector<bool> has_;
  std::map<int, Term> coefficients_;  // of differences, which are leaves
  Term rest_;
};
}  // namespace

void lower(Program& program, Kernel& k) {
  for (auto& [dim, assignments] : k.assignments)
    for (Assignment& a : assignments) {
      Lowering lowering(program);
      a.value = lowering.lower(a.value, program.model->variables()[a.variable].name, k.moved[dim]);
      const int root[] = {a.value.node};
      for (const int n : cone(program.graph, root)) k.nodes.insert(n);
    }
}
}  // namespace cereus::equations
