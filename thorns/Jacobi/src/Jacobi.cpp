// Heat spreads from a hot cube: what is declared, and when its kernels run.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Jacobi {
void declare(Declaration& d) {
  d.describe("Jacobi's smoother: heat spreads from a hot cube");
  d.parameter("half_width", 0.25, above(0.0), "Half the edge of the cube, whose centre is the origin");
  d.group<State>("state", {"u"}, "Temperature").cell_centred().timelevels(2);
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<HotCube>("initial", "1 in the cube, else 0")
      .set([](auto& k, const Parameters& p) { k.half_width = p.real("half_width"); })
      .at(bin::initial);
  s.kernel<Smooth>("step", "Mean of a point and its neighbours").at(bin::evolve);
}
}  // namespace Jacobi
CEREUS_THORN(Jacobi, Jacobi::declare, Jacobi::schedule)
