// Runge–Kutta methods as programs over registers: R0 holds y, others hold stages or stored right-hand sides.
#pragma once
#include <complex>
#include <string>
#include <vector>
namespace MoL {
struct Term {
  int source;  // register
  double factor;
  bool times_dt = false;
};
// k = rhs(current register) at time t + c·dt; target = Σ terms + weight·(dt or 1)·k; then the sweeps, in order.
struct Stage {
  double c = 0;
  int target = 0;
  std::vector<Term> terms;
  double weight = 0;
  bool weight_times_dt = true;  // false: the right-hand side itself is kept
  struct Sweep {
    int target;
    std::vector<Term> terms;
  };
  std::vector<Sweep> sweeps;
  int current = 0;  // the register that holds the state after this stage
};
struct Method {
  std::string name;
  int order = 0, registers = 1;
  std::vector<Stage> stages;
  int error_register = -1;  // of an embedded method: where the error estimate lies at the end
  // The stages of two steps of dt/2, the first stage of the first step first, as sums of the registers after a step of
  // dt; empty if they are not known.
  std::vector<std::vector<double>> seen_by_finer{};
};
// Throws std::logic_error for a name that `method` does not list.
Method make_method(const std::string& name);
// The same, with y in R0 to the end of the step: the last stage takes a register more, if it took R0.
Method keeping_start(Method);
// The same with factors that float has, which add up to 1 in it as well.
Method in_float(Method);
// Of each stage, how much of dt · k is in the result: the b of its tableau.
std::vector<double> weights_in_result(const Method&);
// The largest z, in steps of 0.01 and up to 20, for which a step of y' = z · direction · y with dt = 1 makes |y| at
// most 1.01.
double limit(const Method&, std::complex<double> direction);
}  // namespace MoL
