#include "equations/diffusivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equations/evaluate.hpp"

namespace cereus::equations {
namespace {
// The multiple of a leaf in an expression that is linear in it; nothing where the multiple changes from point to point.
class Multiple {
 public:
  Multiple(Graph& graph, int variable, int axis) : graph_(graph), variable_(variable), axis_(axis) {}
  std::optional<Term> of(Term t) {
    const Node node = graph_[t.node];
    if (is_leaf(node)) return graph_.number(t.factor);
    const int root[] = {t.node};
    const auto within = cone(graph_, root);
    if (std::ranges::none_of(within, [&](int n) { return is_leaf(graph_[n]); })) return graph_.number(0);
    if (node.op == Op::sum) {
      std::vector<Term> all;
      for (std::size_t n = 0; n < node.args.size(); ++n) {
        const auto one = of({t.factor * node.factors[n], node.args[n]});
        if (!one) return std::nullopt;
        all.push_back(*one);
      }
      return graph_.sum(all);
    }
    if (node.op != Op::product) return std::nullopt;
    for (const int n : {0, 1})
      if (graph_[node.args[n]].uniform)
        if (const auto one = of({t.factor, node.args[1 - n]})) return graph_.multiply(*one, {1, node.args[n]});
    return std::nullopt;
  }

 private:
  bool is_leaf(const Node& n) const {
    std::array<int, 3> twice{};
    twice[axis_] = 2;
    return n.op == Op::derivative && n.variable == variable_ && n.along == twice;
  }
  Graph& graph_;
  int variable_, axis_;
};

std::optional<Term> rate_of(const Program& program, int variable, int dimension) {
  for (const Kernel& k : program.kernels)
    if (const auto at = k.assignments.find(dimension);
        k.of->kind == Calculation::Kind::rhs && at != k.assignments.end())
      for (const Assignment& a : at->second)
        if (a.variable == variable) return a.value;
  return std::nullopt;
}

// Of what is made of parameters and numbers, for some values of the parameters.
double at_random(const Graph& graph, Term t, std::size_t seed) {
  return evaluate(graph, t, [&](const Node& n) {
    const std::size_t hash =
        std::hash<std::string>{}(n.text + std::to_string(seed + static_cast<std::size_t>(n.along[0] + 1)));
    return n.op == Op::keyword ? double(hash & 1) : 0.5 + double(hash % 1000) / 1000;
  });
}

// Whether what is said is no multiple along any axis.
bool differs(Program& program, int variable, Term said) {
  const int dimension = program.dimensions.back();
  const auto rate = rate_of(program, variable, dimension);
  bool spreads = false;
  for (int axis = 0; rate && axis < dimension; ++axis) {
    const auto is = Multiple(program.graph, variable, axis).of(*rate);
    if (!is || is->factor == 0) continue;
    spreads = true;
    double off = 0;
    for (const std::size_t seed : {1, 2, 3})
      off = std::max(off, std::abs(at_random(program.graph, *is, seed) / at_random(program.graph, said, seed) - 1));
    if (off < 1e-9) return false;
  }
  return spreads;
}
}  // namespace

std::vector<std::string> other_diffusivities(Program& program) {
  const Model& m = *program.model;
  std::vector<std::string> lines;
  Expansion expansion(m, program.graph, program.dimensions.back());
  for (const GroupText& g : m.text().groups)
    for (const Declared& d : g.tensors) {
      if (!d.diffusivity) continue;
      const Term said = expansion.expand(*d.diffusivity);
      for (std::size_t v = 0; v < m.variables().size(); ++v)
        if (m.variables()[v].tensor == d.name && differs(program, static_cast<int>(v), said)) {
          lines.push_back(Problem{m.source().where(d.diffusivity->span.begin),
              fmt::format("the diffusivity of '{}' is not the one with which its equation lets it spread: steps are "
                          "too long, or too short",
                  d.name)}
                              .text());
          break;
        }
    }
  return lines;
}
}  // namespace cereus::equations
