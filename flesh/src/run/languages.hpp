// Thorns whose text stands in a file, or in the parameter file itself: declared from the text at the start of a run,
// and compiled for that run. The languages that make them are a library above the flesh, opened when one is asked for.
#pragma once
#include <functional>

#include "cereus/formula.hpp"
#include "cereus/schedule.hpp"
#include "parameter/parameter_file.hpp"
#include "run/catalog.hpp"
namespace cereus {
struct Options;
// What the kernels are compiled for: the code is kept in the user's cache, and compiled again if any of this is new.
struct CompileFor {
  int dimension = 3;
  std::string real;        // "double" or "float"
  std::int64_t order = 0;  // of the differences, where it is a parameter
  bool device = false;     // for a device, too
  bool contract = true;    // a device may round a b + c once
  bool maps = false;       // for shells around a cube, too
  bool stretches = false;  // for stretched axes, too
  bool audits = false;     // for an audit, too
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
  std::vector<std::string> warnings;  // of what the text says without an effect
  std::function<Sources(const CompileFor&)> print;
  // Where `print` gives kernels alone: schedules them. Nothing: the library is a thorn.
  std::function<void(const CompileFor&, const LateKernels&, Schedule&)> schedule;
  std::function<void(const CompileFor&, Schedule&)> interpret;  // instead; nothing: it must be compiled
};
using LateThorns = std::vector<LateThorn>;
// An assignment of grid functions, target = formula, as a thorn of its own. Those that differ in numbers and names of
// variables are one thorn, whose parameters these are.
struct AssignmentThorn {
  LateThorn thorn;
  std::string target;
  std::vector<std::string> inputs;  // other variables
  std::vector<double> numbers;
  std::string parameters;  // as a block of YAML
};
struct NoCompiler : Failure {
  using Failure::Failure;
};

class Languages {
 public:
  // Reads each `NAME.edl` and `NAME.stencil` under `thorns:`, and the texts under `equations:` and `stencils:`; the
  // names of their thorns then stand under `thorns:`.
  virtual LateThorns take(ParameterFile&, Problems&) const = 0;
  virtual LateThorn equations(const Where& start, const std::string& text) const = 0;  // a thorn from its text
  virtual std::string as_yaml(const LateThorns&) const = 0;  // the blocks `equations:` and `stencils:`
  virtual AssignmentThorn assignment(const std::string& target, const Formula&) const = 0;
  // Throws NoCompiler if there is none and the code is not in the cache, Failure if it does not compile.
  virtual Plugin compile(const LateThorn&, const CompileFor&) const = 0;
  virtual bool is_compiled(const LateThorn&, const CompileFor&) const = 0;                 // it is in the cache
  virtual std::string costs(const std::string& thorn, const std::string& text) const = 0;  // of kernels of equations
  virtual int command_equations(const Options&) const = 0;

 protected:
  ~Languages() = default;
};
bool asks_for_languages(const ParameterFile&);
// Opens their library, once. Throws Error if it is not there.
const Languages& languages();
}  // namespace cereus
