// Equations as a graph of scalars: the normal form between tensors and code. Equal expressions are one node. Sums have
// exact coefficients, and like terms are merged; products are of two factors; nothing is multiplied out.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "equations/rational.hpp"
namespace cereus::equations {
enum class Op : unsigned char {
  one,          // the number 1; also the node of any number
  pi,           //
  parameter,    // `text`; of a tensor, along: which of its numbers, then its one or two indices
  keyword,      // whether the parameter `name` has the value `text`
  variable,     // component of a variable at the point
  neighbour,    // of a variable: offsets along x, y, z
  derivative,   // of a variable: orders along x, y, z, centred
  upwind,       // of a variable along an axis: the antisymmetric half of the lopsided first derivative,
  upwind_even,  // and the symmetric one
  dissipation,  // of a variable along an axis, Kreiss and Oliger's
  // The same on a grid of spacing 1, as large kernels have them: upwind, and what the two others are multiples of.
  upwind_odd,
  delta,            // δⁿ; `text`: n
  weight,           // of δ in the operator `text`
  inverse_spacing,  // 1/h along an axis; `text`: "here" if it is to be that of the point where axes are stretched
  slope,            // of a shell: ∂c/∂x_i, along: the coordinate c, i
  bend,             // and ∂²c/∂x_i∂x_j: c, which of xx, xy, xz, yy, yz, zz
  inverse_radius,   // 1/r
  coordinate,       // along an axis
  spacing,          // h along an axis
  time,             //
  noise,            // of the index of the point; `text`: its seed
  sum,              // Σ factors[n] · args[n]
  product,          // args[0] · args[1]
  reciprocal,       // 1 / args[0]
  power,            // args[0] ^ exponent, an exact number that is no integer
  call,             // function `text` of args
  compare,          // args[0] text args[1], a truth value
  logic,            // and, or, not of truth values
  choose            // args[0] ? args[1] : args[2]
};

struct Node {
  Op op = Op::one;
  std::string text;            // of a parameter, function, comparison
  int variable = -1;           // number of a component among all
  int derived_of = -1;         // of a sum: the variable whose derivative by x, y or z it is, on a shell
  std::array<int, 3> along{};  // of a derivative: its orders; of a neighbour: its offsets; else [0]: the axis
  Rational exponent = 0;       // of a power
  std::vector<Rational> factors;
  std::vector<int> args;
  // What does not make it another node.
  std::string name;      // of the author
  int line = 0;          // where it has that name
  bool uniform = false;  // the same at all points and times: made of parameters and numbers
};

// Whether it knows one spacing for all points of an axis: what an author makes of h, and high derivatives.
inline bool asks_for_spacing(const Node& n) {
  const bool high = n.op == Op::derivative && *std::max_element(n.along.begin(), n.along.end()) > 2;
  return high || n.op == Op::spacing || (n.op == Op::inverse_spacing && n.text.empty());
}

struct Term {  // a number times a node
  Rational factor = 0;
  int node = 0;
};

class Graph {
 public:
  Graph();
  const Node& operator[](int n) const { return nodes_[n]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  Term number(Rational q) const { return {q, 0}; }
  Term leaf(Op, const std::string& text, int variable = -1, std::array<int, 3> along = {});
  Term sum(const std::vector<Term>&);
  Term add(Term a, Term b) { return sum({a, b}); }
  Term multiply(Term, Term);
  Term invert(Term);  // the factor is not 0
  Term power(Term, Rational exponent);
  Term call(const std::string& function, std::vector<Term> args);
  Term compare(const std::string& relation, Term, Term);
  Term logic(const std::string& word, std::vector<Term> args);
  Term choose(Term condition, Term yes, Term no);
  // A sum that stays a node of its own in other sums.
  Term derivative_of_variable(Term, int variable);
  Term negate(Term t) const { return {-t.factor, t.node}; }
  bool is_number(Term t) const { return t.node == 0; }
  // An intermediate result that the author has named: it stays a node of its own, computed once.
  Term name(Term, const std::string& name, int line);
  // The same expression, with leaf(node) in place of each leaf.
  template <class F> Term replace(Term t, F&& leaf);
  // ∂/∂x_axis by the rules of sums, products and chains, down to variables. `leaf` differentiates those.
  template <class F> Term differentiate(Term t, int axis, F&& leaf);

 private:
  int intern(Node);
  int as_node(Term);  // a node with the term's value
  Term with_args(int node, const std::vector<Term>& args);
  Term derivative_of(int node, const std::vector<Term>& of_args);
  std::vector<Node> nodes_;
  std::unordered_map<std::string, int> known_;
};
// All nodes that these need, operands first, each once, in the order of the operands.
std::vector<int> cone(const Graph&, std::span<const int> roots);

template <class F> Term Graph::replace(Term t, F&& leaf) {
  const int root[] = {t.node};
  std::unordered_map<int, Term> done;
  for (const int n : cone(*this, root)) {
    std::vector<Term> args;
    for (const int a : nodes_[n].args) args.push_back(done[a]);
    const std::string author = nodes_[n].name;
    const int line = nodes_[n].line;
    done[n] = args.empty() ? leaf(n) : with_args(n, args);
    if (!author.empty()) done[n] = name(done[n], author, line);
  }
  return multiply(number(t.factor), done[t.node]);
}
template <class F> Term Graph::differentiate(Term t, int axis, F&& leaf) {
  const int root[] = {t.node};
  std::unordered_map<int, Term> done;
  for (const int n : cone(*this, root)) {
    if (nodes_[n].args.empty()) {
      done[n] = leaf(n, axis);
      continue;
    }
    std::vector<Term> of_args;
    for (const int a : nodes_[n].args) of_args.push_back(done[a]);
    done[n] = derivative_of(n, of_args);
  }
  const Term d = done[t.node];
  return {t.factor * d.factor, d.node};
}
}  // namespace cereus::equations
