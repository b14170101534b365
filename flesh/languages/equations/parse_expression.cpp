// Expressions, by recursive descent: choose > or > and > not > comparison > sum > product > power > primary. A blank
// multiplies.
#include <fmt/format.h>

#include <algorithm>

#include "equations/cursor.hpp"
#include "equations/tree.hpp"

namespace cereus::equations {
namespace {
using Kind = Expression::Kind;
constexpr auto node = joined<Expression>;
constexpr int deepest = 200;   // of brackets and signs within each other
constexpr int longest = 1000;  // products and conditions, in factors

class Parser : Cursor {
 public:
  Parser(const Source& source, const std::vector<Token>& tokens, std::size_t at, std::size_t end, const Words& words)
      : Cursor(source, tokens),
        words_(words) {
    at_ = at, end_ = end;
  }
  std::size_t at() const { return at_; }
  Expression choose() {
    if (++depth_ > deepest) {
      fail("brackets lie too deep", "name a part of it under `let`");
      return at_ = end_, --depth_, Expression{};
    }
    Expression e = either();
    if (take("?")) {
      Expression yes = choose();
      if (!take(":")) fail("expected ':' between the two sides of a choice");
      Expression no = choose();
      e = node(Kind::choose, "?:", {std::move(e), std::move(yes), std::move(no)});
    }
    return --depth_, e;
  }

 private:
  void limit(int factors) {
    if (factors <= longest) return;
    fail(fmt::format("more than {} factors or conditions in a row", longest), "name a part of it under `let`");
    at_ = end_;
  }
  Expression either() {
    Expression e = both();
    for (int n = 1; take_word("or"); limit(++n)) e = node(Kind::logic, "or", {std::move(e), both()});
    return e;
  }
  Expression both() {
    Expression e = negated();
    for (int n = 1; take_word("and"); limit(++n)) e = node(Kind::logic, "and", {std::move(e), negated()});
    return e;
  }
  Expression negated() {
    const Span begin = look().span;
    int n = 0;
    while (take_word("not")) limit(++n);
    Expression e = comparison();
    for (; n > 0; --n) e = node(Kind::logic, "not", {std::move(e)}), e.span.begin = begin.begin;
    return e;
  }
  Expression comparison() {
    Expression e = sum();
    for (const char* s : {"==", "!=", "<=", ">=", "<", ">"})
      if (take(s)) return node(Kind::compare, s, {std::move(e), sum()});
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
    for (int n = 1; !failed_ && more(); limit(++n)) {
      if (take("*")) {
        e = node(Kind::product, "*", {std::move(e), power()});
      } else if (take("/")) {
        Expression by = power();
        const bool bracket = tokens_[at_ - 1].is(")") && by.indices.empty();
        const bool fraction = by.kind == Kind::number && e.kind == Kind::number;
        ambiguous = !bracket && !fraction;
        e = node(Kind::quotient, "/", {std::move(e), std::move(by)});
      } else if (begins_factor()) {
        if (ambiguous) fail("a product behind a quotient: is it above or below the line?", "write parentheses");
        if (look().kind == Token::Kind::number) fail("a number behind a factor", "write the number first, or '*'");
        e = node(Kind::product, "*", {std::move(e), power()});
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
    return node(Kind::power, "^", {std::move(e), std::move(exponent)});
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
    if (++depth_ > deepest) return fail("operators lie too deep"), at_ = end_, Expression{};
    Expression of = power();
    --depth_;
    Expression e = node(Kind::apply, t.text, {std::move(of)});
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
        fail("indices behind a parenthesis", "indices belong to names");
      e.span = {t.span.begin, look().span.end};
      if (!take(")")) fail("expected ')'");
    } else {
      fail(t.text.empty() ? "a name, a number or '(' was expected"
                          : fmt::format("'{}' where a name, a number or '(' was expected", t.text));
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
  }

  const Words& words_;
  int depth_ = 0;
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
