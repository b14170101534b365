#include "equations/cost.hpp"

#include <fmt/format.h>

#include "equations/stencil.hpp"

namespace cereus::equations {
namespace {
// Σ w_m (v(+m) ± v(−m)), where `inner` operations make each v.
int operations(const Stencil& s, int inner) {
  int terms = s.weight(0) != 0, count = terms * (1 + inner);
  for (int m = 1; m <= s.reach(); ++m)
    if (s.weight(m) != 0) ++terms, count += 2 + 2 * inner;
  return count + terms - 1;
}
int derivative(std::array<int, 3> along, const OperatorText& centred_text) {
  const int order = centred_text.value;
  int axes = 0, all = 0;
  for (const int d : along) axes += d > 0, all += d;
  if (centred_text.diagonal && axes == 2 && all == 2)  // at each distance four points, and the spacing
    return 5 * (order / 2);
  int count = 0;
  for (const int d : along)
    if (d > 0) count = operations(centred(d, order), count);
  return count + 1;  // the spacing
}
int operations(const Model& m, const Node& n) {
  const auto order = [&](const char* op) { return m.op(op)->value; };
  switch (n.op) {
    case Op::derivative: return derivative(n.along, *m.op("centred"));
    case Op::upwind: return operations(antisymmetric(lopsided(order("upwind"))), 0) + 1;
    case Op::upwind_odd: return operations(antisymmetric(lopsided(order("upwind"))), 0);
    case Op::upwind_even: return operations(symmetric(lopsided(order("upwind"))), 0) + 1;
    case Op::dissipation: return operations(kreiss_oliger(order("dissipation")), 0) + 1;
    case Op::delta: return operations(delta(std::stoi(n.text)), 0);
    case Op::sum: {  // terms with one factor share a product
      std::set<Rational> factors;
      for (const Rational& q : n.factors) factors.insert(absolute(q));
      return static_cast<int>(n.args.size() - 1 + factors.size() - factors.count(1));
    }
    default: return n.args.empty() ? 0 : 1;
  }
}
}  // namespace

Cost cost_of(const Program& program, const Kernel& k) {
  Cost cost{.reads = static_cast<int>(k.reads.size()), .writes = static_cast<int>(k.writes.size())};
  std::vector<int> roots;
  for (const Assignment& a : k.assignments.at(program.dimensions.front())) {
    roots.push_back(a.value.node);
    cost.operations += a.adds, cost.reads += a.adds;
    cost.operations += !program.graph[a.value.node].uniform && absolute(a.value.factor) != 1;
  }
  for (const int n : cone(program.graph, roots))
    if (!program.graph[n].uniform) cost.operations += operations(*program.model, program.graph[n]);
  return cost;
}
std::string describe(const Cost& c) {
  return fmt::format("{} operations a point; {} values read and {} written are {} bytes: {:.2g} operations a byte",
      c.operations, c.reads, c.writes, c.bytes(), c.intensity());
}
std::string grid_of(const Program& program) {
  const OperatorText* centred = program.model->op("centred");
  return fmt::format("{} dimension{}{}", program.dimensions.front(), program.dimensions.front() == 1 ? "" : "s",
      centred ? fmt::format(", differences of order {}", centred->value) : "");
}
std::string print_costs(const Program& program) {
  std::string s = fmt::format("\nkernels, {}\n", grid_of(program));
  for (const Kernel& k : program.kernels) s += fmt::format("  {}: {}\n", k.name, describe(cost_of(program, k)));
  return s;
}
}  // namespace cereus::equations
