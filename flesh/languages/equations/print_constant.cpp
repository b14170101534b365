// Expressions of parameters, as C++ that the host computes in double from `p`, the parameters.
#include <fmt/format.h>

#include "equations/print.hpp"

namespace cereus::equations {
namespace {
std::string print_node(const Program&, int n);
std::string print_product(const Program& program, const Rational& factor, int n) {
  const std::string s = n == 0 ? "" : print_node(program, n);
  const std::string q = is_integer(factor) ? numerator(factor).str() + ".0"
                                           : numerator(factor).str() + ".0 / " + denominator(factor).str();
  if (n == 0) return q;
  return factor == 1 ? s : factor == -1 ? "-" + s : "(" + q + ") * " + s;
}
std::string print_node(const Program& program, int n) {
  const Node& node = program.graph[n];
  const auto arg = [&](int i) { return print_node(program, node.args[i]); };
  switch (node.op) {
    case Op::one: return "1.0";
    case Op::pi: return "pi";
    case Op::keyword: {
      const auto eq = node.text.find('=');
      return fmt::format("(p.string(\"{}\") == \"{}\")", node.text.substr(0, eq), node.text.substr(eq + 1));
    }
    case Op::parameter:
      if (node.along[0] >= 0) return fmt::format("p.reals(\"{}\")[{}]", node.text, node.along[0]);
      if (program.model->parameter(node.text)->is_integer()) return fmt::format("double(p.integer(\"{}\"))", node.text);
      return fmt::format("p.real(\"{}\")", node.text);
    case Op::sum: {
      std::string s;
      for (std::size_t i = 0; i < node.args.size(); ++i)
        s += (i ? " + " : "") + print_product(program, node.factors[i], node.args[i]);
      return "(" + s + ")";
    }
    case Op::product: return arg(0) + " * " + arg(1);
    case Op::reciprocal: return "1 / (" + arg(0) + ")";
    case Op::power:
      if (node.exponent == Rational(1, 2)) return "std::sqrt(" + arg(0) + ")";
      return fmt::format("std::pow({}, {})", arg(0), print_product(program, node.exponent, 0));
    case Op::call: {
      std::string args;
      for (std::size_t i = 0; i < node.args.size(); ++i) args += (i ? ", " : "") + arg(static_cast<int>(i));
      return fmt::format("std::{}({})", node.text == "abs" ? "fabs" : node.text, args);
    }
    case Op::compare: return fmt::format("({} {} {})", arg(0), node.text, arg(1));
    case Op::logic:
      return node.text == "not" ? "!" + arg(0)
                                : fmt::format("({} {} {})", arg(0), node.text == "and" ? "&&" : "||", arg(1));
    case Op::choose: return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
    default: return "0";
  }
}

}  // namespace

std::string print_constant(const Program& program, Term t) { return print_product(program, t.factor, t.node); }
}  // namespace cereus::equations
