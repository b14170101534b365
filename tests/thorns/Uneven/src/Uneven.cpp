// Asks for values at a point on process 0, and for gradients on the others.
#include <cereus/thorn.hpp>

namespace Uneven {
using namespace cereus;

void ask(Context& c) {
  Simulation& s = c.simulation();
  const int variable[] = {s.variable_number("WaveToy::u")};
  const std::array<double, 3> point[] = {{0.1, 0.1, 0.1}};
  double value[1];
  std::array<double, 3> gradient[1];
  std::span<std::array<double, 3>> slopes = gradient;
  c.service<Interpolation>().interpolate(s, variable, point, value, slopes.first(c.rank() == 0 ? 0 : 1));
}

void declare(Declaration& d) {
  d.describe("Processes that ask for different things");
  d.needs<Interpolation>();
}
void schedule(Schedule& s, const Parameters&) {
  s.routine("ask", "Asks", ask).reads({"WaveToy::u"}, Region::interior, 2).at(bin::output).once();
}
}  // namespace Uneven
CEREUS_THORN(Uneven, Uneven::declare, Uneven::schedule)
