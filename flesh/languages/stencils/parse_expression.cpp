// Expressions, by recursive descent: let > choose > comparison > sum > product > sign > primary.
#include <fmt/format.h>

#include "equations/cursor.hpp"
#include "stencils/tree.hpp"

namespace cereus::stencils {
using equations::Token;
namespace {
using Kind = Expression::Kind;
constexpr int highest = 3000;  // sums are long

class Parser : public equations::ExpressionParser<Expression> {
 public:
  Parser(const Source& source, const std::vector<Token>& tokens, std::size_t at, std::size_t end)
      : ExpressionParser(source, tokens, at, end, highest, "name a part of it: let a = … in …") {}
  Expression expression() {
    return within("brackets", [&] { return look().is_word("let") ? let() : choose(); });
  }

 private:
  Expression let() {
    const Span begin = tokens_[at_++].span;
    const std::string name = word("a name");
    expect("=");
    Expression value = expression();
    if (!take_word("in")) fail("expected 'in'", "let a = … in …");
    Expression e = node(Kind::let, name, std::move(value), failed_ ? Expression{} : expression());
    e.span.begin = begin.begin;
    return e;
  }
  Expression choose() {
    Expression e = comparison([&] { return sum(); });
    if (!take("?")) return e;
    Expression yes = expression();
    expect(":");
    return node(Kind::choose, "?:", {std::move(e), std::move(yes), expression()});
  }
  Expression sum() {
    const auto product = [&] { return chain(Kind::binary, {"*", "/"}, [&] { return sign(); }); };
    return chain(Kind::binary, {"+", "-"}, product);
  }
  Expression sign() {
    const Span begin = look().span;
    while (take("+")) {}
    if (!take("-")) return primary();
    Expression e = node(Kind::negative, "-", {within("signs", [&] { return sign(); })});
    e.span.begin = begin.begin;
    return e;
  }

  Expression primary() {
    Expression e;
    const Token& t = look();
    e.span = t.span, e.text = t.text;
    if (!more()) return fail("something is missing at the end", "an expression"), e;
    if (t.kind == Token::Kind::number) return ++at_, e;
    if (t.kind == Token::Kind::name) return name(e), e;
    if (t.is("{")) return record();
    if (!take("("))
      return fail(fmt::format(
                 "'{}' where a name, a number or '(' was expected{}", t.text, t.text == "*" ? "; a power is x^2" : "")),
             ++at_, e;
    e = expression();
    expect(")");
    e.span = {t.span.begin, tokens_[at_ - 1].span.end};
    return e;
  }
  void name(Expression& e) {
    e.old = look().is_word("old") && look(1).kind == Token::Kind::name;
    if (e.old) e.text = tokens_[++at_].text;
    if (!look().indices.empty()) return fail("a field is read without the name of its grid", e.text), void(at_ = end_);
    ++at_;
    e.kind = e.old ? Kind::access : Kind::name;
    if (!e.old && take("(")) {
      e.kind = Kind::call;
      do e.args.push_back(expression());
      while (take(","));
      expect(")");
      e = measured(std::move(e));
    } else if (take("[")) {
      e.kind = Kind::access;
      do e.offsets.push_back(offset());
      while (take(","));
      expect("]");
    }
    while (take(".")) {
      e.kind = Kind::access;
      const bool component = more() && (look().kind == Token::Kind::name || look().kind == Token::Kind::number);
      if (!component) return fail("expected a component", ".x or .0");
      e.path.push_back(tokens_[at_++].text);
    }
    e.span.end = tokens_[at_ - 1].span.end;
  }
  int offset() {
    const bool minus = take("-");
    if (!minus) take("+");
    const bool digits = more() && look().kind == Token::Kind::number && look().text.size() < 4 &&
                        look().text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return fail("an offset is a constant whole number", "A[-1, 0]"), 0;
    const int n = std::stoi(tokens_[at_++].text);
    return minus ? -n : n;
  }
  Expression record() {
    Expression e;
    e.kind = Kind::record;
    e.span = tokens_[at_++].span;
    do {
      if (look(1).is(":") && look().kind == Token::Kind::name) e.path.push_back(word("a member")), ++at_;
      e.args.push_back(expression());
    } while (take(","));
    if (!e.path.empty() && e.path.size() != e.args.size()) fail("some members have names and some have none");
    expect("}");
    e.span.end = tokens_[at_ - 1].span.end;
    return measured(std::move(e));
  }
};
}  // namespace

Expression parse_expression(const Source& source, const std::vector<Token>& tokens, std::size_t& at, std::size_t end) {
  Parser parser(source, tokens, at, end);
  Expression e = parser.expression();
  at = parser.at();
  return e;
}
}  // namespace cereus::stencils
