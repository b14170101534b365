// Expressions of a kernel as text: what has a name is called by it, all else is written out.
#pragma once
#include "equations/print.hpp"
namespace cereus::equations {
class Expressions {
 public:
  Expressions(const Program&, const Kernel&, const Handles&, const std::vector<Constant>&, std::string indent);

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

  const Program& program_;
  const Graph& g_;
  const Handles& handles_;
  std::map<int, std::string> names_;
  std::vector<int> uses_;
  const bool large_;
  std::string indent_, lines_, point_ = "p";  // what neighbours are asked of

 private:
  static std::string bracket(const Text& t, int level) { return t.level < level ? "(" + t.text + ")" : t.text; }
  Text product(const Node&);
  std::string order(const OperatorText&, int more = 0) const;
  std::string difference(const char* name, const Node&, const char* op) const;
  std::string derivative(const Node&) const;
  std::string neighbour(const Node&) const;
  std::set<std::string> taken_{"upwind", "upwind_even", "dissipation", "second_derivative", "mixed_derivative",
      "inverse_sqrt", "fabs", "upwind_odd", "delta", "beside", "along", "upwind_weight", "dissipation_weight"};
  int temporaries_ = 0, line_ = 0;
};
}  // namespace cereus::equations
