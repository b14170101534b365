// Initial data of WaveToy for comparisons bit by bit: exp and cos differ from machine to machine.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Noise {
void declare(Declaration& d) { d.describe("Waves that start from the same bits on any machine, for tests"); }
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetNoise>("noise", "Pseudo-random u and rho")
      .bind<Wave>({"WaveToy::u", "WaveToy::rho"})
      .at(bin::postinitial);
}
}  // namespace Noise
CEREUS_THORN(Noise, Noise::declare, Noise::schedule)
