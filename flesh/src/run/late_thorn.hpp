// Thorns whose text stands in a file, or in the parameter file itself: declared from the text at the start of a run,
// and compiled for that run.
#pragma once
#include <functional>

#include "cereus/schedule.hpp"
#include "parameter/parameter_file.hpp"
#include "run/catalog.hpp"
namespace cereus {
namespace equations {
struct Thorn;
}
// What the kernels are compiled for: the code is kept in the user's cache, and compiled again if any of this is new.
struct CompileFor {
  int dimension = 3;
  std::string real;        // "double" or "float"
  std::int64_t order = 0;  // of the differences, where it is a parameter
  bool device = false;     // with nvcc; else for the host
  bool contract = true;    // a device may round a b + c once
};
struct LateThorn {
  struct Sources {
    std::string kernels, thorn;
  };
  std::string name, description, text, order_parameter;
  Where where;  // of its first word
  std::vector<int> dimensions;
  bool is_program = false;  // a stencil program; else equations
  ThornRecord record;
  std::function<Sources(const CompileFor&)> print;
  std::function<void(const CompileFor&, Schedule&)> interpret;  // instead; nothing: it must be compiled
};
struct NoCompiler : Failure {
  using Failure::Failure;
};
using LateThorns = std::vector<LateThorn>;
// Reads each `NAME.edl` and `NAME.stencil` under `thorns:`, and the texts under `equations:` and `stencils:`; the names
// of their thorns then stand under `thorns:`.
LateThorns take_late(ParameterFile&, Problems&);
std::string as_yaml(const LateThorns&);  // the blocks `equations:` and `stencils:`
// Throw one Error with all mistakes of the text, which begins at `start`. What a program says of its grid becomes
// parameters of other thorns, where the file says nothing.
LateThorn late_equations(const Where& start, const std::string& text);
LateThorn late_program(const Where& start, const std::string& text, const std::string& name, ParameterFile&);
// Schedules kernels that are not compiled but carried out operation by operation, on the host.
void interpret(std::shared_ptr<const equations::Thorn>, const CompileFor&, Schedule&);
// As group_key says it of a struct template.
std::string struct_key(const std::string& name_space, const std::string& type);
// Throws NoCompiler if there is none and the code is not in the cache, Failure if it does not compile.
Plugin compile(const LateThorn&, const CompileFor&);
bool is_compiled(const LateThorn&, const CompileFor&);  // it is in the cache
}  // namespace cereus
