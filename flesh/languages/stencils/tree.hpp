// What a stencil program says, before any name is looked up: grids, fields and functions with their places.
#pragma once
#include <memory>
#include <optional>

#include "equations/token.hpp"
namespace cereus::stencils {
using equations::Source;
using equations::Span;

struct Type {                                                          // of a field or an expression
  enum class Kind { real, integer, truth, record } kind = Kind::real;  // integer: of 32 bits
  bool vector = false;                                                 // a record whose members are called 0, 1, …
  std::vector<std::pair<std::string, Type>> members;                   // of a record
  bool operator==(const Type&) const = default;
};
// What is stored of a type, as suffixes of a variable's name: "" of a real, "_x" and "_y" of {x: real, y: real}.
std::vector<std::string> components_of(const Type&);

struct Expression {
  enum class Kind {
    number,    // text, as it is written
    name,      // a parameter, a name of `let`, a coordinate
    access,    // field text at `offsets`, its component `path`
    call,      // text(args)
    negative,  // −args[0]
    binary,    // args[0] text args[1]
    compare,   // args[0] text args[1]
    choose,    // args[0] ? args[1] : args[2]
    let,       // text = args[0] in args[1]
    record     // {path[0]: args[0], …}, or {args[0], …}
  } kind = Kind::number;
  Span span;
  std::string text;
  std::vector<int> offsets;  // first index first; none: the point itself
  bool old = false;          // of an access: before the last step
  std::vector<std::string> path;
  std::vector<Expression> args;
  Type type;       // once it is checked
  int height = 0;  // of the tree above its leaves
};

struct Interval {
  Expression low, high;  // both included
};
using Bounds = std::vector<Interval>;  // first index first

struct ParameterText {
  std::string name;
  Span span;
  std::optional<Expression> value;
};

struct UntilText {  // reduction(value) comparison limit
  Span span;
  std::string reduction, comparison;  // max, min, sum; <, >
  Expression value, limit, most;      // most: steps
};

struct GridText {
  std::string name, parent;
  Span span;
  Bounds bounds;
  std::optional<Expression> steps;
  std::optional<UntilText> until;  // looked at after each `steps` steps
};

struct FieldText {
  std::string name, grid;
  Span span;
  Type type;
  std::optional<Expression> initial;
  bool in = false, scratch = false;
};

struct Argument {
  std::string field, grid;
  Span span;
};

struct FunctionText {
  std::string name, subscript;
  Span span;
  std::vector<Argument> arguments;
  Bounds bounds;
  Expression value;
  bool then = false;  // whether `then` stands above it
};

struct ProgramText {
  std::vector<ParameterText> parameters;
  std::vector<GridText> grids;  // the first is that of the run
  std::vector<FieldText> fields;
  std::vector<FunctionText> functions;
  std::vector<std::pair<std::string, Span>> periodic;  // x, y, z
};
// Mistakes go to the source; what could be read is returned.
ProgramText parse_program(const Source&);
// Words of a program. A name's subscript is its only index, and a number has its text.
std::vector<equations::Token> read_words(const Source&);
// One expression: all tokens from `at` on that belong to it; `at` then stands behind it.
Expression parse_expression(const Source&, const std::vector<equations::Token>&, std::size_t& at, std::size_t end);
}  // namespace cereus::stencils
