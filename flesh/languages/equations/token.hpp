// Words of a text of equations. A name carries its indices: `A^i_j` and `g_(ij)` are one token each.
#pragma once
#include "equations/rational.hpp"
#include "equations/source.hpp"
namespace cereus::equations {
struct Index {
  std::string name;    // a letter, or what stood in braces
  int component = -1;  // 0, 1, 2 if it is a number or a coordinate
  bool up = false;
  int group = 0;  // of a declaration: indices with the same number other than 0 are (anti)symmetric
  bool antisymmetric = false;
  Span span;
};

struct Token {
  enum class Kind { name, number, text, symbol, end } kind = Kind::end;
  Span span;
  std::string text;            // of a name: without indices; of a text: without quotes
  std::vector<Index> indices;  // of a name, or of a closing parenthesis
  Rational value;              // of a number
  bool after_blank = false, first_of_line = false;
  int column = 0;  // from 0
  bool is(const char* symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_word(const char* word) const { return kind == Kind::name && text == word && indices.empty(); }
};
// The last token is of kind `end`.
std::vector<Token> read_tokens(const Source&);
}  // namespace cereus::equations
