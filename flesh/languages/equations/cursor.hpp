// A place among the tokens of a statement, which all parsers move along: of sections, of programs, of expressions.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "equations/token.hpp"

namespace cereus::equations {
class Cursor {
 public:
  Cursor(const Source& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

 protected:
  const Token& look(std::size_t n = 0) const { return at_ + n < end_ ? tokens_[at_ + n] : tokens_.back(); }
  bool more() const { return at_ < end_; }
  bool take(const char* symbol) { return more() && look().is(symbol) && (++at_, true); }
  bool take_word(const char* word) { return more() && look().is_word(word) && (++at_, true); }
  // Adds a mistake at this place, or behind the last token. What follows from the first mistake says nothing.
  void fail(const std::string& what, const std::string& mend = "") {
    const Span behind = at_ > 0 ? tokens_[at_ - 1].span : Span{};
    if (!failed_) source_.add(more() ? look().span : Span{behind.end, behind.end + 1}, what, mend);
    failed_ = true;
  }
  void expect(const char* symbol) {
    if (!take(symbol)) fail(fmt::format("expected '{}'", symbol));
  }
  std::string word(const char* what) {
    if (more() && look().kind == Token::Kind::name && look().indices.empty()) return tokens_[at_++].text;
    return fail(fmt::format("expected {}", what)), "";
  }

  const Source& source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0, end_ = 0;
  bool failed_ = false;
};

// What expressions of all languages have in common. Trees stay so low that a stack holds those who go through them.
template <class Expression> class ExpressionParser : protected Cursor {
 public:
  std::size_t at() const { return at_; }

 protected:
  using Kind = typename Expression::Kind;
  // `highest`: how many operations are made of each other; `mend`: what to do about more.
  ExpressionParser(const Source& source, const std::vector<Token>& tokens, std::size_t at, std::size_t end, int highest,
      const char* mend)
      : Cursor(source, tokens),
        highest_(highest),
        mend_(mend) {
    at_ = at, end_ = end;
  }

  // An expression that is made of others, from the first of them to the last.
  Expression node(Kind kind, std::string text, std::vector<Expression> args) {
    Expression e;
    e.kind = kind, e.text = std::move(text);
    e.span = {args.front().span.begin, args.back().span.end};
    e.args = std::move(args);
    return measured(std::move(e));
  }
  Expression node(Kind kind, std::string text, Expression a, Expression b) {
    std::vector<Expression> args;  // no list in braces: that would be copied
    args.push_back(std::move(a)), args.push_back(std::move(b));
    return node(kind, std::move(text), std::move(args));
  }
  Expression measured(Expression e) {
    for (const Expression& a : e.args) e.height = std::max(e.height, a.height + 1);
    if (e.height <= highest_) return e;
    return give_up(fmt::format("more than {} operations within each other", highest_));
  }
  // a op b op c, from the left, of what binds tighter.
  template <class F> Expression chain(Kind kind, std::initializer_list<const char*> operators, F&& tighter) {
    Expression e = tighter();
    const auto is_next = [&](const char* s) { return take(s) || take_word(s); };
    for (auto s = std::ranges::find_if(operators, is_next); s != operators.end();
         s = std::ranges::find_if(operators, is_next))
      e = node(kind, *s, std::move(e), tighter());
    return e;
  }
  template <class F> Expression comparison(F&& tighter) {
    Expression e = tighter();
    for (const char* s : {"==", "!=", "<=", ">=", "<", ">"})
      if (take(s)) return node(Kind::compare, s, std::move(e), tighter());
    return e;
  }
  // What stands within others: brackets, signs, operators.
  template <class F> Expression within(const char* others, F&& f) {
    constexpr int deepest = 200;
    if (++depth_ > deepest) return --depth_, give_up(fmt::format("{} lie too deep", others));
    Expression e = f();
    return --depth_, e;
  }

 private:
  Expression give_up(const std::string& what) { return fail(what, mend_), at_ = end_, Expression{}; }
  const int highest_;
  const char* mend_;
  int depth_ = 0;
};
}  // namespace cereus::equations
