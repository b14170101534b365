// The statements of a program: one a line, unless a bracket is open or an operator ends or begins the next line.
#include <fmt/format.h>

#include <algorithm>

#include "equations/cursor.hpp"
#include "stencils/tree.hpp"

namespace cereus::stencils {
using equations::Token;
namespace {
constexpr const char* until_example = "until max(abs(A - old A)) < 1e-6, at most 1000";

class ProgramParser : equations::Cursor {
 public:
  ProgramParser(const Source& source, const std::vector<Token>& tokens) : Cursor(source, tokens) {}
  ProgramText program() {
    while (at_ + 1 < tokens_.size()) {
      end_ = end_of_statement(), failed_ = false;
      statement();
      if (more()) fail(fmt::format("'{}' was not expected here", look().text));
      at_ = end_;
    }
    if (then_) source_.add(*then_, "no function stands below `then`");
    return std::move(program_);
  }

 private:
  static bool opens(const Token& t) { return t.is("(") || t.is("[") || t.is("{") || t.is_word("let"); }
  static bool closes(const Token& t, int lets) {
    return t.is(")") || t.is("]") || t.is("}") || (lets > 0 && t.is_word("in"));
  }
  std::size_t end_of_statement() const {
    int depth = 0, lets = 0;
    std::size_t e = at_;
    bool goes_on = true;  // whether an operator was the last token
    for (; e + 1 < tokens_.size(); ++e) {
      const Token& t = tokens_[e];
      const bool joins = t.kind == Token::Kind::symbol && !opens(t) && !closes(t, 0);
      if (t.first_of_line && depth == 0 && !goes_on && !joins) break;
      const bool ends_let = lets > 0 && t.is_word("in");
      depth += opens(t) - closes(t, lets);
      lets += t.is_word("let") - ends_let;
      goes_on = joins || ends_let;
      depth = std::max(depth, 0);
    }
    return e;
  }

  Expression expression() {
    if (failed_) return {};
    const std::size_t before = source_.problems().count();
    Expression e = parse_expression(source_, tokens_, at_, end_);
    if (source_.problems().count() > before) failed_ = true, at_ = end_;
    return e;
  }

  void statement() {
    if (take_word("param")) return parameter();
    if (look().is_word("then")) return then();
    if (take_word("periodic")) return periodic();
    if (look().kind == Token::Kind::name && look(1).is("(")) return function();
    if (look().kind == Token::Kind::name && look(1).is(":")) return field();
    if (look().kind == Token::Kind::name && look(1).is("=")) return grid();
    fail("this is no statement", "a grid 'G = [0..N-1], 100', a field 'A_G : real' or a function 'f(A_G)[1..N-2] = …'");
    at_ = end_;
  }
  void parameter() {
    ParameterText p;
    p.span = look().span;
    p.name = word("the name of a parameter");
    if (take("=")) p.value = expression();
    program_.parameters.push_back(std::move(p));
  }
  void then() {
    if (program_.functions.empty()) fail("no function stands above `then`");
    then_ = look().span, ++at_;
  }
  void periodic() {
    do {
      const Span span = look().span;
      program_.periodic.emplace_back(word("an axis: x, y or z"), span);
    } while (more() && !failed_);
  }

  // What a comma separates is an axis (of a function), or an end of the first interval (of a grid).
  Bounds bounds(bool of_function) {
    Bounds all;
    do {
      expect("[");
      do {
        Interval i;
        i.low = i.high = expression();
        if (take("..") || (!of_function && all.empty() && take(","))) i.high = expression();
        all.push_back(std::move(i));
      } while (take(","));
      expect("]");
    } while (!failed_ && (take("x") || take_word("x")));
    return all;
  }
  UntilText until() {
    UntilText u;
    u.span = look().span, u.reduction = look().text;
    if (!take_word("max") && !take_word("min") && !take_word("sum")) fail("expected max, min or sum", until_example);
    expect("(");
    u.value = expression();
    expect(")");
    u.comparison = look().text;
    if (!take("<") && !take(">")) fail("expected '<' or '>'", until_example);
    u.limit = expression();
    if (!take(",") || !take_word("at") || !take_word("most")) fail("expected ', at most' so many steps", until_example);
    u.most = expression();
    return u;
  }
  void grid() {
    GridText g;
    g.span = look().span;
    g.name = word("the name of a grid");
    expect("=");
    if (more() && look().kind == Token::Kind::name) g.parent = word("a grid");
    g.bounds = bounds(!g.parent.empty());
    if (take(",")) g.steps = expression();
    if (g.steps && take_word("until")) g.until = until();
    program_.grids.push_back(std::move(g));
  }
  Type type(int depth = 0) {
    Type t;
    if (take_word("real")) return t;
    if (look().is_word("integer")) {
      if (depth > 0) fail("members are real; an integer is a field of its own", "I_G : integer");
      return t.kind = Type::Kind::integer, ++at_, t;
    }
    if (depth > 8) return fail("types lie too deep in each other"), t;
    t.kind = Type::Kind::record;
    if (take_word("vector")) {
      const bool number = more() && look().kind == Token::Kind::number && look().text.size() < 3;
      if (!number) return fail("expected how many", "vector 3 of real"), t;
      const int n = std::max(1, std::atoi(tokens_[at_++].text.c_str()));
      if (!take_word("of")) fail("expected 'of'", "vector 3 of real");
      t.vector = true;
      const Type element = failed_ ? Type{} : type(depth + 1);
      if (n * static_cast<int>(components_of(element).size()) > 64) return fail("more than 64 components"), t;
      for (int i = 0; i < n; ++i) t.members.emplace_back(std::to_string(i), element);
    } else if (take("{")) {
      do {
        const std::string name = word("the name of a member");
        expect(":");
        if (std::ranges::count(t.members, name, &std::pair<std::string, Type>::first))
          fail(fmt::format("there is a member '{}' already", name));
        if (!failed_) t.members.emplace_back(name, type(depth + 1));
      } while (!failed_ && take(","));
      expect("}");
    } else {
      fail("expected a type", "real, integer, 'vector 3 of real' or '{x: real, y: real}'");
    }
    return t;
  }
  // NAME_GRID
  Argument subscripted() {
    Argument a;
    a.span = look().span;
    if (!more() || look().kind != Token::Kind::name) return fail("expected a field with its grid", "A_G"), a;
    if (look().indices.empty())
      return fail(fmt::format("'{}' does not say on which grid it is", look().text), look().text + "_G"), a;
    a.field = look().text, a.grid = look().indices[0].name, ++at_;
    return a;
  }
  void field() {
    FieldText f;
    const Argument name = subscripted();
    f.name = name.field, f.grid = name.grid, f.span = name.span;
    expect(":");
    f.type = type();
    if (take("=")) f.initial = expression();
    f.in = take_word("in");
    f.scratch = !f.in && take_word("scratch");
    program_.fields.push_back(std::move(f));
  }
  void function() {
    FunctionText f;
    f.span = look().span, f.name = look().text, f.then = then_.has_value();
    then_.reset();
    if (!look().indices.empty()) f.subscript = look().indices[0].name;
    at_ += 2;
    do f.arguments.push_back(subscripted());
    while (!failed_ && take(","));
    expect(")");
    f.bounds = bounds(true);
    expect("=");
    f.value = expression();
    if (!failed_) program_.functions.push_back(std::move(f));
  }

  std::optional<Span> then_;  // of the one that no function followed yet
  ProgramText program_;
};
}  // namespace

ProgramText parse_program(const Source& source) {
  const auto tokens = read_words(source);
  return ProgramParser(source, tokens).program();
}
}  // namespace cereus::stencils
