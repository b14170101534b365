// A place among the tokens of a statement, which all parsers move along: of sections, of programs, of expressions.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "equations/token.hpp"

namespace cereus::equations {

// An expression of any language that is made of others, from the first of them to the last.
template <class Expression>
Expression joined(typename Expression::Kind kind, std::string text, std::vector<Expression> args) {
  Expression e;
  e.kind = kind, e.text = std::move(text);
  e.span = {args.front().span.begin, args.back().span.end};
  e.args = std::move(args);
  return e;
}

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
}  // namespace cereus::equations
