// What the words of all languages have in common: blanks, comments behind #, names, symbols of one or two characters.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "equations/token.hpp"
namespace cereus::equations {
class Reader {
 public:
  virtual ~Reader() = default;
  // The last token is of kind `end`.
  std::vector<Token> read() {
    while (skip_blanks(), at_ < size()) {
      Token t;
      t.first_of_line = first_, t.after_blank = blank_, t.column = at_ - line_begin_;
      t.span.begin = at_;
      if (is_letter(look())) t.kind = Token::Kind::name, read_name(t);
      else if (!read_other(t)) continue;
      t.span.end = at_;
      tokens_.push_back(std::move(t));
    }
    Token end;
    end.span = {size(), size()}, end.first_of_line = true;
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 protected:
  explicit Reader(const Source& source) : source_(source), s_(source.text()) {}
  virtual void read_name(Token&) = 0;   // which begins here
  virtual bool read_other(Token&) = 0;  // false: it means nothing
  virtual void tab() {}                 // is in front of a line
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  int size() const { return static_cast<int>(s_.size()); }
  char look(int n = 0) const { return at_ + n < size() ? s_[at_ + n] : '\0'; }
  std::string letters_and_digits() {
    const int begin = at_;
    while (is_letter(look()) || is_digit(look())) ++at_;
    return s_.substr(begin, at_ - begin);
  }
  bool read_symbol(Token& t, std::initializer_list<const char*> of_two, std::string_view of_one, const char* mend) {
    t.kind = Token::Kind::symbol;
    for (const char* two : of_two)
      if (s_.compare(at_, 2, two) == 0) return t.text = two, at_ += 2, true;
    if (of_one.find(look()) != of_one.npos) return t.text = s_[at_++], true;
    const int begin = at_++;
    while ((look() & 0xC0) == 0x80) ++at_;
    source_.add({begin, at_}, fmt::format("'{}' has no meaning here", s_.substr(begin, at_ - begin)), mend);
    return false;
  }

  const Source& source_;
  const std::string& s_;
  int at_ = 0;
  std::vector<Token> tokens_;

 private:
  void skip_blanks() {
    const int before = at_;
    first_ = at_ == 0;
    for (; at_ < size(); ++at_) {
      const char c = look();
      if (c == '#') at_ = static_cast<int>(std::min(s_.find('\n', at_), s_.size())) - 1;
      else if (c == '\n') first_ = true, line_begin_ = at_ + 1;
      else if (c == '\t' && first_) tab();
      else if (c != ' ' && c != '\r' && c != '\t') break;
    }
    blank_ = at_ > before || at_ == 0;
  }
  int line_begin_ = 0;
  bool first_ = true, blank_ = true;
};
}  // namespace cereus::equations
