// a / b and 1 / √b of all kinds of numbers, for a comparison with what IEEE says.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Ratios {
void declare(Declaration& d) {
  d.describe("Divides numbers of all magnitudes, for tests");
  d.group<Given>("given", {"a", "b"}, "Numbers");
  d.group<Found>("found", {"ratio", "root"}, "a / b and 1 / sqrt(b)");
}
void schedule(Schedule& s, const Parameters&) {
  using Reals = types<float, double>;
  s.kernel<Give, Reals>("give", "Numbers, some of them special").at(bin::initial);
  s.kernel<Find, Reals>("find", "Divides").at(bin::postinitial);
}
}  // namespace Ratios
CEREUS_THORN(Ratios, Ratios::declare, Ratios::schedule)
