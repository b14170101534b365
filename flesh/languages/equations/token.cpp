#include "equations/token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace cereus::equations {
namespace {
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
constexpr int most_indices = 8;  // of a name: n of them are up to 3ⁿ components

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), s_(source.text()) {}
  std::vector<Token> read() {
    while (skip_blanks(), at_ < size()) {
      Token t;
      t.first_of_line = first_, t.after_blank = blank_, t.column = column_;
      t.span.begin = at_;
      if (is_letter(look())) read_name(t);
      else if (is_digit(look()) || (look() == '.' && is_digit(look(1)))) read_number(t);
      else if (look() == '"') read_text(t);
      else if (!read_symbol(t)) continue;
      t.span.end = at_;
      if (t.is(")")) read_indices(t);
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
    const int before = at_;
    first_ = at_ == 0;
    for (; at_ < size(); ++at_) {
      if (look() == '#') {
        while (at_ + 1 < size() && look(1) != '\n') ++at_;
      } else if (look() == '\n') {
        first_ = true, line_begin_ = at_ + 1;
      } else if (look() == '\t' && first_) {
        source_.add({at_, at_ + 1}, "a tab: statements are told apart by their column", "write blanks");
      } else if (look() != ' ' && look() != '\r' && look() != '\t') {
        break;
      }
    }
    blank_ = at_ > before || at_ == 0;
    column_ = at_ - line_begin_;
  }

  void read_name(Token& t) {
    t.kind = Token::Kind::name;
    while (is_letter(look()) || is_digit(look())) t.text += s_[at_++];
    read_indices(t);
  }
  // `_` or `^` and letters, numbers after `_`, {names}, and in declarations (ij) or [ij]. `^2` and `^(1/2)` are powers.
  void read_indices(Token& t) {
    const int from = at_;
    while (look() == '_' || look() == '^') {
      const bool up = look() == '^';
      const char next = look(1);
      if (up && !is_letter(next) && next != '{' && !bracket_of_indices(at_ + 1)) break;
      ++at_;
      const int begin = at_;
      read_run(t, up);
      if (at_ == begin) {
        source_.add({at_ - 1, at_}, fmt::format("'{}' without an index", up ? '^' : '_'), "an index is a letter");
        break;
      }
    }
    const auto letters = std::ranges::count_if(t.indices, [](const Index& i) { return i.component < 0; });
    if (letters <= most_indices) return;
    source_.add({from, at_}, fmt::format("{} indices, of at most {}", letters, most_indices),
        "letters behind _ and ^ are indices: names have no underscore");
    t.indices.clear();
  }
  // Two letters of a … d or i … n in brackets: a pair of upper indices, not a power.
  bool bracket_of_indices(int p) const {
    const auto letter = [&](int q) {
      return q < size() && ((s_[q] >= 'a' && s_[q] <= 'd') || (s_[q] >= 'i' && s_[q] <= 'n'));
    };
    return p + 3 < size() && letter(p + 1) && letter(p + 2) &&
           ((s_[p] == '(' && s_[p + 3] == ')') || (s_[p] == '[' && s_[p + 3] == ']'));
  }
  void read_run(Token& t, bool up) {
    const int begin = at_;
    int group = 0;
    bool anti = false;
    for (;;) {
      Index i;
      i.up = up, i.group = group, i.antisymmetric = anti, i.span.begin = at_;
      const char c = look();
      if (is_letter(c)) {
        i.name = c, ++at_;
        if (c >= 'x' && c <= 'z') i.component = c - 'x';
      } else if (!up && c >= '1' && c <= '3') {
        i.name = c, i.component = c - '1', ++at_;
      } else if (c == '{') {
        ++at_;
        while (is_letter(look()) || is_digit(look())) i.name += s_[at_++];
        if (look() != '}') source_.add({i.span.begin, at_}, "an index in braces does not end", "write '}'");
        else ++at_;
      } else if ((c == '(' || c == '[') && group == 0 && (!up || at_ == begin) &&
                 (at_ == begin || bracket_of_indices(at_))) {
        group = ++groups_, anti = c == '[', ++at_;
        continue;
      } else if ((c == ')' || c == ']') && group != 0 && anti == (c == ']')) {
        group = 0, anti = false, ++at_;
        continue;
      } else {
        if (group != 0) source_.add({at_, at_ + 1}, "a bracket around indices does not end", anti ? "']'" : "')'");
        return;
      }
      i.span.end = at_;
      t.indices.push_back(std::move(i));
    }
  }

  void read_number(Token& t) {
    t.kind = Token::Kind::number;
    Integer digits = 0;
    int exponent = 0, written = 0;
    bool point = false;
    for (; is_digit(look()) || (look() == '.' && !point); ++at_) {
      if (look() == '.') {
        point = true;
        continue;
      }
      if (++written <= 30) digits = digits * 10 + (look() - '0');
      exponent -= point;
    }
    if ((look() == 'e' || look() == 'E') &&
        (is_digit(look(1)) || ((look(1) == '-' || look(1) == '+') && is_digit(look(2))))) {
      ++at_;
      const bool negative = look() == '-';
      if (negative || look() == '+') ++at_;
      int e = 0;
      for (; is_digit(look()); ++at_) e = e < 1000 ? e * 10 + (look() - '0') : e;
      exponent += negative ? -e : e;
    }
    if (written > 30 || exponent > 30 || exponent < -36) {
      source_.add({t.span.begin, at_}, "a number of more than 30 digits", "a parameter may have such a value");
      return;
    }
    t.value = Rational(digits);
    for (; exponent > 0; --exponent) t.value *= 10;
    for (; exponent < 0; ++exponent) t.value /= 10;
  }

  void read_text(Token& t) {
    t.kind = Token::Kind::text;
    const int begin = ++at_;
    while (at_ < size() && look() != '"' && look() != '\n') ++at_;
    t.text = s_.substr(begin, at_ - begin);
    if (look() == '"') ++at_;
    else source_.add({begin - 1, at_}, "a text does not end on its line", "write '\"'");
  }

  bool read_symbol(Token& t) {
    t.kind = Token::Kind::symbol;
    for (const char* two : {"==", "!=", "<=", ">="})
      if (s_.compare(at_, 2, two) == 0) return t.text = two, at_ += 2, true;
    if (std::string("+-*/^()[]{},=<>?:").find(look()) != std::string::npos) return t.text = s_[at_++], true;
    const int begin = at_++;
    while ((look() & 0xC0) == 0x80) ++at_;
    source_.add({begin, at_}, fmt::format("'{}' has no meaning here", s_.substr(begin, at_ - begin)),
        "names are of the letters a to z and digits");
    return false;
  }

  const Source& source_;
  const std::string& s_;
  int at_ = 0, line_begin_ = 0, column_ = 0, groups_ = 0;
  bool first_ = true, blank_ = true;
  std::vector<Token> tokens_;
};
}  // namespace

std::vector<Token> read_tokens(const Source& source) { return Reader(source).read(); }
}  // namespace cereus::equations
