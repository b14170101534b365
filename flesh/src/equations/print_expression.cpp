// How nodes of a graph are written in C++.
#include "equations/print_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cereus::equations {
Expressions::Expressions(const Program& program, const Kernel& k, const Handles& handles,
    const std::vector<Constant>& constants, std::string indent)
    : program_(program),
      g_(program.graph),
      handles_(handles),
      uses_(program.graph.size(), 0),
      large_(is_large(program, k)),
      indent_(std::move(indent)) {
  for (const Constant& c : constants) names_[c.node] = c.name, taken_.insert(c.name);
  for (const auto* list : {&handles.in, &handles.out})
    for (const auto& [v, handle] : *list) taken_.insert(handle.substr(0, handle.find('.')));
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
  if (node.op == Op::coordinate) return std::string(1, axes[node.along[0]]);
  if (node.op == Op::time) return "t";
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
      const Text t = args[j] == 0 ? Text{same.size() > 1 ? "Real(1)" : ""} : operand(args[j]);
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
    if (inverse(n.args[side]))
      return {fmt::format(
          "quotient<Real>({}, {})", operand(n.args[1 - side]).text, operand(g_[n.args[side]].args[0]).text)};
  const std::string a = bracket(operand(n.args[0]), product_level);
  return {a + " * " + bracket(operand(n.args[1]), product_level + 1), product_level};
}

Expressions::Text Expressions::of_node(int n) {
  const Node& node = g_[n];
  const auto arg = [&](int i) { return operand(node.args[i]); };
  const char* axes = "xyz";
  switch (node.op) {
    case Op::one: return {"Real(1)"};
    case Op::pi: return {"Real(pi)"};
    case Op::variable: return {"p(" + handles_.in.at(node.variable) + ")"};
    case Op::neighbour: return {neighbour(node)};
    case Op::derivative: return {derivative(node)};
    case Op::upwind: return {difference("upwind", node, "upwind")};
    case Op::upwind_even: return {difference("upwind_even", node, "upwind")};
    case Op::dissipation: return {difference("dissipation", node, "dissipation")};
    case Op::upwind_odd: return {difference("upwind_odd", node, "upwind")};
    case Op::delta:
      return {fmt::format("delta<{}, {}>({}, {})", node.text, node.along[0], point_, handles_.in.at(node.variable))};
    case Op::weight:
      return {fmt::format("Real({}_weight<{}>)", node.text, order(*program_.model->op(node.text.c_str())))};
    case Op::inverse_spacing: return {fmt::format("Real(p.inv_h({}))", node.along[0])};
    case Op::coordinate: return {fmt::format("Real(p.{}())", axes[node.along[0]])};
    case Op::spacing: return {fmt::format("Real(p.h({}))", node.along[0])};
    case Op::time: return {"Real(p.time())"};
    case Op::sum: return sum(node.factors, node.args);
    case Op::product: return product(node);
    case Op::reciprocal: return {fmt::format("quotient<Real>(Real(1), {})", arg(0).text)};
    case Op::power:
      if (node.exponent == Rational(1, 2)) return {fmt::format("sqrt({})", arg(0).text)};
      if (node.exponent == Rational(-1, 2)) return {fmt::format("inverse_sqrt({})", arg(0).text)};
      return {fmt::format("pow<Real>({}, {})", arg(0).text, print_number(node.exponent))};
    case Op::call: {
      std::string args;
      for (std::size_t i = 0; i < node.args.size(); ++i) args += (i ? ", " : "") + arg(static_cast<int>(i)).text;
      return {fmt::format("{}<Real>({})", node.text == "abs" ? "fabs" : node.text, args)};
    }
    case Op::compare:
      return {fmt::format("({} {} {})", bracket(arg(0), sum_level), node.text, bracket(arg(1), sum_level))};
    case Op::logic:
      if (node.text == "not") return {"!" + bracket(arg(0), atom)};
      return {fmt::format("({} {} {})", arg(0).text, node.text == "and" ? "&&" : "||", arg(1).text)};
    case Op::choose:  // where numbers are several at once, a condition is, too
      if (large_ && !g_[node.args[0]].uniform)
        return {fmt::format("choose({}, {}, {})", arg(0).text, arg(1).text, arg(2).text)};
      return {fmt::format("({} ? {} : {})", arg(0).text, arg(1).text, arg(2).text)};
    case Op::parameter:
    case Op::keyword: break;  // constants of the kernel
  }
  return {"?"};
}

std::string order_text(const OperatorText& o, int more) {
  const int value = o.value + more;
  if (o.parameter.empty()) return std::to_string(value);
  return value == 0 ? "order" : value > 0 ? fmt::format("order~+~{}", value) : fmt::format("order~-~{}", -value);
}
std::string Expressions::order(const OperatorText& o, int more) const { return order_text(o, more); }

std::string Expressions::difference(const char* name, const Node& n, const char* op) const {
  return fmt::format(
      "{}<{}, {}>({}, {})", name, order(*program_.model->op(op)), n.along[0], point_, handles_.in.at(n.variable));
}

std::string Expressions::neighbour(const Node& n) const {
  const std::string& v = handles_.in.at(n.variable);
  if (std::ranges::count(n.along, 0) < 2)
    return fmt::format("{}.template neighbour<{}>({})", point_, fmt::join(n.along, ", "), v);
  const auto axis = std::ranges::find_if(n.along, [](int offset) { return offset != 0; }) - n.along.begin();
  return fmt::format("along<{}, {}>({}, {})", axis, n.along[axis], point_, v);
}

std::string Expressions::derivative(const Node& n) const {
  const std::string v = handles_.in.at(n.variable);
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < n.along[a]; ++k) axes.push_back(a);
  if (axes.size() == 1)
    return fmt::format("derivative<{}, {}>({}, {})", order(*program_.model->op("centred")), axes[0], point_, v);
  if (axes.size() == 2 && axes[0] == axes[1])
    return fmt::format("second_derivative<{}, {}>({}, {})", order(*program_.model->op("centred")), axes[0], point_, v);
  if (axes.front() == axes.back())
    return fmt::format(
        "derivative_{}<{}, {}>({}, {})", axes.size(), order(*program_.model->op("centred")), axes[0], point_, v);
  if (axes.size() == 2 && program_.model->op("centred")->diagonal)
    return fmt::format(
        "diagonal_derivative<{}, {}, {}>({}, {})", order(*program_.model->op("centred")), axes[0], axes[1], point_, v);
  return fmt::format("mixed_derivative<{}, {}, {}, {}>({}, {})", order(*program_.model->op("centred")), n.along[0],
      n.along[1], n.along[2], point_, v);
}

std::string print_number(const Rational& q) {
  if (is_integer(q)) return fmt::format("Real({}{})", numerator(q).str(), absolute(q) < 1000000 ? "" : ".");
  const Rational binary = q * 1024;  // short in any notation
  if (is_integer(binary)) return fmt::format("Real({})", to_double(q));
  return fmt::format("Real({}. / {}.)", numerator(q).str(), denominator(q).str());
}

}  // namespace cereus::equations
