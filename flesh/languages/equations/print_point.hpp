// Expressions in the C++ of the point contract (cereus/kernel.hpp): `p` is asked for neighbours and places.
#pragma once
#include "equations/print_expression.hpp"
namespace cereus::equations {
class PointExpressions : public Expressions {
 public:
  PointExpressions(const Program&, const Kernel&, const Handles&, const std::vector<Constant>&, std::string indent);

 protected:
  const char* real() const override { return "Real"; }
  std::string number(const Rational& q) const override { return print_number(q); }
  Text call(const std::string& function, const std::vector<Text>& args) const override;
  Text choose(const Node&, const Text& condition, const Text& yes, const Text& no) const override;
  Text leaf(const Node&) const override;
  std::string at_point(const std::string& handle) const override { return "p(" + handle + ")"; }
  std::string point_ = "p";  // what neighbours are asked of

 private:
  std::string order(const std::string& op) const;
  std::string difference(const char* name, const Node&, const char* op) const;
  std::string derivative(const Node&) const;
  std::string neighbour(const Node&) const;
  const bool large_;
};
}  // namespace cereus::equations
