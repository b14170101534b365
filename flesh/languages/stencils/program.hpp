// A stencil program whose names, types and bounds are known, and the sweeps that a step of it takes.
#pragma once
#include <cstdint>
#include <map>
#include <set>

#include "stencils/tree.hpp"
namespace cereus::stencils {
using Values = std::map<std::string, std::int64_t>;  // of parameters that bounds are made of

struct Sweep {  // functions of one field, all from the values before
  const FieldText* field = nullptr;
  std::vector<const FunctionText*> functions;
  bool neighbours = false;  // whether its field is kept as it was: some point is read beside the own one, or `old`
  bool copied = false;      // whether it reads them from a copy that is made just before
};
using Step = std::vector<Sweep>;  // what one kernel does: none of its sweeps reads what another one updates

struct Program {
  // Reads and checks the text: mistakes go to the source. `given`: values of parameters, as far as they are known.
  Program(Source, std::string thorn, const Values& given);
  Program(const Program&) = delete;  // the parts refer to each other

  const Source source;
  const std::string thorn;
  ProgramText text;
  std::set<std::string> integers;  // parameters that are whole numbers: bounds are made of them
  Values values;                   // of these: given, or the default; where there is neither, one for the checks
  std::set<std::string> unknown;   // those without a value
  std::vector<std::pair<std::int64_t, std::int64_t>> updated_ends;  // first and last point, by index, for these values
  std::vector<Step> steps;
  std::vector<std::string> notes;  // where the order of functions matters

  int dim() const { return static_cast<int>(text.grids.at(0).bounds.size()); }
  int axis(int index) const { return dim() - 1 - index; }  // 0 is x, along which the last index runs
  const FieldText* field(const std::string& name) const;
  const FieldText* updated(const FunctionText&) const;  // the one that its subscript names, else its last argument
  const GridText* grid(const std::string& name) const;
  const ParameterText* parameter(const std::string& name) const;
  bool is_periodic(int index) const;
  bool two_levels(const FieldText*) const;  // it is read beside the point where it is updated, once a step
  // Ends of the points that are updated, as C++ from the parameters `p`; and of a function's bounds, which are tested
  // where they are not the same.
  std::string end_of_all(int index, bool high) const;
  std::int64_t points_updated(int index) const { return updated_ends[index].second - updated_ends[index].first + 1; }
  bool tests(const FunctionText&, int index, bool high) const;
};
// The value of a bound: nothing where it is not made of whole numbers and parameters.
std::optional<std::int64_t> value_of(const Expression&, const Values&);
double default_of(const ParameterText&);       // 0 if there is none
std::string print_integer(const Expression&);  // C++ on the host, from the parameters `p`
void check(Program&);                          // names, types and bounds
void find_steps(Program&);                     // of a program without mistakes
// Calls f for each access of an expression.
template <class F> void for_each_access(const Expression& e, F&& f) {
  if (e.kind == Expression::Kind::access) f(e);
  for (const Expression& a : e.args) for_each_access(a, f);
}
bool is_beside(const Expression& access);  // whether some offset is not 0
// Functions of kernels, and how many arguments each takes.
const std::map<std::string, int>& functions();
bool is_of_host(const Expression& call);  // where its arguments are
}  // namespace cereus::stencils
