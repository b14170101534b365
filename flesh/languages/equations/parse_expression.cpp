// Expressions, by recursive descent: choose > or > and > not > comparison > sum > product > power > primary. A blank
// multiplies.
#include <fmt/format.h>

#include <algorithm>

#include "equations/cursor.hpp"
#include "equations/tree.hpp"

namespace cereus::equations {
namespace {
using Kind = Expression::Kind;
constexpr int highest = 1200;

class Parser : public ExpressionParser<Expression> {
 public:
  Parser(const Source& source, const std::vector<Token>& tokens, std::size_t at, std::size_t end, const Words& words)
      : ExpressionParser(source, tokens, at, end, highest, "name a part of it under `let`"),
        words_(words) {}
  Expression choose() {
    return within("brackets", [&] {
      Expression e = either();
      if (!take("?")) return e;
      Expression yes = choose();
      if (!take(":")) fail("expected ':' between the two sides of a choice");
      return node(Kind::choose, "?:", {std::move(e), std::move(yes), choose()});
    });
  }

 private:
  Expression either() {
    const auto both = [&] { return chain(Kind::logic, {"and"}, [&] { return negated(); }); };
    return chain(Kind::logic, {"or"}, both);
  }
  Expression negated() {
    const Span begin = look().span;
    int n = 0;
    while (take_word("not")) ++n;
    Expression e = comparison([&] { return sum(); });
    for (; n > 0 && !failed_; --n) e = node(Kind::logic, "not", {std::move(e)}), e.span.begin = begin.begin;
    return e;
  }
  Expression sum() {
    const Span begin = look().span;
    const bool negative = take("-");
    if (!negative) take("+");
    Expression e = product();
    if (negative) e = node(Kind::negative, "-", {std::move(e)}), e.span.begin = begin.begin;
    std::vector<Expression> terms{std::move(e)};
    while (more() && (look().is("+") || look().is("-"))) {
      const bool minus = tokens_[at_++].text == "-";
      Expression next = product();
      if (minus) next = node(Kind::negative, "-", {std::move(next)});
      terms.push_back(std::move(next));
    }
    return terms.size() == 1 ? std::move(terms[0]) : node(Kind::sum, "+", std::move(terms));
  }
  bool ends(const Token& t) const { return t.indices.empty() && words_.ends.contains(t.text); }
  bool begins_factor() const {
    if (!more()) return false;
    const Token& t = look();
    if (t.kind == Token::Kind::name) return !t.is_word("and") && !t.is_word("or") && !t.is_word("not") && !ends(t);
    return t.kind == Token::Kind::number || t.is("(");
  }
  Expression product() {
    Expression e = power();
    bool ambiguous = false;
    while (!failed_ && more()) {
      if (take("*")) {
        e = node(Kind::product, "*", std::move(e), power());
      } else if (take("/")) {
        Expression by = power();
        const bool bracket = tokens_[at_ - 1].is(")") && by.indices.empty();
        const bool fraction = by.kind == Kind::number && e.kind == Kind::number;
        ambiguous = !bracket && !fraction;
        e = node(Kind::quotient, "/", std::move(e), std::move(by));
      } else if (begins_factor()) {
        if (ambiguous) fail("a product behind a quotient: is it above or below the line?", "write parentheses");
        if (look().kind == Token::Kind::number) fail("a number behind a factor", "write the number first, or '*'");
        e = node(Kind::product, "*", std::move(e), power());
      } else {
        break;
      }
    }
    return e;
  }
  Expression power() {
    if (more() && look().kind == Token::Kind::name && is_operator()) return applied();
    Expression e = primary();
    if (!take("^")) return e;
    Expression exponent;
    if (take("-")) exponent = node(Kind::negative, "-", {primary()});
    else exponent = primary();
    return node(Kind::power, "^", std::move(e), std::move(exponent));
  }
  bool is_operator() const {
    const Token& t = look();
    if (t.text == "D" && !t.indices.empty()) return true;
    return t.text == "upwind" || t.is_word("dissipation") || words_.operators.contains(t.text);
  }
  Expression applied() {
    const Token& t = tokens_[at_++];
    if (!begins_factor())
      fail(fmt::format("'{}' of what?", t.text), "a variable or an expression in parentheses follows");
    Expression e = node(Kind::apply, t.text, {within("operators", [&] { return power(); })});
    e.span.begin = t.span.begin, e.indices = t.indices;
    return e;
  }

  Expression primary() {
    Expression e;
    const Token& t = look();
    e.span = t.span;
    if (!more()) return fail("something is missing at the end", "an expression"), e;
    if (t.kind == Token::Kind::number) {
      e.value = t.value, ++at_;
    } else if (t.kind == Token::Kind::name) {
      if (std::ranges::any_of(t.indices, [](const Index& i) { return i.group != 0; }))
        fail("brackets around indices belong to declarations", "sym(T)_ij; a power is u^( s )");
      e.kind = Kind::name, e.text = t.text, e.indices = t.indices, ++at_;
      if (more() && look().is("(") && !look().after_blank && t.indices.empty()) call(e);
    } else if (take("(")) {
      e = choose();
      if (more() && look().is(")") && !look().indices.empty() && !failed_)
        fail("indices behind a parenthesis", "indices belong to names; a power by a name is (…)^(n)");
      e.span = {t.span.begin, look().span.end};
      if (!take(")")) fail("expected ')'");
    } else {
      fail(t.text.empty() ? "a name, a number or '(' was expected"
                          : fmt::format("'{}' where a name, a number or '(' was expected{}", t.text,
                                t.text == "*" ? "; a power is x^2" : ""));
      ++at_;
    }
    return e;
  }
  void call(Expression& e) {
    e.kind = Kind::call;
    ++at_;
    while (more() && !look().is(")") && !failed_) {
      e.args.push_back(choose());
      if (!take(",")) break;
    }
    if (more() && look().is(")")) e.indices = look().indices, e.span.end = look().span.end;
    if (!take(")")) fail("expected ')' at the end of the arguments");
    e = measured(std::move(e));
  }

  const Words& words_;
};
}  // namespace

Expression parse_expression(
    const Source& source, const std::vector<Token>& tokens, std::size_t& at, std::size_t end, const Words& words) {
  Parser parser(source, tokens, at, end, words);
  Expression e = parser.choose();
  at = parser.at();
  return e;
}
}  // namespace cereus::equations
