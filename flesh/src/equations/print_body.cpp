// The statements of a kernel: the author's names, then whatever is used more than once, then the results.
#include <fmt/format.h>

#include <algorithm>

#include "equations/print.hpp"

namespace cereus::equations {
namespace {
constexpr int sum_level = 1, product_level = 2, atom = 4;  // how tightly a text binds

struct Text {
  std::string text;
  int level = atom;
};

class Body {
 public:
  Body(const Program& program, const Kernel& k, const Handles& handles, const std::vector<Constant>& constants,
      std::string indent)
      : program_(program),
        g_(program.graph),
        handles_(handles),
        uses_(g_.size(), 0),
        large_(is_large(program, k)),
        indent_(std::move(indent)) {
    for (const Constant& c : constants) names_[c.node] = c.name, taken_.insert(c.name);
    for (const auto* list : {&handles.in, &handles.out})
      for (const auto& [v, handle] : *list) taken_.insert(handle.substr(0, handle.find('.')));
  }

  // Lines end before column 118, where a sum or product goes on.
  void line(std::string text, const std::string& comment = "") {
    std::string s = indent_ + text;
    std::size_t begin = 0;
    while (s.size() - begin > 116) {
      std::size_t cut = s.rfind(" + ", begin + 114), minus = s.rfind(" - ", begin + 114);
      if (cut == std::string::npos || (minus != std::string::npos && minus > cut)) cut = minus;
      if (cut == std::string::npos || cut < begin + 30) cut = s.rfind(" * ", begin + 114);
      if (cut == std::string::npos || cut < begin + 30) break;
      s.replace(cut, 1, "\n" + indent_ + "    ");
      begin = cut + 1;
    }
    std::ranges::replace(s, '~', ' ');  // where no line may end
    lines_ += s + comment + "\n";
  }
  std::string print(const std::vector<Assignment>& assignments) {
    std::vector<int> roots;
    for (const auto& a : assignments) roots.push_back(a.value.node);
    const auto order = needed(roots);
    for (const int n : order)
      if (!names_.contains(n))
        for (const int a : g_[n].args) ++uses_[a];
    for (const int r : roots) ++uses_[r];
    for (const int n : order)
      if (!names_.contains(n) && has_place(n)) place(n);
    for (const auto& a : assignments) {
      const Text value = of(a.value);
      line(fmt::format("p({}) = {};", handles_.out.at(a.variable), value.text));
    }
    return lines_;
  }

