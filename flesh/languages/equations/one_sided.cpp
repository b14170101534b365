#include "equations/stencil.hpp"
#include "equations/tree.hpp"

namespace cereus::equations {
namespace {
using Kind = Expression::Kind;

Expression leaf(Kind kind, Span span, const Rational& value, const std::string& text = "") {
  Expression e;
  e.kind = kind, e.span = span, e.value = value, e.text = text;
  return e;
}
Expression joined(Kind kind, Span span, const std::string& text, std::vector<Expression> args) {
  Expression e = leaf(kind, span, 0, text);
  e.args = std::move(args);
  return e;
}
Expression number(const Rational& q, Span span) {  // a number that is written has no sign
  const Expression n = leaf(Kind::number, span, absolute(q));
  return q < 0 ? joined(Kind::negative, span, "-", {n}) : n;
}
}  // namespace

OwnOperator one_sided(const std::string& name, int order, Span span) {
  const Stencil s = name == "forward" ? fornberg(1, 0, order) : fornberg(1, -order, 0);
  std::vector<Expression> terms;
  for (std::size_t n = 0; n < s.weights.size(); ++n) {
    const Expression neighbour = joined(Kind::call, span, "u", {number(s.first + static_cast<int>(n), span)});
    terms.push_back(joined(Kind::product, span, "*", {number(s.weights[n], span), neighbour}));
  }
  const Expression sum = joined(Kind::sum, span, "+", std::move(terms));
  return {name, "u", span, joined(Kind::quotient, span, "/", {sum, leaf(Kind::name, span, 0, "h")})};
}
}  // namespace cereus::equations
