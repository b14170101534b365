#include <fmt/format.h>

#include <cctype>

#include "stencils/tree.hpp"

namespace cereus::stencils {
using equations::Token;
namespace {
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), s_(source.text()) {}
  std::vector<Token> read() {
    while (skip_blanks(), at_ < size()) {
      Token t;
      t.first_of_line = first_, t.span.begin = at_;
      if (is_letter(look())) read_name(t);
      else if (is_digit(look())) read_number(t);
      else if (!read_symbol(t)) continue;
      t.span.end = at_;
      tokens_.push_back(std::move(t));
    }
    Token end;
    end.span = {size(), size()}, end.first_of_line = true;
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  int size() const { return static_cast<int>(s_.size()); }
  char look(int n = 0) const { return at_ + n < size() ? s_[at_ + n] : '\0'; }
  void skip_blanks() {
    first_ = at_ == 0;
    for (; at_ < size(); ++at_) {
      if (look() == '#') at_ = static_cast<int>(std::min(s_.find('\n', at_), s_.size()));
      if (look() == '\n') first_ = true;
      else if (look() != ' ' && look() != '\r' && look() != '\t') break;
    }
  }
  std::string letters_and_digits() {
    const int begin = at_;
    while (is_letter(look()) || is_digit(look())) ++at_;
    return s_.substr(begin, at_ - begin);
  }
  void read_name(Token& t) {
    t.kind = Token::Kind::name;
    t.text = letters_and_digits();
    if (look() != '_') return;
    ++at_;
    t.indices.emplace_back().name = letters_and_digits();
    if (t.indices[0].name.empty() || look() == '_')
      source_.add({t.span.begin, at_}, "a name has one subscript, of letters and digits", "A_G");
  }
  void read_number(Token& t) {
    t.kind = Token::Kind::number;
    const int begin = at_;
    const auto digits = [&] {
      while (is_digit(look())) ++at_;
    };
    digits();
    const bool component = !tokens_.empty() && tokens_.back().is(".");
    if (!component && look() == '.' && look(1) != '.') ++at_, digits();
    const int sign = look(1) == '-' || look(1) == '+';
    if (!component && (look() == 'e' || look() == 'E') && is_digit(look(1 + sign))) at_ += 1 + sign, digits();
    t.text = s_.substr(begin, at_ - begin);
  }
  bool read_symbol(Token& t) {
    t.kind = Token::Kind::symbol;
    for (const char* two : {"==", "!=", "<=", ">=", ".."})
      if (s_.compare(at_, 2, two) == 0) return t.text = two, at_ += 2, true;
    if (std::string_view("+-*/()[]{},.=<>?:").find(look()) != std::string_view::npos) return t.text = s_[at_++], true;
    const int begin = at_++;
    while ((look() & 0xC0) == 0x80) ++at_;
    const std::string symbol = s_.substr(begin, at_ - begin);
    if (symbol == "×") return t.text = "x", true;
    source_.add({begin, at_}, fmt::format("'{}' has no meaning here", symbol),
        "names are of the letters a to z and digits, with a subscript behind '_'");
    return false;
  }

  const Source& source_;
  const std::string& s_;
  int at_ = 0;
  bool first_ = true;
  std::vector<Token> tokens_;
};
}  // namespace

std::vector<Token> read_words(const Source& source) { return Reader(source).read(); }
}  // namespace cereus::stencils
