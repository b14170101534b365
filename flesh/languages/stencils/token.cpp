#include <fmt/format.h>

#include "equations/reader.hpp"
#include "stencils/tree.hpp"

namespace cereus::stencils {
using equations::Token;
namespace {
class WordReader : public equations::Reader {
 public:
  explicit WordReader(const Source& source) : Reader(source) {}

 private:
  void read_name(Token& t) override {
    t.text = letters_and_digits();
    if (look() != '_') return;
    ++at_;
    t.indices.emplace_back().name = letters_and_digits();
    if (t.indices[0].name.empty() || look() == '_')
      source_.add({t.span.begin, at_}, "a name has one subscript, of letters and digits", "A_G");
  }
  bool read_other(Token& t) override {
    constexpr std::string_view times = "×";
    if (is_digit(look())) return read_number(t), true;
    if (s_.compare(at_, times.size(), times) == 0)
      return t.kind = Token::Kind::symbol, t.text = "x", at_ += static_cast<int>(times.size()), true;
    return read_symbol(t, {"==", "!=", "<=", ">=", ".."},
        "+-*/()[]{},.=<>?:", "names are of the letters a to z and digits, with a subscript behind '_'");
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
};
}  // namespace

std::vector<Token> read_words(const Source& source) { return WordReader(source).read(); }
}  // namespace cereus::stencils
