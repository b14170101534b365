// Changes a parameter of another thorn in the middle of a run.
#include <cereus/thorn.hpp>

namespace Steerer {
using namespace cereus;

void steer(Context& c) {
  Simulation& s = c.simulation();
  if (c.clock().iteration != c.parameters().integer("at")) return;
  s.parameters.at("WaveToy").set("speed", c.parameters().real("speed"));
  for (auto& r : s.routines)
    if (r.item->thorn == "WaveToy" && r.item->set) r.item->set(r.item->variants, s.of("WaveToy"), {});
}

void declare(Declaration& d) {
  d.describe("Changes the speed of WaveToy's waves during a run: a test of what is kept of a kernel's parameters");
  d.parameter("at", 10, at_least(0), "The first iteration with the new speed");
  d.parameter("speed", 0.5, above(0.0), "The new speed");
}
void schedule(Schedule& s, const Parameters&) { s.routine("steer", "Changes the speed", steer).at(bin::prestep); }
}  // namespace Steerer
CEREUS_THORN(Steerer, Steerer::declare, Steerer::schedule)
