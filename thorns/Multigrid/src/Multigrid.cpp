// Solves elliptic equations: conjugate gradients, with cycles over coarser and coarser levels.
#include <cereus/thorn.hpp>

#include <algorithm>

#include "gradients.hpp"

namespace Multigrid {
std::unique_ptr<Engine> make_engine(Simulation& s, const Setup& setup) {
  return for_run<std::unique_ptr<Engine>>(
      s, setup.type, "Multigrid", [&]<int dim, class Real>() -> std::unique_ptr<Engine> {
        if (setup.coefficients) return std::make_unique<Gradients<variable, dim, Real, Real>>(s, setup);
        const auto of = [&]<int form>() -> std::unique_ptr<Engine> {
          if (same_type<Real, float> || float_is_enough(s, setup))
            return std::make_unique<Gradients<form, dim, Real, float>>(s, setup);
          return std::make_unique<Gradients<form, dim, Real, Real>>(s, setup);
        };
        const bool vertices = std::ranges::find(setup.centre, Centre::vertex) != setup.centre.end();
        return vertices ? of.template operator()<constant>() : of.template operator()<on_cells>();
      });
}

void declare(Declaration& d) {
  d.describe("Solves elliptic equations: conjugate gradients, with multigrid cycles as preconditioner");
  d.provides<Elliptic::Solver>(
      [](const Parameters&) { return std::make_shared<EngineOf<decltype(&make_engine)>>("Multigrid", &make_engine); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Multigrid
CEREUS_THORN(Multigrid, Multigrid::declare, Multigrid::schedule)
