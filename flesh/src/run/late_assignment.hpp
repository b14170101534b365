// An assignment of grid functions, target = formula, as a thorn of its own: compiled for a run, as thorns of equations
// are. Assignments that differ in numbers and names of variables are one thorn, whose parameters these are.
#pragma once
#include "cereus/formula.hpp"
#include "run/late_thorn.hpp"
namespace cereus {
struct AssignmentThorn {
  LateThorn thorn;
  std::string target;
  std::vector<std::string> inputs;  // other variables
  std::vector<double> numbers;
  std::string parameters() const;  // as a block of YAML
};
// The operations are those of the formula, in the same order: the same bits as of a kernel that goes through its steps.
AssignmentThorn late_assignment(const std::string& target, const Formula&);
}  // namespace cereus
