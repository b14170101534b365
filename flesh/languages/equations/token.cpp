#include "equations/token.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "equations/reader.hpp"

namespace cereus::equations {
namespace {
constexpr int most_indices = 8;  // of a name: n of them are up to 3ⁿ components

class TokenReader : public Reader {
 public:
  explicit TokenReader(const Source& source) : Reader(source) {}

 private:
  void tab() override {
    source_.add({at_, at_ + 1}, "a tab: statements are told apart by their column", "write blanks");
  }
  void read_name(Token& t) override {
    t.text = letters_and_digits();
    read_indices(t);
  }
  bool read_other(Token& t) override {
    if (is_digit(look()) || (look() == '.' && is_digit(look(1)))) return read_number(t), true;
    if (look() == '"') return read_text(t), true;
    if (!read_symbol(t, {"==", "!=", "<=", ">="}, "+-*/^()[]{},=<>?:", "names are of the letters a to z and digits"))
      return false;
    if (t.is(")")) read_indices(t);
    return true;
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
        i.name = letters_and_digits();
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

  int groups_ = 0;
};
}  // namespace

std::vector<Token> read_tokens(const Source& source) { return TokenReader(source).read(); }
}  // namespace cereus::equations
