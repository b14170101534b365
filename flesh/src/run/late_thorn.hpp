// Thorns whose equations stand in a file, or in the parameter file itself: declared from the text at the start of a
// run, and compiled for that run.
#pragma once
#include "equations/thorn.hpp"
#include "parameter/parameter_file.hpp"
#include "run/catalog.hpp"
namespace cereus {
using LateThorns = std::vector<std::unique_ptr<equations::Thorn>>;
// Reads each `NAME.edl` under `thorns:` and each text under `equations:`; the names of their thorns then stand under
// `thorns:`.
LateThorns take_equations(ParameterFile&, Problems&);
std::string as_yaml(const LateThorns&);  // the block `equations:`; empty if there are none
ThornRecord declare(const equations::Thorn&);
// What the kernels are compiled for: the code is kept in the user's cache, and compiled again if any of this is new.
struct CompileFor {
  int dimension = 3;
  std::string real;        // "double" or "float"
  std::int64_t order = 0;  // of the differences, where it is a parameter
  bool device = false;     // with nvcc; else for the host
};
// Throws Failure if there is no compiler.
Plugin compile(equations::Thorn&, const CompileFor&);
}  // namespace cereus
