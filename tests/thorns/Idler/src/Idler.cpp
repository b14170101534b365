// Another integrator, which leaves everything as it is; for tests of what runs of a thorn whose service was not chosen.
#include <cereus/thorn.hpp>

namespace Idler {
using namespace cereus;

struct Integrator : TimeIntegrator {
  int registers(bool) const override { return 0; }
  int stages() const override { return 1; }
  int stage(const Simulation&) const override { return 0; }
  Update update(const Simulation&, int, int, double) const override { return {}; }
};

void declare(Declaration& d) {
  d.describe("Integrates nothing");
  d.provides<TimeIntegrator>([](const Parameters&) { return std::make_shared<Integrator>(); });
}
void schedule(Schedule& s, const Parameters&) {
  s.routine("write", "Overwrites what evolves", [](Context&) { throw Failure("Idler runs"); })
      .writes({"@evolved"}, Region::everywhere)
      .at(bin::poststep);
}
}  // namespace Idler
CEREUS_THORN(Idler, Idler::declare, Idler::schedule)
