// Changes another thorn's state now and then: what was sent ahead of it is then of no use.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Damper {
void declare(Declaration& d) {
  d.describe("Damps the waves of WaveToy, for tests of what happens between a step and the next");
  d.parameter("every", 3, at_least(1), "Iterations from one time to the next");
}
void schedule(Schedule& s, const Parameters& p) {
  s.kernel<Damp>("damp", "Damps u")
      .bind<Wave>({"WaveToy::u"})
      .every({static_cast<int>(p.integer("every"))})
      .at(bin::poststep);
}
}  // namespace Damper
CEREUS_THORN(Damper, Damper::declare, Damper::schedule)
