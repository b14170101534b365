// What a text of equations says, before any name is looked up: expressions, declarations and calculations with their
// places.
#pragma once
#include <memory>
#include <optional>
#include <set>

#include "cereus/group.hpp"
#include "equations/token.hpp"
namespace cereus::equations {
struct Expression {
  enum class Kind {
    number,    // value
    name,      // text with indices: a variable, a parameter, a let name, a coordinate
    call,      // text(args) with indices: a function, a let name with arguments, det, tracefree, sym
    apply,     // an operator with indices on args[0]: D_i, D_t, upwind_k, dissipation, one of the text's own
    sum,       // of all args
    product,   // args[0] · args[1]
    quotient,  // args[0] / args[1]
    power,     // args[0] ^ args[1]
    negative,  // −args[0]
    compare,   // args[0] text args[1]
    logic,     // args[0] text args[1], or `not` args[0]
    choose     // args[0] ? args[1] : args[2]
  } kind = Kind::number;
  Span span;
  Rational value;
  std::string text;
  std::vector<Index> indices;
  std::vector<Expression> args;
  int height = 0;  // of the tree above its leaves
};

// A tensor as it is declared: `g_(ij) "metric" far delta_ij speed 1 axial`.
struct Declared {
  std::string name, doc;
  Span span;
  std::vector<Index> indices;
  std::optional<Expression> far, speed, diffusivity;
  bool axial = false;
  std::string as;  // of another thorn's: what its names begin with, gxx if this is g
};

struct ParameterText {
  Declared declared;
  struct Bound {
    Rational value;
    bool infinite = false, included = true;
  };
  struct Choice {
    std::string word, doc;  // a keyword,
    Rational number;        // or a number if `word` is empty
  };
  std::vector<Rational> value;    // components, those of a matrix row by row
  std::vector<std::size_t> rows;  // how many numbers each row in parentheses has
  std::string keyword;            // or one of the choices
  std::optional<Bound> lower, upper;
  std::vector<Choice> choices;
  bool steerable = false;
  bool is_choice_of_words() const { return !choices.empty() && !choices[0].word.empty(); }
  bool is_integer() const { return !choices.empty() && choices[0].word.empty(); }
};

struct GroupText {  // evolve or derive
  std::string name, doc;
  Span span;
  bool evolved = false;
  bool stored = false;  // what `store` names
  std::vector<Declared> tensors;
};

// `name_indices(arguments) = right` of `let`, or an equation of a calculation.
struct Equation {
  Span span;
  Declared left;
  std::vector<std::string> arguments;
  bool of_rate = false;  // D_t left
  bool adds = false;     // left: + right, to what the section above has set
  bool stored = false;   // of `let`: right-hand sides read it from a grid function
  Expression right;
};

struct Calculation {
  enum class Kind { initial, rhs, after_substep, after_step, analysis, store } kind = Kind::rhs;
  Span span;
  bool after_exchange = false;  // of initial: reads what initial wrote at neighbours
  std::string region, from;     // `on interior`; `from Thorn`: a conversion that is scheduled with that thorn
  std::string with;             // adds to the section above, in runs where this thorn is active
  Span with_span;
  int every = 0;                 // iterations
  std::vector<Expression> each;  // `every D_t u: + …`: is added to each right-hand side; `u` is the variable
  std::vector<Equation> equations;
};

struct OperatorText {  // centred(order), upwind(order), dissipation(order + 1)
  std::string name;
  Span span;
  std::string parameter;  // the order is value + this parameter,
  int value = 0;          // or the value alone
  bool diagonal = false;  // of centred: mixed derivatives along diagonals
};

struct OwnOperator {  // operator name(argument) = body, along an axis: argument(+1) is its next neighbour, h the
                      // spacing
  std::string name, argument;
  Span span;
  Expression body;
};

// `forward` or `backward`: the first derivative from the point and its `order` next neighbours on one side.
inline bool is_one_sided(const std::string& name) { return name == "forward" || name == "backward"; }
OwnOperator one_sided(const std::string& name, int order, Span);

struct Radiate {
  std::vector<Declared> names;
  std::optional<Expression> speed;
};

struct ThornText {
  std::string name, doc;
  std::array<Centre, 3> centre{};  // of all variables
  Span span;
  std::vector<ParameterText> parameters;
  std::vector<GroupText> groups;
  struct Foreign {
    std::string thorn;
    std::vector<Declared> tensors;
  };
  std::vector<Foreign> foreign;
  std::optional<Declared> metric;
  bool unit_determinant = false;
  std::vector<OperatorText> operators;
  std::vector<OwnOperator> own_operators;
  std::vector<Equation> lets;
  std::vector<Calculation> calculations;
  std::vector<Radiate> boundary;
  std::vector<int> dimensions;  // none: all
};
// Mistakes go to the source; what could be read is returned.
ThornText parse(const Source&);
// One expression: all tokens from `at` on that belong to it; `at` then stands behind it.
struct Words {
  std::set<std::string> ends;       // that end an expression
  std::set<std::string> operators;  // of the text's own
};
Expression parse_expression(const Source&, const std::vector<Token>&, std::size_t& at, std::size_t end, const Words&);
}  // namespace cereus::equations
