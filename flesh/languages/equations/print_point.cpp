// How leaves of a graph, and what is made of them, are written.
#include "equations/print_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cereus::equations {
Expressions::Text Expressions::call(const std::string& function, const std::vector<Text>& args) const {
  const bool plain = function == "sqrt" || function == "inverse_sqrt";
  std::string s = (function == "abs" ? "fabs" : function) + (plain ? "(" : "<Real>(");
  for (std::size_t i = 0; i < args.size(); ++i) s += (i ? ", " : "") + args[i].text;
  return {s + ")"};
}

Expressions::Text Expressions::choose(const Node& node, const Text& condition, const Text& yes, const Text& no) const {
  if (!large_ || g_[node.args[0]].uniform) return {fmt::format("({} ? {} : {})", condition.text, yes.text, no.text)};
  return {fmt::format("choose({}, {}, {})", condition.text, yes.text, no.text)};  // numbers are several at once
}

Expressions::Text Expressions::leaf(const Node& node) const {
  const char* axes = "xyz";
  switch (node.op) {
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
    case Op::weight: return {fmt::format("Real({}_weight<{}>)", node.text, order(node.text))};
    case Op::inverse_spacing:
      return {fmt::format("Real({}.inv_{}({}))", grid_, node.text == "here" ? "dx" : "h", node.along[0])};
    case Op::slope: return {fmt::format("frame.slope[{}][{}]", node.along[0], node.along[1])};
    case Op::bend: return {fmt::format("frame.bend[{}][{}]", node.along[0], node.along[1])};
    case Op::inverse_radius: return {"frame.inv_r"};
    case Op::coordinate: return {fmt::format("Real(p.{}())", axes[node.along[0]])};
    case Op::spacing: return {fmt::format("Real(p.h({}))", node.along[0])};
    case Op::time: return {"Real(p.time())"};
    case Op::noise: return {fmt::format("noise<Real>(p, {})", node.text)};
    default: return {"?"};  // parameters are constants of the kernel
  }
}

std::string order_text(const OperatorText& o, int more) {
  const int value = o.value + more;
  if (o.parameter.empty()) return std::to_string(value);
  return value == 0 ? "order" : value > 0 ? fmt::format("order~+~{}", value) : fmt::format("order~-~{}", -value);
}
std::string Expressions::order(const std::string& op) const { return order_text(*program_.model->op(op), 0); }

std::string Expressions::difference(const char* name, const Node& n, const char* op) const {
  return fmt::format("{}<{}, {}>({}, {})", name, order(op), n.along[0], point_, handles_.in.at(n.variable));
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
  if (axes.size() == 1) return fmt::format("derivative<{}, {}>({}, {})", order("centred"), axes[0], point_, v);
  if (axes.size() == 2 && axes[0] == axes[1])
    return fmt::format("second_derivative<{}, {}>({}, {})", order("centred"), axes[0], point_, v);
  if (axes.front() == axes.back())
    return fmt::format("derivative_{}<{}, {}>({}, {})", axes.size(), order("centred"), axes[0], point_, v);
  if (axes.size() == 2 && program_.model->op("centred")->diagonal)
    return fmt::format("diagonal_derivative<{}, {}, {}>({}, {})", order("centred"), axes[0], axes[1], point_, v);
  return fmt::format(
      "mixed_derivative<{}, {}, {}, {}>({}, {})", order("centred"), n.along[0], n.along[1], n.along[2], point_, v);
}

std::string print_number(const Rational& q) {
  if (is_integer(q)) return fmt::format("Real({}{})", numerator(q).str(), absolute(q) < 1000000 ? "" : ".");
  const Rational binary = q * 1024;  // short in any notation
  if (is_integer(binary)) return fmt::format("Real({})", to_double(q));
  return fmt::format("Real({}. / {}.)", numerator(q).str(), denominator(q).str());
}

std::string print_body(const Program& program, const Kernel& k, int dim, const Handles& handles,
    const std::vector<Constant>& constants, const std::string& indent) {
  return Expressions(program, k, dim, handles, constants, indent).statements(k.assignments.at(dim));
}
}  // namespace cereus::equations
