#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace @NAME@ {

/// What there is; no value is known yet.
void declare(Declaration& d) {
  d.describe("Exponential decay ∂ₜu = −rate·u");
  d.parameter("rate", 1.0, above(0.0), "How fast u decays");
  d.group<State>("state", {"u"}, "Evolved state").rhs<Rhs>();
}

/// What runs when, given the parameters.
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetInitial>("initial", "u = 1").at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side")
      .set([](auto& k, const Parameters& p) { k.rate = p.real("rate"); })  // again after steering
      .in(MoL::rhs);
}

}  // namespace @NAME@

CEREUS_THORN(@NAME@, @NAME@::declare, @NAME@::schedule)
