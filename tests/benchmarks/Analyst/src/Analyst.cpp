// An analysis on the host that takes as long as it is told: how much of it does an evolution on a device feel?
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <chrono>

namespace Analyst {
using namespace cereus;

void analyse(Context& c) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(c.parameters().real("seconds"));
  double largest = 0;
  do {
    for (const auto& b : c.blocks())
      for (const auto& a : c.accesses()) {
        const auto v = c.view<double>(a, b);
        const Box box = b.interior(c.group(a).centre);
#pragma omp parallel for reduction(max : largest)
        for (int k = box.lo[2]; k < box.hi[2]; ++k)
          for (int j = box.lo[1]; j < box.hi[1]; ++j)
            for (int i = box.lo[0]; i < box.hi[0]; ++i) largest = std::max(largest, v(i, j, k));
      }
  } while (std::chrono::steady_clock::now() < end);
  if (c.rank() == 0) console::say("largest: " + std::to_string(largest));
}

void declare(Declaration& d) {
  d.describe("Looks for the largest value again and again, for a given time: a benchmark");
  d.parameter("variable", "WaveToy::u", any(), "What to look at");
  d.parameter("seconds", 0.0, at_least(0), "How long, at least once through");
  d.parameter("every", 10, at_least(1), "Every how many iterations");
}
void schedule(Schedule& s, const Parameters& par) {
  s.routine("analyse", "Takes its time", analyse)
      .reads({par.string("variable")})
      .at(bin::analysis)
      .every({static_cast<int>(par.integer("every"))})
      .once();
}
}  // namespace Analyst
CEREUS_THORN(Analyst, Analyst::declare, Analyst::schedule)
