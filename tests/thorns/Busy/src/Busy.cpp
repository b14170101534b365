// A kernel that takes as long as it is told on each process: makes some slower than others by a known factor.
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cstdlib>

#include "kernels.hpp"

namespace Busy {
void declare(Declaration& d) {
  d.describe("Works in vain, on some processes longer than on others");
  d.parameter("rounds", {100}, at_least(0), "Rounds a point, by rank").length(1, 8);
  d.parameter("turn_at", -1, at_least(-1), "Iteration from which the first process has what the last had, and so on");
  d.group<Work>("work", {"done"}, "What is read, once all is done");
  d.scalars("order", {"turned"}, "Whether the order is turned").type(ScalarType::int32);
}
void schedule(Schedule& s, const Parameters& p) {
  const auto fill = [](auto& kernel, const Parameters& p, std::span<const double> turned) {
    auto rounds = p.integers("rounds");
    if (turned[0] != 0) std::ranges::reverse(rounds);
    const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
    kernel.rounds = static_cast<int>(rounds[std::min(rounds.size() - 1, rank ? std::stoul(rank) : 0)]);
  };
  s.kernel<DoWork>("work", "Works").bind<Wave>({"WaveToy::u"}).set({"turned"}, fill).at(bin::poststep);
  if (p.integer("turn_at") < 0) return;
  s.routine("turn", "Turns the order",
       [](Context& c) {
         c.values<std::int32_t>("turned")[0] = c.clock().iteration >= c.parameters().integer("turn_at");
       })
      .writes({"turned"})
      .at(bin::prestep)
      .once();
}
}  // namespace Busy
CEREUS_THORN(Busy, Busy::declare, Busy::schedule)
