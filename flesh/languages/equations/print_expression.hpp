// Expressions of a kernel as text, in the C++ of the point contract (cereus/kernel.hpp): `p` is asked for neighbours
// and places. What has a name is called by it, all else is written out.
#pragma once
#include "equations/print.hpp"
namespace cereus::equations {
class Expressions {
 public:
  Expressions(const Program&, const Kernel&, int dim, const Handles&, const std::vector<Constant>&, std::string indent);
  // The author's names, then whatever is used more than once, then the results.
  std::string statements(const std::vector<Assignment>&);

 protected:
  static constexpr int sum_level = 1, product_level = 2, atom = 4;  // how tightly a text binds
  struct Text {
    std::string text;
    int level = atom;
  };
  // Lines end before column 118, where a sum or product goes on.
  void line(const std::string& text, const std::string& comment = "");
  // What is computed at a point: operands first, without what lies below a constant of the kernel.
  std::vector<int> needed(const std::vector<int>& roots) const;
  void count_uses(const std::vector<int>& order, const std::vector<int>& roots);
  std::string fresh(const std::string& wish);  // a name that is not taken
  std::string wish(int node);                  // what a node would be called
  bool is_truth(int node) const { return g_[node].op == Op::compare || g_[node].op == Op::logic; }
  std::string comment(int node);  // the line of the text, where it changes

  Text of(Term);
  Text operand(int node);
  Text of_node(int node);
  Text sum(const std::vector<Rational>& factors, const std::vector<int>& args);
  static std::string bracket(const Text& t, int level) { return t.level < level ? "(" + t.text + ")" : t.text; }

  const Program& program_;
  const Graph& g_;
  const Handles& handles_;
  std::map<int, std::string> names_;
  std::set<std::string> taken_;
  std::vector<int> uses_;
  std::string indent_, lines_;
  const std::string grid_;  // the point on whose grid differences are taken
  std::string point_;       // what neighbours are asked of: it, or those along an axis that have been read

 private:
  Text call(const std::string& function, const std::vector<Text>& args) const;  // quotient, sqrt, …
  Text choose(const Node&, const Text& condition, const Text& yes, const Text& no) const;
  Text leaf(const Node&) const;  // what has no operands
  std::string order(const std::string& op) const;
  std::string difference(const char* name, const Node&, const char* op) const;
  std::string derivative(const Node&) const;
  std::string neighbour(const Node&) const;
  bool has_place(int node) const;
  Text product(const Node&);
  const bool large_;
  int temporaries_ = 0, line_ = 0;
};
}  // namespace cereus::equations
