// How nodes of a graph are written: what has operands. Leaves: print_point.cpp.
#include "equations/print_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cereus::equations {
Expressions::Expressions(const Program& program, const Kernel& k, int dim, const Handles& handles,
    const std::vector<Constant>& constants, std::string indent)
    : program_(program),
      g_(program.graph),
      handles_(handles),
      uses_(program.graph.size(), 0),
      indent_(std::move(indent)),
      grid_(dim == on_shell ? "on_grid" : "p"),
      point_(grid_),
      large_(is_large(program, k)) {
  for (const Constant& c : constants) names_[c.node] = c.name, taken_.insert(c.name);
  for (const auto* list : {&handles.in, &handles.out})
    for (const auto& [v, handle] : *list) taken_.insert(handle.substr(0, handle.find('.')));
  taken_.insert({"upwind", "upwind_even", "dissipation", "second_derivative", "mixed_derivative", "inverse_sqrt",
      "fabs", "upwind_odd", "delta", "beside", "along", "upwind_weight", "dissipation_weight"});
}

std::string Expressions::statements(const std::vector<Assignment>& assignments) {
  std::vector<int> roots;
  for (const auto& a : assignments) roots.push_back(a.value.node);
  const auto order = needed(roots);
  count_uses(order, roots);
  for (const int n : order) {
    if (names_.contains(n) || !has_place(n)) continue;
    const std::string wanted = wish(n), value = of_node(n).text, name = fresh(wanted);
    line(fmt::format("const {} {} = {};", is_truth(n) ? "bool" : "Real", name, value), comment(n));
    names_[n] = name;
  }
  for (const auto& a : assignments) {
    const Text value = of(a.value);
    line(fmt::format("p({}) {} {};", handles_.out.at(a.variable), a.adds ? "+=" : "=", value.text));
  }
  return lines_;
}

bool Expressions::has_place(int n) const {
  const Node& node = g_[n];
  if (node.op == Op::one || node.op == Op::pi || node.op == Op::weight || node.op == Op::inverse_spacing) return false;
  const auto in = handles_.in.find(node.variable), out = handles_.out.find(node.variable);
  if (node.op == Op::variable && out != handles_.out.end() && in->second == out->second)
    return true;  // is read before anything is set
  return !node.name.empty() || uses_[n] > 1;
}

void Expressions::line(const std::string& text, const std::string& comment) {
  std::string_view rest = text;
  std::string begin = indent_;
  const auto start = static_cast<std::ptrdiff_t>(lines_.size());
  for (; begin.size() + rest.size() > 116; begin = indent_ + "    ") {
    const std::size_t last = 114 - begin.size();
    std::size_t cut = rest.rfind(" + ", last), minus = rest.rfind(" - ", last);
    if (cut == rest.npos || (minus != rest.npos && minus > cut)) cut = minus;
    const auto early = [&] { return cut == rest.npos || begin.size() + cut < 30; };
    if (early()) cut = rest.rfind(" * ", last);
    if (early()) break;
    lines_.append(begin).append(rest.substr(0, cut)).append("\n");
    rest.remove_prefix(cut + 1);
  }
  lines_.append(begin).append(rest);
  std::replace(lines_.begin() + start, lines_.end(), '~', ' ');  // where no line may end
  lines_.append(comment).append("\n");
}

std::vector<int> Expressions::needed(const std::vector<int>& roots) const {
  std::vector<int> order;
  std::set<int> wanted, stop;
  for (const auto& [n, name] : names_) stop.insert(n);
  std::vector<int> stack(roots.begin(), roots.end());
  while (!stack.empty()) {
    const int n = stack.back();
    stack.pop_back();
    if (!wanted.insert(n).second || stop.contains(n)) continue;
    for (const int a : g_[n].args) stack.push_back(a);
  }
  for (const int n : cone(g_, roots))
    if (wanted.contains(n)) order.push_back(n);
  return order;
}

void Expressions::count_uses(const std::vector<int>& order, const std::vector<int>& roots) {
  for (const int n : order)
    if (!names_.contains(n))
      for (const int a : g_[n].args) ++uses_[a];
  for (const int r : roots) ++uses_[r];
}

std::string Expressions::fresh(const std::string& wish) {
  std::string name = identifier(wish);
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", wish, n);
  return name;
}

