// The value of an expression of the graph for given values of its leaves, in any type of number: of members of kernels,
// and for checks.
#pragma once
#include <cmath>
#include <functional>
#include <map>

#include "equations/graph.hpp"
namespace cereus::equations {
using Function = double (*)(double, double);
// Of a node that is a call, a comparison or logic: of one operand or two. Truth values are 0 and 1.
inline Function function_of(const Node& n) {
  static const std::map<std::string, Function> all{{"exp", [](double a, double) { return std::exp(a); }},
      {"log", [](double a, double) { return std::log(a); }}, {"sin", [](double a, double) { return std::sin(a); }},
      {"cos", [](double a, double) { return std::cos(a); }}, {"tan", [](double a, double) { return std::tan(a); }},
      {"asin", [](double a, double) { return std::asin(a); }}, {"acos", [](double a, double) { return std::acos(a); }},
      {"atan", [](double a, double) { return std::atan(a); }}, {"sinh", [](double a, double) { return std::sinh(a); }},
      {"cosh", [](double a, double) { return std::cosh(a); }}, {"tanh", [](double a, double) { return std::tanh(a); }},
      {"erf", [](double a, double) { return std::erf(a); }}, {"abs", [](double a, double) { return std::fabs(a); }},
      {"floor", [](double a, double) { return std::floor(a); }},
      {"ceil", [](double a, double) { return std::ceil(a); }},
      {"min", [](double a, double b) { return std::fmin(a, b); }},
      {"max", [](double a, double b) { return std::fmax(a, b); }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
      {"atan2", [](double a, double b) { return std::atan2(a, b); }},
      {"<", [](double a, double b) -> double { return a < b; }},
      {">", [](double a, double b) -> double { return a > b; }},
      {"<=", [](double a, double b) -> double { return a <= b; }},
      {">=", [](double a, double b) -> double { return a >= b; }},
      {"==", [](double a, double b) -> double { return a == b; }},
      {"!=", [](double a, double b) -> double { return a != b; }},
      {"not", [](double a, double) -> double { return a == 0; }},
      {"and", [](double a, double b) -> double { return a != 0 && b != 0; }},
      {"or", [](double a, double b) -> double { return a != 0 || b != 0; }}};
  return all.at(n.text);
}

// leaf(node) gives the value of a node without operands. `round` is applied to each result.
template <class F, class R = std::identity> double evaluate(const Graph& g, Term t, F&& leaf, R&& round = {}) {
  std::map<int, double> v;
  const int root[] = {t.node};
  for (const int n : cone(g, root)) {
    const Node& node = g[n];
    const auto arg = [&](int i) { return v.at(node.args[i]); };
    double x = 0;
    switch (node.op) {
      case Op::one: x = 1; break;
      case Op::pi: x = 3.14159265358979323846; break;
      case Op::sum:
        for (std::size_t i = 0; i < node.args.size(); ++i) x += to_double(node.factors[i]) * arg(static_cast<int>(i));
        break;
      case Op::product: x = arg(0) * arg(1); break;
      case Op::reciprocal: x = 1 / arg(0); break;
      case Op::power:
        x = node.exponent == Rational(1, 2) ? std::sqrt(arg(0)) : std::pow(arg(0), to_double(node.exponent));
        break;
      case Op::call:
      case Op::compare:
      case Op::logic: x = function_of(node)(arg(0), node.args.size() > 1 ? arg(1) : 0); break;
      case Op::choose: x = arg(0) != 0 ? arg(1) : arg(2); break;
      default: x = leaf(node);
    }
    v[n] = round(x);
  }
  return to_double(t.factor) * v.at(t.node);
}
}  // namespace cereus::equations
