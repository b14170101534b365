// One process fails, or stays in a routine for ever.
#include <unistd.h>
#include <cereus/thorn.hpp>

namespace Trouble {
using namespace cereus;

void declare(Declaration& d) {
  d.describe("Makes trouble on one process, for tests of how a run ends");
  d.parameter("bin", "evolve", any(), "Where");
  d.parameter("rank", 0, at_least(0), "On which process");
  d.parameter("iteration", 0, at_least(0), "In which iteration");
  d.parameter("kind", "throw", one_of({"throw", "block"}), "What it does");
}
void schedule(Schedule& s, const Parameters& p) {
  s.routine("trouble", "Fails, or never returns",
       [](Context& c) {
         const Parameters& p = c.parameters();
         if (c.rank() != p.integer("rank") || c.simulation().clock.iteration < p.integer("iteration")) return;
         if (p.string("kind") == "throw") throw Failure("this process has trouble");
         for (;;) pause();
       })
      .at(Bin{p.string("bin").c_str()})
      .once();
}
}  // namespace Trouble
CEREUS_THORN(Trouble, Trouble::declare, Trouble::schedule)
