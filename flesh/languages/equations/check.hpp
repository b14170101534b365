// The rules of index notation: which indices an expression leaves free, and whether both sides of an equation have the
// same.
#pragma once
#include "equations/model.hpp"
namespace cereus::equations {
// The free indices of an expression, in the order in which they appear.
class IndexRules {
 public:
  explicit IndexRules(const Model& model) : model_(model) {}
  // Adds a mistake to the source for each rule that is broken.
  void check_all();
  std::vector<Index> free(const Expression&);

 private:
  void check_equation(const Equation&);
  void check_attributes(const Declared&);
  void check_operator(const OwnOperator&);
  int check_body(const OwnOperator&, const Expression&);
  std::vector<Index> of_name(const Expression&);
  std::vector<Index> of_call(const Expression&);
  std::vector<Index> of_operator(const Expression&);
  std::vector<Index> contract(const std::vector<Index>&, Span);
  bool compares_words(const Expression&) const;
  void check_capture(const Expression&, const std::vector<Index>& free, const Expression& beside);
  void must_be_condition(const Expression&);
  void must_be_scalar(const Expression&, const char* what);
  void add(Span, const std::string& what, const std::string& mend = "");
  const Model& model_;
  std::map<std::string, int> arguments_;  // of the let name that is being checked, with their ranks; −1: not known yet
  bool each_ = false;                     // in `every D_t u:`
  std::size_t before_ = 0;                // mistakes before this equation: one is enough for it
};
// Names of expressions that can be called like sqrt(x), and how many arguments each takes.
const std::map<std::string, int>& functions();
}  // namespace cereus::equations