 private:
  // What is computed at a point: operands first, without what lies below a constant of the kernel.
  std::vector<int> needed(const std::vector<int>& roots) {
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
  bool has_place(int n) const {
    const Node& node = g_[n];
    if (node.op == Op::one || node.op == Op::pi) return false;
    const auto in = handles_.in.find(node.variable), out = handles_.out.find(node.variable);
    if (node.op == Op::variable && out != handles_.out.end() && in->second == out->second)
      return true;  // is read before anything is set
    return !node.name.empty() || uses_[n] > 1;
  }
  std::string fresh(const std::string& wish) {
    std::string name = identifier(wish);
    for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", wish, n);
    return name;
  }
  void place(int n) {
    const Node& node = g_[n];
    const auto& variables = program_.model->variables();
    std::string wish = node.name;
    const char* axes = "xyz";
    if (wish.empty() && node.op == Op::variable) wish = variables[node.variable].name;
    if (wish.empty() && node.op == Op::derivative) {
      wish = "D";
      for (int a = 0; a < 3; ++a) wish += std::string(node.along[a], axes[a]);
      wish += "_" + variables[node.variable].name;
    }
    if (wish.empty() && node.op == Op::coordinate) wish = std::string(1, axes[node.along[0]]);
    if (wish.empty() && node.op == Op::time) wish = "t";
    if (wish.empty()) wish = fmt::format("t{}", ++temporaries_);
    const std::string value = of_node(n).text;
    const bool truth = node.op == Op::compare || node.op == Op::logic;
    const std::string name = fresh(wish);
    const bool said = node.line == 0 || node.line == line_;
    line(fmt::format("const {} {} = {};", truth ? (large_ ? "auto" : "bool") : "Real", name, value),
        said ? "" : fmt::format("  // line {}", line_ = node.line));
    names_[n] = name;
  }

  Text of(Term t) {
    if (t.node == 0) return {print_number(t.factor)};
    if (t.factor == 1) return operand(t.node);
    if (t.factor == -1) return {"-" + bracket(operand(t.node), product_level), product_level};
    return {print_number(t.factor) + " * " + bracket(operand(t.node), product_level), product_level};
  }
  Text operand(int n) {
    const auto at = names_.find(n);
    return at != names_.end() ? Text{at->second} : of_node(n);
  }
  static std::string bracket(const Text& t, int level) { return t.level < level ? "(" + t.text + ")" : t.text; }

  Text sum(const Node& n) {
    // Terms with the same factor, up to its sign, share one product.
    std::string s;
    std::vector<bool> done(n.args.size(), false);
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      if (done[i]) continue;
      const Rational factor = absolute(n.factors[i]);
      std::vector<std::size_t> same;
      for (std::size_t j = i; j < n.args.size(); ++j)
        if (!done[j] && absolute(n.factors[j]) == factor && (factor != 1 || j == i)) same.push_back(j);
      const bool negative = n.factors[i] < 0;
      std::string inner;
      for (const std::size_t j : same) {
        done[j] = true;
        const bool minus = (n.factors[j] < 0) != negative;
        const Text t = n.args[j] == 0 ? Text{same.size() > 1 ? "Real(1)" : ""} : operand(n.args[j]);
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
    return {s, n.args.size() > 1 ? sum_level : product_level};
  }
  Text product(const Node& n) {
    const auto inverse = [&](int a) { return g_[a].op == Op::reciprocal && !names_.contains(a) && uses_[a] == 1; };
    for (int side = 0; side < 2; ++side)
      if (inverse(n.args[side]))
        return {fmt::format(
            "quotient<Real>({}, {})", operand(n.args[1 - side]).text, operand(g_[n.args[side]].args[0]).text)};
    const std::string a = bracket(operand(n.args[0]), product_level);
    return {a + " * " + bracket(operand(n.args[1]), product_level + 1), product_level};
  }
  Text of_node(int n) {
    const Node& node = g_[n];
    const auto arg = [&](int i) { return operand(node.args[i]); };
    const char* axes = "xyz";
    switch (node.op) {
      case Op::one: return {"Real(1)"};
      case Op::pi: return {"Real(pi)"};
      case Op::variable: return {"p(" + handles_.in.at(node.variable) + ")"};
      case Op::derivative: return {derivative(node)};
      case Op::upwind: return {difference("upwind", node)};
      case Op::upwind_even: return {difference("upwind_even", node)};
      case Op::dissipation: return {difference("dissipation", node)};
      case Op::coordinate: return {fmt::format("Real(p.{}())", axes[node.along[0]])};
      case Op::spacing: return {fmt::format("Real(p.h({}))", node.along[0])};
      case Op::time: return {"Real(p.time())"};
      case Op::sum: return sum(node);
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
  std::string order(const char* op) const {
    const OperatorText& o = *program_.model->op(op);
    if (o.parameter.empty()) return std::to_string(o.value);
    return o.value == 0  ? "order"
           : o.value > 0 ? fmt::format("order~+~{}", o.value)
                         : fmt::format("order~-~{}", -o.value);
  }
  std::string difference(const char* name, const Node& n) const {
    const std::string op = n.op == Op::upwind_even ? "upwind" : name;
    return fmt::format("{}<{}, {}>(p, {})", name, order(op.c_str()), n.along[0], handles_.in.at(n.variable));
  }
  std::string derivative(const Node& n) const {
    const std::string v = handles_.in.at(n.variable);
    std::vector<int> axes;
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < n.along[a]; ++k) axes.push_back(a);
    if (axes.size() == 1) return fmt::format("derivative<{}, {}>(p, {})", order("centred"), axes[0], v);
    if (axes.size() == 2 && axes[0] == axes[1])
      return fmt::format("second_derivative<{}, {}>(p, {})", order("centred"), axes[0], v);
    if (axes.front() == axes.back())
      return fmt::format("derivative_{}<{}, {}>(p, {})", axes.size(), order("centred"), axes[0], v);
    return fmt::format(
        "mixed_derivative<{}, {}, {}, {}>(p, {})", order("centred"), n.along[0], n.along[1], n.along[2], v);
  }

  const Program& program_;
  const Graph& g_;
  const Handles& handles_;
  std::map<int, std::string> names_;
  std::set<std::string> taken_{
      "upwind", "upwind_even", "dissipation", "second_derivative", "mixed_derivative", "inverse_sqrt", "fabs"};
  std::vector<int> uses_;
  const bool large_;
  std::string indent_, lines_;
  int temporaries_ = 0, line_ = 0;
};
}  // namespace

std::string print_number(const Rational& q) {
  if (is_integer(q)) return fmt::format("Real({}{})", numerator(q).str(), absolute(q) < 1000000 ? "" : ".");
  const Rational binary = q * 1024;  // short in any notation
  if (is_integer(binary)) return fmt::format("Real({})", to_double(q));
  return fmt::format("Real({}. / {}.)", numerator(q).str(), denominator(q).str());
}

std::string print_body(const Program& program, const Kernel& k, int dim, const Handles& handles,
    const std::vector<Constant>& constants, const std::string& indent) {
  return Body(program, k, handles, constants, indent).print(k.assignments.at(dim));
}
}  // namespace cereus::equations
