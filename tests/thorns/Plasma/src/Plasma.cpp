// A solver in a step: Jacobi's method as a loop in the schedule, of two groups of one struct.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Plasma {
void declare(Declaration& d) {
  d.describe("A potential that is solved for in each stage");
  d.group<State>("state", {"u"}, "What evolves").cell_centred().rhs<Rhs>();
  d.group<Potential>("potential", {"phi"}, "Solved for in each stage").cell_centred();
  d.group<Potential>("next", {"next"}, "The next iterate").cell_centred().not_checkpointed();
  d.scalars("change", {"change"}, "Largest change in a sweep");
  d.scalars("control", {"going", "sweeps"}, "Whether it goes on, and how many sweeps there were")
      .type(ScalarType::int32);
}
void schedule(Schedule& s, const Parameters&) {
  using Real = types<double>;
  using Plane = dimensions<2>;
  s.kernel<Begin, Real, Plane>("initial", "Initial data").bind<Potential>({"potential"}).at(bin::initial);
  s.routine("none", "No sweeps yet", [](Context& c) { c.values<std::int32_t>("sweeps")[0] = 0; })
      .writes({"sweeps"})
      .at(bin::initial)
      .once();
  s.routine("begin", "At least one sweep", [](Context& c) { c.values<std::int32_t>("going")[0] = 1; })
      .writes({"going"})
      .in(MoL::rhs);
  const auto solve = s.group("solve", "Jacobi's method").in(MoL::rhs).after("begin").before("rhs").while_("going");
  s.kernel<Sweep, Real, Plane>("sweep", "Mean of the neighbours")
      .bind<Potential>({"potential"}, 0)
      .bind<Potential>({"next"}, 1)
      .into("change")
      .in(solve);
  s.kernel<Copy, Real, Plane>("copy", "The next iterate is the present one")
      .bind<Potential>({"next"}, 0)
      .bind<Potential>({"potential"}, 1)
      .in(solve)
      .after("sweep");
  s.routine("decide", "Whether the change is small enough",
       [](Context& c) {
         c.values<std::int32_t>("going")[0] = c.read_values<double>("change")[0] > 1e-12;
         ++c.values<std::int32_t>("sweeps")[0];
       })
      .reads({"change"})
      .writes({"going"})
      .updates({"sweeps"})
      .in(solve);
  s.kernel<CalcRhs, Real, Plane>("rhs", "Right-hand side").bind<Potential>({"potential"}).in(MoL::rhs);
}
}  // namespace Plasma
CEREUS_THORN(Plasma, Plasma::declare, Plasma::schedule)
