// Solves elliptic equations: conjugate gradients, with cycles over coarser and coarser levels.
#include <cereus/thorn.hpp>

#include <map>

#include "gradients.hpp"

namespace Multigrid {
class MultigridSolver : public Elliptic::Solver {
 public:
  Elliptic::Outcome solve(Simulation& s, const Elliptic::Equation& e) override {
    const Problem problem = problem_of(s, e);
    auto& engine = engines_[problem];
    if (!engine) engine = make_engine(s, problem);
    return engine->solve(e);
  }
  void grid_changed(const Simulation&) override { engines_.clear(); }

 private:
  static Problem problem_of(const Simulation& s, const Elliptic::Equation& e) {
    const VariableInfo& v = s.variables[static_cast<std::size_t>(e.solution)];
    Problem p{s.groups[v.group].centre, {}, s.type(v.group), e.coefficient >= 0 || e.absorption >= 0,
        e.b > 0 || e.absorption >= 0};
    const auto* conditions = s.services.find<BoundaryConditions>();
    for (int face = 0; face < 2 * s.grid.dim; ++face) {
      if (s.grid.levels[0].space.periodic[face / 2]) continue;
      p.mirrors[face] = conditions ? conditions->mirrors(s, v.group, v.component, face) : 0;
      if (p.mirrors[face] == 0)
        throw Error("Multigrid: " + v.name + " needs dirichlet, neumann or reflect at " + "xyz"[face / 2] +
                    (face % 2 ? "_upper" : "_lower") + "; say so in Boundary, or make the axis periodic");
    }
    return p;
  }
  static std::unique_ptr<Engine> make_engine(Simulation& s, const Problem& problem) {
    std::unique_ptr<Engine> engine;
    const auto make = [&]<int dim, class Real>() {
      if (s.grid.dim != dim || problem.type != scalar_type<Real>) return;
      if (problem.coefficients) engine = std::make_unique<Gradients<variable, dim, Real>>(s, problem);
      else engine = std::make_unique<Gradients<constant, dim, Real>>(s, problem);
    };
    [&]<int... dim, class... Real>(detail::ints<dim...>, types<Real...>) {
      const auto each = [&]<int d>() { (make.template operator()<d, Real>(), ...); };
      (each.template operator()<dim>(), ...);
    }
    (detail::Dimensions{}, detail::Reals{});
    if (!engine) throw Error("Multigrid solves for float and double, not for " + std::string(name_of(problem.type)));
    return engine;
  }
  std::map<Problem, std::unique_ptr<Engine>> engines_;
};

void declare(Declaration& d) {
  d.describe("Solves elliptic equations: conjugate gradients, with multigrid cycles as preconditioner");
  d.provides<Elliptic::Solver>([](const Parameters&) { return std::make_shared<MultigridSolver>(); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Multigrid
CEREUS_THORN(Multigrid, Multigrid::declare, Multigrid::schedule)
