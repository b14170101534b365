// The names of a thorn of equations: which tensors there are, their components, and how components are called.
#pragma once
#include <map>
#include <set>

#include "equations/tree.hpp"
namespace cereus::equations {
struct Tensor {
  enum class Kind {
    variable,
    let,
    local,
    parameter,
    coordinate,
    spacing,
    delta,
    epsilon,
    scalar,
    function  // an operator of the text's own
  } kind = Kind::variable;
  std::string name, doc;
  Span span;
  std::vector<Index> indices;  // as declared
  int first = -1;              // variables, and what is stored: number of the first component
  int rank() const { return static_cast<int>(indices.size()); }
  // Whether indices may stand anywhere whatever the declaration says.
  bool flat() const { return kind > Kind::local; }
};

struct Variable {  // a component of a tensor that is a grid function
  std::string name, tensor, thorn;
  std::string group;
  std::vector<int> components;
};

class Model {
 public:
  Model(const Source&, const ThornText&);
  const ThornText& text() const { return text_; }
  const Source& source() const { return source_; }
  const Tensor* find(const std::string& name) const;
  std::vector<std::string> names() const;
  const std::vector<Variable>& variables() const { return variables_; }
  const ParameterText* parameter(const std::string& name) const;
  const OperatorText* op(const std::string& name) const;
  const OwnOperator* own_operator(const std::string& name) const;
  bool is_metric(const std::string& name) const { return text_.metric && text_.metric->name == name; }
  bool has_metric() const { return text_.metric.has_value(); }
  bool is_choice(const std::string& word) const;  // a keyword of some parameter
  // The number of the variable that is this component, and the sign with which it is taken; 0: the component is 0.
  std::pair<int, int> variable(const Tensor&, std::vector<int> components) const;

 private:
  void declare(Tensor, const std::string& what);
  void add_variables(const std::vector<Declared>&, const std::string& thorn, const std::string& group);
  void add_components(const Declared&, const std::string& thorn, const std::string& group);
  const Source& source_;
  const ThornText& text_;
  std::map<std::string, Tensor> tensors_;
  std::vector<Variable> variables_;
};
// Components that differ, in order: of a symmetric pair those with i <= j, of an antisymmetric one those with i < j.
std::vector<std::vector<int>> components_of(const std::vector<Index>&);
// "g_xy", "A_Xy": capital letters are upper indices, if `positions`.
std::string component_name(const std::string& name, const std::vector<Index>&, const std::vector<int>&, bool positions);
// Sorts components within each (anti)symmetric bracket; the sign that comes with it, 0 if the component is 0.
int sort_components(const std::vector<Index>&, std::vector<int>& components);
std::string count_of(int indices);                                        // "1 index", "2 indices"
std::string written(const std::string& name, const std::vector<Index>&);  // as in the text: "A^i_j"
}  // namespace cereus::equations
