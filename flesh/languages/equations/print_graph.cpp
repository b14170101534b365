// The graph of scalars as text: a node a line, operands before what is made of them.
#include <fmt/format.h>

#include "equations/print.hpp"

namespace cereus::equations {
namespace {
std::string print_sum(const std::vector<Rational>& factors, const std::vector<int>& args) {
  std::string s;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Rational q = absolute(factors[i]);
    s += s.empty() ? (factors[i] < 0 ? "-" : "") : factors[i] < 0 ? " - " : " + ";
    if (args[i] == 0) s += to_string(q);
    else s += (q == 1 ? "" : to_string(q) + " ") + fmt::format("#{}", args[i]);
  }
  return s;
}
std::string print_node(const Model& m, const Node& n) {
  const auto arg = [&](std::size_t i) { return fmt::format("#{}", n.args[i]); };
  const auto axis = [&] { return "xyz"[n.along[0]]; };
  const auto of = [&](const std::string& op) {
    return fmt::format("{}_{} {}", op, axis(), m.variables()[n.variable].name);
  };
  switch (n.op) {
    case Op::one: return "1";
    case Op::pi: return "pi";
    case Op::parameter:
    case Op::keyword: return parameter_name(n);
    case Op::variable: return m.variables()[n.variable].name;
    case Op::neighbour:
      return fmt::format("{}({:+}, {:+}, {:+})", m.variables()[n.variable].name, n.along[0], n.along[1], n.along[2]);
    case Op::derivative: {
      std::string axes;
      for (int a = 0; a < 3; ++a) axes += std::string(n.along[a], "xyz"[a]);
      return fmt::format("D_{} {}", axes, m.variables()[n.variable].name);
    }
    case Op::upwind: return of("upwind");
    case Op::upwind_even: return of("upwind_even");
    case Op::dissipation: return of("dissipation");
    case Op::upwind_odd: return of("upwind_odd");
    case Op::delta: return of("delta^" + n.text);
    case Op::weight: return "weight of " + n.text;
    case Op::inverse_spacing: return fmt::format("1 / h_{}", axis());
    case Op::coordinate: return std::string(1, axis());
    case Op::spacing: return fmt::format("h_{}", axis());
    case Op::time: return "t";
    case Op::noise: return fmt::format("noise({})", n.text);
    case Op::sum: return print_sum(n.factors, n.args);
    case Op::product: return arg(0) + " " + arg(1);
    case Op::reciprocal: return "1 / " + arg(0);
    case Op::power: return fmt::format("{}^({})", arg(0), to_string(n.exponent));
    case Op::call: return fmt::format("{}({}{})", n.text, arg(0), n.args.size() > 1 ? ", " + arg(1) : "");
    case Op::compare: return fmt::format("{} {} {}", arg(0), n.text, arg(1));
    case Op::logic: return n.text == "not" ? "not " + arg(0) : fmt::format("{} {} {}", arg(0), n.text, arg(1));
    case Op::choose: return fmt::format("{} ? {} : {}", arg(0), arg(1), arg(2));
  }
  return "";
}
}  // namespace

std::string print_graph(const Program& program) {
  const Model& m = *program.model;
  std::string s;
  for (const Kernel& k : program.kernels) {
    const auto& assignments = k.assignments.at(program.dimensions.front());
    std::vector<int> roots;
    for (const Assignment& a : assignments) roots.push_back(a.value.node);
    s += k.name + "\n";
    for (const int n : cone(program.graph, roots)) {
      const Node& node = program.graph[n];
      s += fmt::format("  #{} = {}", n, print_node(m, node));
      s += node.name.empty() ? "\n" : fmt::format("  # {}, line {}\n", node.name, node.line);
    }
    for (const Assignment& a : assignments) {
      const bool rate = k.of->kind == Calculation::Kind::rhs;
      s += fmt::format("  {}{} {} {}\n", rate ? "D_t " : "", m.variables()[a.variable].name, a.adds ? "+=" : "=",
          print_sum({a.value.factor}, {a.value.node}));
    }
  }
  return s;
}
}  // namespace cereus::equations
