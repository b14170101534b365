// What there is (declare), and what runs when (schedule).
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace @NAME@ {

// No value is known yet: parameters, groups, services.
void declare(Declaration& d) {
  d.describe("Exponential decay ∂u/∂t = −rate·u");
  d.parameter("rate", 1.0, above(0.0), "How fast u decays").may_steer();
  d.group<State>("state", {"u"}, "What decays").rhs<Rhs>();  // .rhs: evolved, so the time integrator takes care of it
}

// The parameters are known: kernels and routines, each in its bin or schedule group. Order follows from what they read and write.
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetInitial>("initial", "Starts from 1").at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side")
      .set([](auto& k, const Parameters& p) { k.rate = p.real("rate"); })
      .in(MoL::rhs);
}

}  // namespace @NAME@

CEREUS_THORN(@NAME@, @NAME@::declare, @NAME@::schedule)
