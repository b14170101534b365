// A place among the tokens of a statement, which both parsers move along.
#pragma once
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

  const Source& source_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0, end_ = 0;
  bool failed_ = false;
};
}  // namespace cereus::equations
