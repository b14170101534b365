// The value of an expression of the graph for given values of its leaves, in any type of number: for checks.
#pragma once
#include <cmath>
#include <functional>
#include <map>

#include "equations/graph.hpp"
namespace cereus::equations {
// leaf(node) gives the value of a node without operands; truth values are 0 and 1. `round` is applied to each result.
template <class F, class R = std::identity> double evaluate(const Graph& g, Term t, F&& leaf, R&& round = {}) {
  std::map<int, double> v;
  const int root[] = {t.node};
  for (const int n : cone(g, root)) {
    const Node& node = g[n];
    const auto arg = [&](int i) { return v.at(node.args[i]); };
    const auto call = [&](const std::string& f) {
      static const std::map<std::string, double (*)(double)> one{{"exp", std::exp}, {"log", std::log},
          {"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan}, {"asin", std::asin}, {"acos", std::acos},
          {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh}, {"tanh", std::tanh}, {"abs", std::fabs},
          {"floor", std::floor}, {"ceil", std::ceil}};
      if (const auto at = one.find(f); at != one.end()) return at->second(arg(0));
      if (f == "min") return std::fmin(arg(0), arg(1));
      if (f == "max") return std::fmax(arg(0), arg(1));
      return f == "atan2" ? std::atan2(arg(0), arg(1)) : std::pow(arg(0), arg(1));
    };
    const auto holds = [&](const std::string& r) {
      const double a = arg(0), b = arg(1);
      return r == "<"    ? a < b
             : r == ">"  ? a > b
             : r == "<=" ? a <= b
             : r == ">=" ? a >= b
             : r == "==" ? a == b
                         : a != b;
    };
    double x = 0;
    switch (node.op) {
      case Op::one: x = 1; break;
      case Op::pi: x = 3.14159265358979323846; break;
      case Op::sum:
        for (std::size_t i = 0; i < node.args.size(); ++i) x += to_double(node.factors[i]) * arg(static_cast<int>(i));
        break;
      case Op::product: x = arg(0) * arg(1); break;
      case Op::reciprocal: x = 1 / arg(0); break;
      case Op::power: x = std::pow(arg(0), to_double(node.exponent)); break;
      case Op::call: x = call(node.text); break;
      case Op::compare: x = holds(node.text); break;
      case Op::logic:
        x = node.text == "not"   ? arg(0) == 0
            : node.text == "and" ? arg(0) != 0 && arg(1) != 0
                                 : arg(0) != 0 || arg(1) != 0;
        break;
      case Op::choose: x = arg(0) != 0 ? arg(1) : arg(2); break;
      default: x = leaf(node);
    }
    v[n] = round(x);
  }
  return to_double(t.factor) * v.at(t.node);
}
}  // namespace cereus::equations
