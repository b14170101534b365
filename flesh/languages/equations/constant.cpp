#include "equations/constant.hpp"

#include <fmt/format.h>

#include "equations/check.hpp"
#include "equations/evaluate.hpp"
#include "equations/expand.hpp"

namespace cereus::equations {
namespace {
// A part that has no value before the run; null: there is none.
const Expression* varying(const Expression& e) {
  using Kind = Expression::Kind;
  const bool fixed = e.kind == Kind::name ? e.text == "pi" && e.indices.empty() : e.text != "noise";
  const bool compares = e.kind == Kind::compare || e.kind == Kind::logic || e.kind == Kind::choose;
  if (!fixed || compares || e.kind == Kind::apply) return &e;
  for (const Expression& a : e.args)
    if (const Expression* found = varying(a)) return found;
  return nullptr;
}
}  // namespace

Rational constant(const Source& source, const Expression& e) {
  if (const Expression* found = varying(e)) {
    source.add(
        found->span, fmt::format("'{}' is not constant here", found->text), "numbers, pi and functions of those");
    return 0;
  }
  const ThornText nothing;
  const Model model(source, nothing);
  const std::size_t before = source.problems().count();
  IndexRules(model).free(e);
  if (source.problems().count() > before) return 0;
  Graph graph;
  const Term t = Expansion(model, graph, 3).expand(e);
  if (graph.is_number(t)) return t.factor;
  const double x = evaluate(graph, t, [](const Node&) { return 0.; });
  if (std::isfinite(x)) return Rational(x);
  source.add(e.span, "this has no finite value");
  return 0;
}
}  // namespace cereus::equations
