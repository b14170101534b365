// What is declared (anti)symmetric has a right side that is: its components are compared at random points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "equations/evaluate.hpp"
#include "equations/expand.hpp"

namespace cereus::equations {
namespace {
constexpr int points = 4;
constexpr double disturbance = 1e-12, margin = 1e3;
}  // namespace

// At random points a term that is 0 but for round-off is as small as what changes if each operation is disturbed.
bool Expansion::is_zero(Term t) const {
  if (t.factor == 0) return true;
  std::mt19937 engine(1);
  for (int point = 0; point < points; ++point) {
    std::map<const Node*, double> values;
    const auto leaf = [&](const Node& n) {
      std::uniform_real_distribution<double> number(0.5, 1.5);
      const bool truth = n.op == Op::keyword;
      return values.try_emplace(&n, truth ? static_cast<double>(engine() % 2) : number(engine)).first->second;
    };
    const double exact = evaluate(graph_, t, leaf);
    const double disturbed = evaluate(graph_, t, leaf,
        [&](double x) { return x * (1 + disturbance * std::uniform_real_distribution<double>(-1, 1)(engine)); });
    if (std::fabs(exact) > margin * std::fabs(disturbed - exact)) return false;
  }
  return true;
}

void Expansion::check_symmetry(const Equation& q, const Tensor& t, const std::vector<int>& c, Term value) {
  const auto& left = q.left.indices;
  const auto at = [&](std::size_t a, int i, std::size_t b, int j) {  // with other components of two indices
    Bound bound;
    for (std::size_t n = 0; n < c.size(); ++n)
      if (left[n].component < 0) bound.emplace_back(left[n].name, n == a ? i : n == b ? j : c[n]);
    return this->value(q.right, bound);
  };
  for (std::size_t a = 0; a < left.size(); ++a)
    for (std::size_t b = a + 1; b < left.size(); ++b) {
      const bool pair = t.indices[a].group != 0 && t.indices[a].group == t.indices[b].group;
      if (!pair || left[a].component >= 0 || left[b].component >= 0 || c[a] == c[b]) continue;
      const bool anti = t.indices[a].antisymmetric;
      const Term partner = at(a, c[b], b, c[a]);
      const bool holds = is_zero(graph_.add(value, anti ? partner : graph_.negate(partner))) &&
                         (!anti || (is_zero(at(a, c[a], b, c[a])) && is_zero(at(a, c[b], b, c[b]))));
      if (!holds)
        fail(q.left.span,
            fmt::format("'{}' is declared {}, and its right side is not", written(t.name, t.indices),
                anti ? "antisymmetric" : "symmetric"),
            anti ? "1/2 (T_ij - T_ji)" : "sym(T)_ij");
    }
}

void Expansion::check_symmetries() {
  checks_symmetries_ = true;
  for (const Equation& q : model_.text().lets) {
    if (!q.arguments.empty()) continue;
    Expression whole;
    whole.kind = Expression::Kind::name, whole.text = q.left.name, whole.span = q.left.span;
    whole.indices = q.left.indices;
    for (const auto& c : equations::components_of(whole.indices)) expand(whole, whole.indices, c);
  }
  for (const Calculation& c : model_.text().calculations) expand(c);
}
}  // namespace cereus::equations
