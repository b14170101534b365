// A place that goes along x, for balls of fine blocks around it: tests/benchmarks/refined.py.
#include <cereus/thorn.hpp>

namespace Walker {
using namespace cereus;

void declare(Declaration& d) {
  d.describe("Goes along x");
  d.parameter("start", {0.45, 0.5, 0.5}, any(), "Where it begins").length(3);
  d.parameter("speed", 1.0, any(), "How fast it goes");
  d.arrays("place", {"x", "y", "z"}, "Where it is").type(ScalarType::float64).shape({1});
}
void schedule(Schedule& s, const Parameters& par) {
  const auto start = par.reals("start");
  const double speed = par.real("speed");
  const auto go = [=](Context& c) {
    c.values<double>("x")[0] = start[0] + speed * c.grid().levels.front().clock.time;
    c.values<double>("y")[0] = start[1], c.values<double>("z")[0] = start[2];
  };
  s.routine("begin", "Goes to its start", go).writes({"x", "y", "z"}).at(bin::initial).once();
  s.routine("go", "Goes on", go).writes({"x", "y", "z"}).at(bin::poststep).once();
}
}  // namespace Walker
CEREUS_THORN(Walker, Walker::declare, Walker::schedule)