std::string Expressions::wish(int n) {
  const Node& node = g_[n];
  const auto& variables = program_.model->variables();
  const char* axes = "xyz";
  if (!node.name.empty()) return node.name;
  if (node.op == Op::variable) return variables[node.variable].name;
  if (node.op == Op::derivative) {
    std::string name = "D";
    for (int a = 0; a < 3; ++a) name += std::string(node.along[a], axes[a]);
    return name + "_" + variables[node.variable].name;
  }
  if (node.op == Op::neighbour) {
    std::string name = variables[node.variable].name;
    for (int a = 0; a < 3; ++a)
      if (const int offset = node.along[a]; offset != 0)
        name += fmt::format("_{}{}{}", axes[a], offset > 0 ? "p" : "m", std::abs(offset));
    return name;
  }
  if (node.op == Op::slope) return fmt::format("slope_{}{}", node.along[0], axes[node.along[1]]);
  if (node.op == Op::coordinate) return std::string(1, axes[node.along[0]]);
  if (node.op == Op::time) return "t";
  if (node.op == Op::noise) return "noise_" + node.text;
  return fmt::format("t{}", ++temporaries_);
}

std::string Expressions::comment(int n) {
  const int line = g_[n].line;
  return line == 0 || line == line_ ? "" : fmt::format("  // line {}", line_ = line);
}

Expressions::Text Expressions::of(Term t) {
  if (t.node == 0) return {print_number(t.factor)};
  if (t.factor == 1) return operand(t.node);
  if (t.factor == -1) return {"-" + bracket(operand(t.node), product_level), product_level};
  return {print_number(t.factor) + " * " + bracket(operand(t.node), product_level), product_level};
}

Expressions::Text Expressions::operand(int n) {
  const auto at = names_.find(n);
  return at != names_.end() ? Text{at->second} : of_node(n);
}

Expressions::Text Expressions::sum(const std::vector<Rational>& factors, const std::vector<int>& args) {
  // Terms with the same factor, up to its sign, share one product.
  std::string s;
  std::map<Rational, std::vector<std::size_t>> shared;
  for (std::size_t i = 0; i < args.size(); ++i) shared[absolute(factors[i])].push_back(i);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Rational factor = absolute(factors[i]);
    const auto& all = shared.at(factor);
    if (factor != 1 && all.front() != i) continue;
    const std::vector<std::size_t> same = factor == 1 ? std::vector{i} : all;
    const bool negative = factors[i] < 0;
    std::string inner;
    for (const std::size_t j : same) {
      const bool minus = (factors[j] < 0) != negative;
      const Text t = args[j] == 0 ? Text{same.size() > 1 ? print_number(1) : ""} : operand(args[j]);
      if (same.size() == 1) inner = t.text.empty() ? "" : bracket(t, product_level);
      else if (inner.empty()) inner = bracket(t, sum_level + (minus ? 1 : 0));
      else inner += (minus ? " - " : " + ") + bracket(t, minus ? product_level : sum_level);
    }
    if (same.size() > 1) inner = print_number(factor) + " * (" + inner + ")";
    else if (inner.empty()) inner = print_number(factor);
    else if (factor != 1) inner = print_number(factor) + " * " + inner;
    s += s.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    s += inner;
  }
  return {s, args.size() > 1 ? sum_level : product_level};
}

Expressions::Text Expressions::product(const Node& n) {
  const auto inverse = [&](int a) { return g_[a].op == Op::reciprocal && !names_.contains(a) && uses_[a] == 1; };
  for (int side = 0; side < 2; ++side)
    if (inverse(n.args[side])) return call("quotient", {operand(n.args[1 - side]), operand(g_[n.args[side]].args[0])});
  const std::string a = bracket(operand(n.args[0]), product_level);
  return {a + " * " + bracket(operand(n.args[1]), product_level + 1), product_level};
}

Expressions::Text Expressions::of_node(int n) {
  const Node& node = g_[n];
  const auto arg = [&](int i) { return operand(node.args[i]); };
  switch (node.op) {
    case Op::one: return {print_number(1)};
    case Op::sum: return sum(node.factors, node.args);
    case Op::product: return product(node);
    case Op::reciprocal: return call("quotient", {{print_number(1)}, arg(0)});
    case Op::power:
      if (node.exponent == Rational(1, 2)) return call("sqrt", {arg(0)});
      if (node.exponent == Rational(-1, 2)) return call("inverse_sqrt", {arg(0)});
      return call("pow", {arg(0), {print_number(node.exponent)}});
    case Op::call: {
      std::vector<Text> args;
      for (const int a : node.args) args.push_back(operand(a));
      return call(node.text, args);
    }
    case Op::compare:
      return {fmt::format("({} {} {})", bracket(arg(0), sum_level), node.text, bracket(arg(1), sum_level))};
    case Op::logic:
      if (node.text == "not") return {"!" + bracket(arg(0), atom)};
      return {fmt::format("({} {} {})", arg(0).text, node.text == "and" ? "&&" : "||", arg(1).text)};
    case Op::choose: return choose(node, arg(0), arg(1), arg(2));
    default: return leaf(node);
  }
}
}  // namespace cereus::equations
