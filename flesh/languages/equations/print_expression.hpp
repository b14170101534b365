// Expressions of a kernel as text: what has a name is called by it, all else is written out. A language says how it
// writes numbers, functions, and what is read and set at a point.
#pragma once
#include "equations/print.hpp"
namespace cereus::equations {
class Expressions {
 public:
  Expressions(const Program&, const Handles&, const std::vector<Constant>&, std::string indent);
  virtual ~Expressions() = default;
  // The author's names, then whatever is used more than once, then the results.
  std::string statements(const std::vector<Assignment>&);

 protected:
  static constexpr int sum_level = 1, product_level = 2, atom = 4;  // how tightly a text binds
  struct Text {
    std::string text;
    int level = atom;
  };
  virtual const char* real() const = 0;  // the type of numbers
  virtual std::string number(const Rational&) const = 0;
  virtual Text call(const std::string& function, const std::vector<Text>& args) const = 0;  // quotient, sqrt, …
  virtual Text choose(const Node&, const Text& condition, const Text& yes, const Text& no) const;
  virtual Text leaf(const Node&) const = 0;                           // what has no operands
  virtual std::string at_point(const std::string& handle) const = 0;  // what is set there

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

 private:
  bool has_place(int node) const;
  Text product(const Node&);
  int temporaries_ = 0, line_ = 0;
};
}  // namespace cereus::equations
