// An elliptic equation from formulas in the parameter file, solved when a run begins, or in each step.
#include <Elliptic/elliptic.hpp>
#include <algorithm>
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/formula.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Elliptic {
void declare(Declaration& d) {
  d.describe(
      "Solves ∇·(a ∇φ) − b φ = ρ for φ, with formulas for a, b and ρ; and the service by which thorns solve their own");
  d.parameter("source", "0", any(), "ρ, a formula of x, y, z, t and variables of other thorns, Thorn::name");
  d.parameter("coefficient", "1", any(), "a, a formula; it may jump, and be 0 in parts, but not be negative");
  d.parameter("absorption", "0", any(), "b, a formula; not negative");
  d.parameter("guess", "0", any(), "φ to begin with, a formula");
  d.parameter("centring", "cells",
      one_of({{"cells", "φ is `phi`, at centres of cells"}, {"vertices", "φ is `phi_vertex`, at their corners"}}),
      "Where φ lies");
  d.parameter("each_step", false, any(), "Solve in each step anew, from the guess, and not only when the run begins");
  d.parameter("tolerance", 1e-10, between({0.0, false}, {1.0, true}), "Largest residual, over the largest |ρ|");
  d.parameter("most_cycles", 100, at_least(1), "The solver fails after so many");
  for (const std::string end : {"", "_vertex"}) {
    auto solution = d.group<Solution>("solution" + end, {"phi" + end}, "φ");
    auto given = d.group<Terms>("given" + end, {"source" + end, "coefficient" + end, "absorption" + end}, "ρ, a, b");
    given.condition([](const Parameters&, int, int) { return "neumann"; });  // of which nothing is used
    if (end.empty()) solution.cell_centred(), given.cell_centred();
  }
  d.scalars("solve", {"cycles"}, "That it took").type(ScalarType::int32);
  d.scalars("wrong", {"wrong"}, "Points where the equation is not elliptic")
      .type(ScalarType::float64)
      .not_checkpointed();
  d.scalars("left", {"residual"}, "What is left, over the largest |ρ|").type(ScalarType::float64);
  d.scalars("open", {"mean"}, "Mean of ρ, which was taken out where φ is known but for a constant")
      .type(ScalarType::float64);
  d.needs<Solver>();
}

// A formula that is a number is no grid function of the equation: what is constant is solved faster.
bool varies(const Steps& s) { return !number_of(s); }

// Warns of formulas of an axis that the grid lacks, and, in an equation that is solved once, of t and of evolved
// variables.
void check(Context& c) {
  const Parameters& par = c.parameters();
  const Simulation& run = c.simulation();
  for (const char* key : {"source", "coefficient", "absorption", "guess"}) warn_of_axes(c, key);
  for (const char* key : {"source", "coefficient", "absorption"})
    for (const std::string& name : parse_formula(par.string(key), true).names) {
      const int v = run.variable_number(name);
      if (c.rank() == 0 && !par.boolean("each_step") &&
          (name == "t" || (v >= 0 && run.groups[run.variables[v].group].rhs >= 0)))
        console::warn(
            Problem{par.where(key), std::string("Elliptic.") + key + ": '" + par.string(key) + "' changes with " +
                                        name + ", but is solved for when the run begins alone; say each_step: true"}
                .text());
    }
}

// What the formulas of a parameter file say, and the variables that they name: none, or as many as a kernel has.
struct Given {
  Formulas of;
  std::vector<std::string> inputs;
};

Given read(const Parameters& par) {
  Problems problems;
  Given given;
  const auto complain = [&](const char* key, const std::string& what) {
    problems.add(par.where(key), std::string("Elliptic.") + key + ": '" + par.string(key) + "': " + what);
  };
  const auto formula = [&](const char* key) -> Steps {
    try {
      std::vector<std::string> known{"x", "y", "z", "t"};
      for (const std::string& name : parse_formula(par.string(key), true).names) {
        if (name.find("::") == std::string::npos || std::ranges::count(given.inputs, name)) continue;
        if (name.starts_with("Elliptic::"))
          throw Error("column 1: '" + name + "' is what is solved for, or made of this");
        given.inputs.push_back(name);
      }
      known.insert(known.end(), given.inputs.begin(), given.inputs.end());
      return steps_of(par.string(key), known);
    } catch (const Error& e) { return complain(key, e.what()), Steps{}; }
  };
  const Formulas f{formula("guess"), formula("source"), formula("coefficient"), formula("absorption")};
  if (given.inputs.size() > most_inputs)
    complain("source", "the formulas of Elliptic name " + std::to_string(given.inputs.size()) +
                           " variables of other thorns, and there is room for four; add some up by Expressions before");
  problems.throw_if_any();
  if (!(number_of(f.coefficient).value_or(1) > 0))
    complain("coefficient", "it must be above 0, or a formula that is 0 in parts of the domain only");
  if (!(number_of(f.absorption).value_or(0) >= 0)) complain("absorption", "it must not be negative");
  problems.throw_if_any();
  given.of = f;
  while (!given.inputs.empty() && given.inputs.size() < most_inputs) given.inputs.push_back(given.inputs.front());
  return given;
}

void solve(Context& c, const Formulas& f, const std::string& end) {
  const Parameters& p = c.parameters();
  Simulation& run = c.simulation();
  if (c.read_values<double>("wrong")[0] > 0)
    throw Error(p.where(varies(f.coefficient) ? "coefficient" : "absorption"),
        "Elliptic: coefficient or absorption is negative, or no number, at some points of the grid; neither may be");
  const auto variable = [&](const char* name) { return run.variable_number("Elliptic::" + (name + end)); };
  Equation e{variable("phi"), variable("source")};
  if (varies(f.coefficient)) e.coefficient = variable("coefficient");
  else e.a = *number_of(f.coefficient);
  if (varies(f.absorption)) e.absorption = variable("absorption");
  else e.b = *number_of(f.absorption);
  e.tolerance = p.real("tolerance"), e.most_cycles = static_cast<int>(p.integer("most_cycles"));
  const Outcome o = c.service<Solver>().solve(run, e);
  c.values<std::int32_t>("cycles")[0] = o.cycles;
  c.values<double>("residual")[0] = o.residual;
  c.values<double>("mean")[0] = o.mean;
  if (o.residual > e.tolerance && p.changed("tolerance") && c.rank() == 0 && c.clock().iteration == 0)
    console::warn(Problem{
        p.where("tolerance"), "Elliptic: rounding leaves " + format_double(o.residual) + ", more than tolerance"}
                      .text());
  constexpr double rounding = 1e-6;
  if (o.mean_share > rounding && c.rank() == 0 && c.clock().iteration == 0)
    console::warn(
        "Elliptic: ∇·(a ∇φ) = ρ without a Dirichlet face and without absorption has a solution only if ρ has the mean "
        "0; its mean, " +
        format_double(o.mean) + ", was taken out (Elliptic::mean)");
}

// Fields, then a solution of them, in a bin.
void schedule_in(Schedule& s, const Given& given, const std::string& end, const std::string& name, Bin bin) {
  const Formulas& f = given.of;
  const auto bound = [&](auto& item) -> auto& {
    return item.template bind<Solution>({"Elliptic::solution" + end})
        .template bind<Terms>({"Elliptic::given" + end})
        .at(bin);
  };
  const auto set = [f](auto& k, const Parameters&) { k.of = f; };
  if (given.inputs.empty()) {
    auto fill = s.kernel<SetFields>(name + "fill", "Fields from formulas");
    bound(fill).set(set);
  } else {
    auto fill = s.kernel<SetFromInputs>(name + "fill", "Fields from formulas");
    bound(fill).template bind<Inputs>(given.inputs).set(set).one_centring();
  }
  auto wrong = s.kernel<Wrong>(name + "wrong", "Points where the equation is not elliptic");
  bound(wrong).into("wrong").after(name + "fill");
  s.routine(name + "solve", "Solves for φ", [f, end](Context& c) { solve(c, f, end); })
      .reads({"Elliptic::solution" + end, "Elliptic::given" + end}, Region::interior, 1)
      .reads({"wrong"})
      .updates({"Elliptic::solution" + end})
      .writes({"cycles", "residual", "mean"})
      .launches_kernels()
      .once()
      .at(bin)
      .after(name + "wrong");
}
void schedule(Schedule& s, const Parameters& par) {
  const std::string end = par.string("centring") == "vertices" ? "_vertex" : "";
  const Given given = read(par);
  schedule_in(s, given, end, "initial_", bin::initial);
  if (par.boolean("each_step")) schedule_in(s, given, end, "", bin::poststep);  // for the time at its end
  s.routine("check", "Warns of axes that the grid lacks, and of what changes and is solved for once", check)
      .at(bin::paramcheck)
      .once();
}
}  // namespace Elliptic
CEREUS_THORN(Elliptic, Elliptic::declare, Elliptic::schedule)
