// Kernels that read some variables and change others, for comparisons bit by bit.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Changer {
void declare(Declaration& d) {
  d.describe("Changes variables by what lies around them, for tests");
  d.group<Source>("source", {"a"}, "What is read");
  d.group<Changed>("changed", {"b", "c"}, "What is modified");
  d.group<Summed>("summed", {"s"}, "What evolves by a sum of two terms").rhs<Rate>();
}
void schedule(Schedule& s, const Parameters&) {
  using Reals = types<float, double>;
  s.kernel<Give, Reals>("give", "Whole numbers").at(bin::initial);
  s.kernel<Change, Reals>("change", "Modifies").at(bin::poststep);
  s.kernel<AddBelow, Reals>("add_below", "A term of neighbours").in(MoL::rhs);
  s.kernel<AddHere, Reals>("add_here", "A term of the point").in(MoL::rhs);
}
}  // namespace Changer
CEREUS_THORN(Changer, Changer::declare, Changer::schedule)
