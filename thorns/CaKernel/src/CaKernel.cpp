// The engine for kernels: several steps at once, compiled late.
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include "engine.hpp"

namespace CaKernel {
void declare(Declaration& d) {
  d.describe("Takes several steps at once where nobody looks at what lies between them: time tiles, compiled late");
  d.parameter("steps", 0, between(0, sweep::most_steps), "Steps at once; 0: as many as pay");
  d.parameter("trials", true, any(), "Choose the tile by short trials in the first steps, and remember the choice");
  d.parameter("tiles", 8, between(1, 10000),
      "Tiles that are tried, the best by a model; a few numbers of steps are always among them, and of steps by levels "
      "and in passes at most so many each");
  d.parameter("wait", false, any(),
      "Wait until what is to be tried is compiled, instead of going on one step at a time meanwhile");
  d.parameter("cache", true, any(), "Keep compiled code and choices, in $XDG_CACHE_HOME/cereus or ~/.cache/cereus");
  d.parameter("architecture", "", any(),
      "Without a device: compile for this one (sm_90) all the same, into the cache, for runs elsewhere");
  d.parameter("report", false, any(), "Say at the end what was tried, and how fast it was");
  d.provides<StepTiles>([](const Parameters& p) { return std::make_shared<Engine>(p); });
}

void schedule(Schedule& s, const Parameters& p) {
  if (p.boolean("report"))
    s.routine("report", "Says what was tried, and how fast it was",
         [](Context& c) {
           auto* const tiles = c.simulation().services.find<StepTiles>();  // none where processes are of two kinds
           if (c.rank() == 0 && tiles) console::say(static_cast<Engine&>(*tiles).report(c.simulation()));
         })
        .at(bin::terminate)
        .once();
}
}  // namespace CaKernel
CEREUS_THORN(CaKernel, CaKernel::declare, CaKernel::schedule)
