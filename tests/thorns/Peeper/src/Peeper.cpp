// Kernels that read more than the flesh can know; audit mode must catch them.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Peeper {
void declare(Declaration& d) {
  d.describe("Reads neighbours on the sly: a test of audit mode");
  d.parameter("peep", "none",
      one_of({{"none", "gathers within reach"}, {"rarely", "reads a neighbour in a rare branch"},
          {"honest", "the same, and says so"}, {"far", "gathers out of reach"}}),
      "How");
  d.group<Seen>("seen", {"seen"}, "What is read");
  d.group<Found>("found", {"found"}, "What was found");
}

void schedule(Schedule& s, const Parameters& par) {
  const auto& peep = par.string("peep");
  s.kernel<SetSeen>("set", "Sets what is read").at(bin::initial);
  if (peep == "rarely") s.kernel<LookRarely>("look", "Looks aside, once in a while").at(bin::postinitial);
  else if (peep == "honest")
    s.kernel<LookRarely>("look", "Looks aside, once in a while").reads_all_neighbours().at(bin::postinitial);
  else
    s.kernel<Gather>("gather", "Reads at an offset of run time")
        .set([](auto& k, const Parameters& p) { k.far = p.string("peep") == "far" ? 2 : 1; })
        .at(bin::postinitial);
}
}  // namespace Peeper
CEREUS_THORN(Peeper, Peeper::declare, Peeper::schedule)
