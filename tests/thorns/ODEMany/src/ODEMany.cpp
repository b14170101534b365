// Several groups evolved together: two and three timelevels, a sum of two terms, an evolved grid scalar.
#include <cereus/thorn.hpp>

#include <cmath>

#include "kernels.hpp"

namespace ODEMany {
void declare(Declaration& d) {
  d.describe("The equation of ODE with timelevels, as a sum by two kernels, and for a grid scalar");
  d.parameter("p", 5, at_least(2), "Power of the solution (1+t)^p");
  d.group<Two>("two", {"u2"}, "With one past").timelevels(2).rhs<TwoRhs>();
  d.group<Three>("three", {"u3"}, "With two pasts").timelevels(3).rhs<ThreeRhs>();
  d.group<Summed>("summed", {"u_sum"}, "Whose right-hand side is a sum").rhs<SummedRhs>();
  d.group<Matter>("matter", {"u_matter"}, "Whose right-hand side reads a sum of the end of the stage before")
      .rhs<MatterRhs>();
  d.group<Stress>("stress", {"stress"}, "That sum");
  d.group<Total>("total", {"total"}, "A sum for analysis");
  d.group<Past>("past", {"past2", "past3", "older3"}, "Copies of past timelevels");
  d.scalars("number", {"y"}, "An evolved grid scalar").type(ScalarType::float64).rhs();
  d.scalars("nothing", {"zero"}, "-0, whose rate is -0").type(ScalarType::float64).rhs();
  d.scalars("known", {"has_past"}, "Whether two steps were made").type(ScalarType::int32);
}
void schedule(Schedule& s, const Parameters&) {
  const auto power = [](auto& k, const Parameters& p) { k.power = p.real("p"); };
  s.kernel<SetOne>("initial", "Starts from 1").at(bin::initial);
  s.kernel<TwoSlope>("rhs_two", "Right-hand side").set(power).in(MoL::rhs);
  s.kernel<ThreeSlope>("rhs_three", "Right-hand side").set(power).in(MoL::rhs);
  s.kernel<AddState>("add_state", "The term with u").set(power).in(MoL::rhs);
  s.kernel<AddTime>("add_time", "The term with t").set(power).in(MoL::rhs);
  for (const char* half : {"1", "2"}) {
    s.kernel<AddStress>("initial_stress" + std::string(half), "Half of the term with u")
        .set(power)
        .at(bin::postinitial);
    s.kernel<AddStress>("stress" + std::string(half), "Half of the term with u").set(power).in(MoL::post_substep);
    s.kernel<AddTotal>("total" + std::string(half), "Half of the total").at(bin::analysis).on_demand();
  }
  s.kernel<MatterSlope>("rhs_matter", "Right-hand side").set(power).in(MoL::rhs);
  s.routine("initial_number", "Starts from 1", [](Context& c) { c.values<double>("y")[0] = 1; })
      .writes({"y"})
      .at(bin::initial);
  s.routine("initial_nothing", "Starts from -0", [](Context& c) { c.values<double>("zero")[0] = -0.0; })
      .writes({"zero"})
      .at(bin::initial);
  s.routine("rhs_nothing", "Right-hand side", [](Context& c) { c.values<double>("zero_rhs")[0] = -0.0; })
      .writes({"zero_rhs"})
      .in(MoL::rhs);
  s.routine("rhs_number", "Right-hand side",
       [](Context& c) {
         const double p = c.parameters().real("p"), y = c.read_values<double>("y")[0];
         c.values<double>("y_rhs")[0] = 0.5 * p * (std::pow(y, (p - 1) / p) + std::pow(1 + c.clock().time, p - 1));
       })
      .reads({"y"})
      .writes({"y_rhs"})
      .in(MoL::rhs);
  s.routine("count", "Whether there is a past",
       [](Context& c) { c.values<std::int32_t>("has_past")[0] = c.clock().iteration > 1; })
      .writes({"has_past"})
      .at(bin::prestep);
  s.kernel<CopyPast>("copy_past", "Copies past timelevels").if_("has_past").at(bin::analysis);
}
}  // namespace ODEMany
CEREUS_THORN(ODEMany, ODEMany::declare, ODEMany::schedule)
