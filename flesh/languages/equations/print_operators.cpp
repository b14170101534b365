// The operators that a thorn's kernels need and the flesh does not have, with their weights for each order.
#include <fmt/format.h>

#include <functional>

#include "cereus/text.hpp"
#include "equations/print.hpp"
#include "equations/stencil.hpp"

namespace cereus::equations {
namespace {
struct Operator {
  std::string name, comment, scale;
  bool odd = false;
  std::function<Stencil(int order)> stencil;
};

std::string print_weights(const Stencil& s, bool odd) {
  std::vector<std::string> weights;
  for (int m = odd ? 1 : 0; m <= s.reach(); ++m) {
    const Rational q = s.weight(m);
    weights.push_back(numerator(q).str() + "." + (is_integer(q) ? "" : " / " + denominator(q).str()));
  }
  return join(weights, ", ");
}
std::string print_operator(const Operator& o, const std::set<int>& orders) {
  std::string s = fmt::format(
      "// {}\ntemplate <int order, int axis> CEREUS_KERNEL auto {}(const auto& p, auto v) {{\n"
      "  using Real = Number<decltype(p), real_of_t<typename decltype(v)::value_type>>;\n",
      o.comment, o.name);
  for (const int order : orders)
    s += fmt::format("  if constexpr (order == {}) return Real({}) * {}_difference<axis>(p, v, {});\n", order, o.scale,
        o.odd ? "odd" : "even", print_weights(o.stencil(order), o.odd));
  return s + "}\n";
}
std::set<int> orders_of(const Model& m, const OperatorText& o) {
  if (o.parameter.empty()) return {o.value};
  std::set<int> all;
  for (const auto& c : m.parameter(o.parameter)->choices) all.insert(to_int(c.number) + o.value);
  return all;
}

// Of δ in the symmetric half of the upwinded derivative, and in the dissipation.
std::string print_weight(const Model& m, const std::string& name) {
  std::string s = fmt::format("template <int order> inline constexpr double {}_weight = 0;\n", name);
  for (const int order : orders_of(m, *m.op(name.c_str()))) {
    const Stencil stencil = name == "upwind" ? symmetric(lopsided(order)) : kreiss_oliger(order);
    const Rational top = stencil.weight(stencil.reach());
    s += fmt::format("template <> inline constexpr double {}_weight<{}> = {}. / {}.;\n", name, order,
        numerator(top).str(), denominator(top).str());
  }
  return s;
}
std::set<int> orders_of_delta(const Model& m, const std::set<std::string>& weights) {
  std::set<int> all;
  for (const auto& name : weights)
    for (const int order : orders_of(m, *m.op(name.c_str()))) all.insert(order + (name == "upwind" ? 2 : 1));
  return all;
}
}  // namespace

std::string print_operators(const Program& program) {
  const Model& m = *program.model;
  std::map<Op, Operator> used;
  std::set<std::string> weights;
  std::map<int, Operator> high;  // derivatives beyond the second, by how often
  const char* distance = "p.inv_dx(axis)";
  const char* scales[] = {
      "1", "p.inv_h(axis)", "p.inv_h2(axis)", "p.inv_h(axis) * p.inv_h2(axis)", "p.inv_h2(axis) * p.inv_h2(axis)"};
  for (const Kernel& k : program.kernels)
    for (const int n : k.nodes) {
      const Node& node = program.graph[n];
      if (node.op == Op::upwind)
        used[node.op] = {"upwind", "The odd half of the first derivative with one more point on the upwind side.",
            distance, true, [](int order) { return antisymmetric(lopsided(order)); }};
      if (node.op == Op::upwind_even)
        used[node.op] = {
            "upwind_even", "The even half.", distance, false, [](int order) { return symmetric(lopsided(order)); }};
      if (node.op == Op::dissipation)
        used[node.op] = {"dissipation", "Kreiss-Oliger dissipation: damps what the grid does not resolve.", distance,
            false, kreiss_oliger};
      if (node.op == Op::upwind_odd)
        used[node.op] = {"upwind_odd", "The same on a grid of spacing 1.", scales[0], true,
            [](int order) { return antisymmetric(lopsided(order)); }};
      if (node.op == Op::delta) used[node.op] = {"delta", "δ to an even power.", scales[0], false, delta};
      if (node.op == Op::weight) weights.insert(node.text);
      if (node.op == Op::derivative)
        for (const int d : node.along)
          if (d > 2)
            high[d] = {fmt::format("derivative_{}", d), fmt::format("The derivative of order {} along an axis.", d),
                scales[d], d % 2 != 0, [d](int order) { return centred(d, order); }};
    }
  std::string s;
  for (const auto& [op, o] : used)
    s += print_operator(o, op == Op::delta ? orders_of_delta(m, weights)
                                           : orders_of(m, *m.op(op == Op::dissipation ? "dissipation" : "upwind")));
  for (const auto& name : weights) s += print_weight(m, name);
  for (const auto& [d, o] : high) s += print_operator(o, orders_of(m, *m.op("centred")));
  return s.empty() ? s : s + "\n";
}
}  // namespace cereus::equations
