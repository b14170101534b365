#include "equations/graph.hpp"

#include <algorithm>

namespace cereus::equations {
namespace {
constexpr int most = 1'000'000;
std::string key_of(const Node& n) {  // that two equal nodes share
  std::string k = std::to_string(static_cast<int>(n.op)) + "|" + n.text + "|" + std::to_string(n.variable) + "|" +
                  std::to_string(n.derived_of);
  for (int a : n.along) k += "," + std::to_string(a);
  if (n.op == Op::power) k += "^" + to_string(n.exponent);
  std::vector<std::string> args;
  for (std::size_t i = 0; i < n.args.size(); ++i)
    args.push_back((n.factors.empty() ? "" : to_string(n.factors[i]) + "*") + std::to_string(n.args[i]));
  if (n.op == Op::sum || n.op == Op::product) std::ranges::sort(args);
  for (const auto& a : args) k += " " + a;
  return k;
}
}  // namespace

Graph::Graph() {
  Node one;
  one.uniform = true;
  intern(one);
}

int Graph::intern(Node n) {
  if (size() == most) throw std::length_error("more than a million operations");
  const auto [at, fresh] = known_.try_emplace(key_of(n), size());
  if (fresh) {
    if (n.op != Op::one)
      n.uniform = n.args.empty() ? n.op == Op::pi || n.op == Op::parameter || n.op == Op::keyword
                                 : std::ranges::all_of(n.args, [&](int a) { return nodes_[a].uniform; });
    nodes_.push_back(std::move(n));
  }
  return at->second;
}

Term Graph::leaf(Op op, const std::string& text, int variable, std::array<int, 3> along) {
  Node n;
  n.op = op, n.text = text, n.variable = variable, n.along = along;
  return {1, intern(std::move(n))};
}

int Graph::as_node(Term t) {
  if (t.factor == 1) return t.node;
  Node n;
  n.op = Op::sum, n.factors = {t.factor}, n.args = {t.node};
  return intern(std::move(n));
}

Term Graph::sum(const std::vector<Term>& terms) {
  Node n;
  n.op = Op::sum;
  std::unordered_map<int, std::size_t> place;  // of a node among the operands
  for (const Term& t : terms) {
    if (t.factor == 0) continue;
    const Node& of = nodes_[t.node];
    const bool open = of.op == Op::sum && of.name.empty() && of.derived_of < 0;
    for (std::size_t i = 0; i < (open ? of.args.size() : 1); ++i) {
      const Rational factor = open ? checked(t.factor * of.factors[i]) : t.factor;
      const auto [at, fresh] = place.try_emplace(open ? of.args[i] : t.node, n.args.size());
      if (fresh) n.args.push_back(at->first), n.factors.push_back(factor);
      else n.factors[at->second] = checked(n.factors[at->second] + factor);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n.args.size(); ++i)
    if (n.factors[i] != 0) n.args[kept] = n.args[i], n.factors[kept++] = n.factors[i];
  n.args.resize(kept), n.factors.resize(kept);
  if (n.args.empty()) return number(0);
  if (n.args.size() == 1) return {n.factors[0], n.args[0]};
  return {1, intern(std::move(n))};
}

Term Graph::multiply(Term a, Term b) {
  const Rational factor = checked(a.factor * b.factor);
  if (factor == 0) return number(0);
  if (a.node == 0 || b.node == 0) return {factor, a.node + b.node};
  for (const auto& [x, y] : {std::pair(a.node, b.node), std::pair(b.node, a.node)})
    if (nodes_[x].op == Op::reciprocal && nodes_[x].args[0] == y) return number(factor);
  Node n;
  n.op = Op::product, n.args = {a.node, b.node};
  return {factor, intern(std::move(n))};
}

Term Graph::invert(Term t) {
  const Node& of = nodes_[t.node];
  if (t.node == 0) return number(1 / t.factor);
  if (of.op == Op::reciprocal) return {1 / t.factor, of.args[0]};
  if (of.op == Op::spacing) return {1 / t.factor, leaf(Op::inverse_spacing, "", -1, of.along).node};
  Node n;
  n.op = Op::reciprocal, n.args = {t.node};
  return {1 / t.factor, intern(std::move(n))};
}

Term Graph::power(Term t, Rational exponent) {
  if (exponent == 0) return number(1);
  if (is_integer(exponent)) {  // squares of squares
    int n = to_int(absolute(exponent));
    Term square = t, result = number(1);
    for (; n > 0; n /= 2, square = n > 0 ? multiply(square, square) : square)
      if (n % 2 == 1) result = multiply(result, square);
    return exponent < 0 ? invert(result) : result;
  }
  if (t.node == 0 && t.factor == 1) return t;
  Node n;
  n.op = Op::power, n.exponent = exponent, n.args = {as_node(t)};
  return {1, intern(std::move(n))};
}

Term Graph::call(const std::string& function, std::vector<Term> args) {
  Node n;
  n.op = Op::call, n.text = function;
  for (const Term& a : args) n.args.push_back(as_node(a));
  return {1, intern(std::move(n))};
}
Term Graph::compare(const std::string& relation, Term a, Term b) {
  Node n;
  n.op = Op::compare, n.text = relation, n.args = {as_node(a), as_node(b)};
  return {1, intern(std::move(n))};
}
Term Graph::logic(const std::string& word, std::vector<Term> args) {
  Node n;
  n.op = Op::logic, n.text = word;
  for (const Term& a : args) n.args.push_back(a.node);
  return {1, intern(std::move(n))};
}
Term Graph::choose(Term condition, Term yes, Term no) {
  if (yes.factor == no.factor && yes.node == no.node) return yes;
  Node n;
  n.op = Op::choose, n.args = {condition.node, as_node(yes), as_node(no)};
  return {1, intern(std::move(n))};
}

Term Graph::derivative_of_variable(Term t, int variable) {
  if (t.node == 0) return t;
  Node n;
  n.op = Op::sum, n.factors = {t.factor}, n.args = {t.node}, n.derived_of = variable;
  return {1, intern(std::move(n))};
}

Term Graph::name(Term t, const std::string& name, int line) {
  if (t.node == 0) return t;
  const int n = as_node(t);
  if (nodes_[n].name.empty() && !nodes_[n].args.empty()) nodes_[n].name = name, nodes_[n].line = line;
  return {1, n};
}

Term Graph::with_args(int n, const std::vector<Term>& args) {
  const Node node = nodes_[n];  // a copy: the list of nodes grows
  switch (node.op) {
    case Op::sum: {
      std::vector<Term> terms;
      for (std::size_t i = 0; i < args.size(); ++i) terms.push_back(multiply(number(node.factors[i]), args[i]));
      return node.derived_of < 0 ? sum(terms) : derivative_of_variable(sum(terms), node.derived_of);
    }
    case Op::product: return multiply(args[0], args[1]);
    case Op::reciprocal: return invert(args[0]);
    case Op::power: return power(args[0], node.exponent);
    case Op::compare: return compare(node.text, args[0], args[1]);
    case Op::logic: return logic(node.text, args);
    case Op::choose: return choose(args[0], args[1], args[2]);
    default: return call(node.text, args);
  }
}

Term Graph::derivative_of(int n, const std::vector<Term>& d) {
  const Node node = nodes_[n];  // a copy: the list of nodes grows
  const Term self{1, n};
  const auto arg = [&](int i) { return Term{1, node.args[i]}; };
  switch (node.op) {
    case Op::sum: {
      std::vector<Term> terms;
      for (std::size_t i = 0; i < d.size(); ++i) terms.push_back({node.factors[i] * d[i].factor, d[i].node});
      return sum(terms);
    }
    case Op::product: return add(multiply(d[0], arg(1)), multiply(arg(0), d[1]));
    case Op::reciprocal: return negate(multiply(multiply(self, self), d[0]));
    case Op::power: return multiply(multiply(number(node.exponent), power(arg(0), node.exponent - 1)), d[0]);
    case Op::choose: return choose(arg(0), d[1], d[2]);
    case Op::call: break;
    default: return number(0);  // of truth values
  }
  const std::string& f = node.text;
  const auto chain = [&](Term outer) { return multiply(outer, d[0]); };
  if (d[0].factor == 0 && (d.size() < 2 || d[1].factor == 0)) return number(0);
  if (f == "exp") return chain(self);
  if (f == "log") return chain(invert(arg(0)));
  if (f == "sin") return chain(call("cos", {arg(0)}));
  if (f == "cos") return negate(chain(call("sin", {arg(0)})));
  if (f == "tan") return chain(add(number(1), multiply(self, self)));
  if (f == "sinh") return chain(call("cosh", {arg(0)}));
  if (f == "cosh") return chain(call("sinh", {arg(0)}));
  if (f == "tanh") return chain(add(number(1), negate(multiply(self, self))));
  if (f == "erf")  // 2/√π exp(−x²)
    return chain(multiply(multiply(number(2), power(leaf(Op::pi, ""), Rational(-1, 2))),
        call("exp", {negate(multiply(arg(0), arg(0)))})));
  if (f == "asin") return chain(power(add(number(1), negate(multiply(arg(0), arg(0)))), Rational(-1, 2)));
  if (f == "acos") return negate(chain(power(add(number(1), negate(multiply(arg(0), arg(0)))), Rational(-1, 2))));
  if (f == "atan") return chain(invert(add(number(1), multiply(arg(0), arg(0)))));
  if (f == "abs") return choose(compare("<", arg(0), number(0)), negate(d[0]), d[0]);
  if (f == "max") return choose(compare("<", arg(0), arg(1)), d[1], d[0]);
  if (f == "min") return choose(compare("<", arg(1), arg(0)), d[1], d[0]);
  if (f == "atan2")
    return multiply(add(multiply(arg(1), d[0]), negate(multiply(arg(0), d[1]))),
        invert(add(multiply(arg(0), arg(0)), multiply(arg(1), arg(1)))));
  if (f == "pow")  // a^b: b a^(b−1) a' + log(a) a^b b'
    return add(multiply(multiply(arg(1), call("pow", {arg(0), add(arg(1), number(-1))})), d[0]),
        d[1].factor == 0 ? number(0) : multiply(multiply(self, call("log", {arg(0)})), d[1]));
  return number(0);  // floor, ceil: flat between their steps
}

std::vector<int> cone(const Graph& g, std::span<const int> roots) {
  std::vector<int> order, stack;
  std::vector<char> state(g.size(), 0);  // 1: its operands are on the way, 2: done
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int n = stack.back();
      if (state[n] == 0) {
        state[n] = 1;
        const auto& args = g[n].args;
        for (std::size_t i = args.size(); i-- > 0;)
          if (state[args[i]] == 0) stack.push_back(args[i]);
      } else {
        stack.pop_back();
        if (state[n] == 1) state[n] = 2, order.push_back(n);
      }
    }
  }
  return order;
}
}  // namespace cereus::equations
