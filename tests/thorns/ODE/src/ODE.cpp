// A test of time integrators: an ordinary differential equation with a known solution, at every point of the grid.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace ODE {
void declare(Declaration& d) {
  d.describe("du/dt = p/2 (u^((p-1)/p) + (1+t)^(p-1)), u(0) = 1: a test of time integrators");
  d.parameter("p", 5, at_least(2), "Power of the solution (1+t)^p");
  d.group<State>("state", {"u"}, "The solution").rhs<Rhs>();
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetOne>("initial", "Starts from 1").at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side")
      .set([](auto& k, const Parameters& p) { k.power = p.real("p"); })
      .in(MoL::rhs);
}
}  // namespace ODE
CEREUS_THORN(ODE, ODE::declare, ODE::schedule)
