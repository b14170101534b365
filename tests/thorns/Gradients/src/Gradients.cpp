// A solver whose coefficients are sums over the grid: conjugate gradients as a loop in the schedule.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Gradients {
void declare(Declaration& d) {
  d.describe("φ − Δφ = ρ on a periodic plane, by conjugate gradients");
  d.group<Solution>("solution", {"phi"}, "φ").cell_centred();
  d.group<Work>("work", {"r", "d"}, "Residual and direction").cell_centred().not_checkpointed();
  d.group<Product>("product", {"a_d"}, "Matrix times direction").cell_centred().not_checkpointed();
  d.scalars("sums", {"rr", "rr_next", "d_a_d"}, "Scalar products");
  d.scalars("coefficients", {"alpha", "beta"}, "Steps along the direction, and of the direction");
  d.scalars("control", {"going", "sweeps"}, "Whether it goes on, and how many sweeps there were")
      .type(ScalarType::int32);
}

double number(Context& c, const char* name) { return c.read_values<double>(name)[0]; }

void schedule(Schedule& s, const Parameters&) {
  using Real = types<double>;
  using Plane = dimensions<2>;
  s.kernel<Begin, Real, Plane>("begin", "φ = 0").into("rr").at(bin::initial);
  s.routine("start", "No sweeps yet",
       [](Context& c) { c.values<std::int32_t>("going")[0] = 1, c.values<std::int32_t>("sweeps")[0] = 0; })
      .writes({"going", "sweeps"})
      .at(bin::initial)
      .once();
  const auto solve =
      s.group("solve", "Conjugate gradients").at(bin::initial).after("begin").after("start").while_("going");
  s.kernel<Apply, Real, Plane>("apply", "The matrix times the direction").into("d_a_d").in(solve);
  s.routine(
       "length", "How far", [](Context& c) { c.values<double>("alpha")[0] = number(c, "rr") / number(c, "d_a_d"); })
      .reads({"rr", "d_a_d"})
      .writes({"alpha"})
      .in(solve);
  s.kernel<Advance, Real, Plane>("advance", "A step along the direction")
      .set({"alpha"}, [](auto& k, const Parameters&, std::span<const double> scalars) { k.alpha = scalars[0]; })
      .into("rr_next")
      .in(solve);
  s.routine("decide", "The next direction, and whether the residual is small enough",
       [](Context& c) {
         const double next = number(c, "rr_next");
         c.values<double>("beta")[0] = next / c.values<double>("rr")[0];
         c.values<double>("rr")[0] = next;
         c.values<std::int32_t>("going")[0] = ++c.values<std::int32_t>("sweeps")[0] < 100 && next > 1e-18;
       })
      .reads({"rr_next"})
      .writes({"beta", "going"})
      .updates({"rr", "sweeps"})
      .in(solve)
      .after("advance");
  s.kernel<Turn, Real, Plane>("turn", "The next direction")
      .set({"beta"}, [](auto& k, const Parameters&, std::span<const double> scalars) { k.beta = scalars[0]; })
      .in(solve)
      .after("decide");
}
}  // namespace Gradients
CEREUS_THORN(Gradients, Gradients::declare, Gradients::schedule)
