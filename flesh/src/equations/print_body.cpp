// The statements of a kernel: the author's names, then whatever is used more than once, then the results.
#include <fmt/format.h>

#include "equations/print_expression.hpp"

namespace cereus::equations {
namespace {
class Body : Expressions {
 public:
  using Expressions::Expressions;
  std::string print(const std::vector<Assignment>& assignments) {
    std::vector<int> roots;
    for (const auto& a : assignments) roots.push_back(a.value.node);
    const auto order = needed(roots);
    count_uses(order, roots);
    for (const int n : order)
      if (!names_.contains(n) && has_place(n)) place(n);
    for (const auto& a : assignments) {
      const Text value = of(a.value);
      line(fmt::format("p({}) = {};", handles_.out.at(a.variable), value.text));
    }
    return lines_;
  }

 private:
  bool has_place(int n) const {
    const Node& node = g_[n];
    if (node.op == Op::one || node.op == Op::pi) return false;
    const auto in = handles_.in.find(node.variable), out = handles_.out.find(node.variable);
    if (node.op == Op::variable && out != handles_.out.end() && in->second == out->second)
      return true;  // is read before anything is set
    return !node.name.empty() || uses_[n] > 1;
  }
  void place(int n) {
    const std::string wanted = wish(n), value = of_node(n).text, name = fresh(wanted);
    line(fmt::format("const {} {} = {};", is_truth(n) ? "bool" : "Real", name, value), comment(n));
    names_[n] = name;
  }
};
}  // namespace

std::string print_body(const Program& program, const Kernel& k, int dim, const Handles& handles,
    const std::vector<Constant>& constants, const std::string& indent) {
  return Body(program, k, handles, constants, indent).print(k.assignments.at(dim));
}
}  // namespace cereus::equations
