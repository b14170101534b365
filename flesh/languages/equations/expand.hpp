// From tensors to scalars: the equations of one calculation, component by component, as terms of the graph.
#pragma once
#include <functional>

#include "equations/graph.hpp"
#include "equations/model.hpp"
namespace cereus::equations {
struct Assignment {
  int variable = 0;  // of the model
  Term value;
  int line = 0;
  bool adds = false;  // to what it was
};

// Expands for a grid of `dim` dimensions. Tensors have three components on any grid; derivatives along an axis that the
// grid lacks are 0, and so are coordinates and spacings there.
class Expansion {
 public:
  Expansion(const Model& model, Graph& graph, int dim) : model_(model), graph_(graph), dim_(dim) {}
  // In the order of the text. What an equation assigns is what later ones read.
  std::vector<Assignment> expand(const Calculation&);
  Term expand(const Expression&);  // of a scalar
  Term expand(const Expression&, const std::vector<Index>&, const std::vector<int>& components);
  // Expands all, and adds a mistake for each name that is declared (anti)symmetric and whose right side is not.
  void check_symmetries();

 private:
  using Bound = std::vector<std::pair<std::string, int>>;  // indices whose component is known
  struct Factor {
    const Expression* e;
    bool inverted;
  };
  struct Use {  // of an operator of the text's own
    const OwnOperator* of;
    Term operand;
    int axis;
    Span span;
  };
  Term value(const Expression&, Bound&);
  Term value_of_kind(const Expression&, Bound&);
  Term signed_value(const Expression&, Bound&, int sign);
  static bool has_upwind(const Expression&);
  Term product(const Expression&, Bound&, int sign);
  Term one_product(const std::vector<Factor>&, Bound&, int sign);
  Term sum_over(std::vector<std::string> summed, Bound&, const std::function<Term()>&);
  Term name(const Expression&, Bound&);
  Term call(const Expression&, Bound&);
  Term noise(const Expression&);
  Term apply(const Expression&, Bound&);
  Term neighbour(Term, int axis, int offset, Span);
  Term guarded(Span, const std::function<Term()>&);
  Term compare(const Expression&, Bound&);
  Term advect(Term speed, const Expression& upwind, Bound&);
  Term differentiate(Term, int axis, Span);
  Term component(const std::string& tensor, const std::vector<bool>& up, const std::vector<int>& components, Span);
  Term parameter(const Tensor&, std::vector<int> components);
  Term raised(const Tensor&, std::vector<bool> up, const std::vector<int>& components, Span);
  Term inverse_metric(int i, int j, Span);
  Term inverse(const std::string& tensor, const std::vector<bool>& up, std::vector<int> components, Span);
  Term cofactor(const std::string& tensor, int i, int j, Span);
  Term determinant(const std::string& tensor, Span);
  void find_stored(const Calculation&, const Equation&);
  Term let(const Tensor&, const std::vector<std::string>& args, std::vector<int> components, Span);
  std::vector<std::pair<std::vector<int>, Term>> components_of_equation(const Equation&, const Tensor&);
  void check_symmetry(const Equation&, const Tensor&, const std::vector<int>& components, Term value);
  bool is_zero(Term) const;
  Term remember(const std::string& key, const std::string& name, int line, const std::function<Term()>&);
  std::vector<int> components(const std::vector<Index>&, const Bound&) const;
  std::vector<std::string> free(const Expression&);
  std::vector<std::string> summed(const Expression&, const Bound&);
  int variable_of(Term, Span, const char* what);
  const std::string& alias(const std::string& name) const;
  void fail(Span, const std::string& what, const std::string& mend = "");

  const Model& model_;
  Graph& graph_;
  int dim_;
  const Calculation* in_ = nullptr;  // the calculation that is being expanded
  bool checks_symmetries_ = false;
  std::map<std::string, Term> known_;             // components of let names and of raised tensors
  std::set<std::string> open_;                    // those that are being computed
  std::set<std::string> stored_;                  // let names that are read from grid functions
  std::map<std::string, Term> locals_;            // components of names of the calculation's own
  std::map<int, Term> assigned_;                  // variables that an earlier equation has set
  std::map<std::string, std::string> arguments_;  // of the let name that is being expanded
  std::map<const Expression*, std::vector<std::string>> free_;
  Term each_{0, -1};                            // what `u` is in `every D_t u:`
  std::optional<Use> own_;                      // the operator that is being expanded
  int work_ = 0, depth_ = 0;                    // expressions that have been expanded, and are being
  std::set<std::pair<int, std::string>> said_;  // mistakes, once for all components
};
}  // namespace cereus::equations
