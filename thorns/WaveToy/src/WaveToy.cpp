// The scalar wave equation: what it declares, and when its kernels run.
#include <cereus/domain_checks.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <cmath>
#include <limits>

#include "kernels.hpp"

namespace WaveToy {
void declare(Declaration& d) {
  d.describe("Scalar wave equation u_tt = c² Δu, first order in time");
  d.parameter("speed", 1.0, above(0.0), "Wave speed c").may_steer();
  d.parameter("order", 4, orders, "Order of the finite differences");
  d.parameter("initial_data", "gaussian",
      one_of({{"gaussian", "a pulse at rest"}, {"standing", "A cos(2π k·x) cos(ω t), a product of cosines"},
          {"plane", "A sin(2π k·x − ω t)"}}),
      "What the wave starts from");
  d.parameter("amplitude", 1.0, any(), "Amplitude A of the initial data");
  d.parameter("width", 0.1, above(0.0), "Standard deviation of the initial Gaussian")
      .only_with("initial_data", {"gaussian"});
  d.parameter("centre", {0.0, 0.0, 0.0}, any(), "Centre of the initial Gaussian")
      .length(3)
      .only_with("initial_data", {"gaussian"});
  d.parameter("wave_number", {0.5, 0.5, 0.5}, any(), "Wave numbers k of standing and plane waves: 1 / wavelength")
      .length(3)
      .only_with("initial_data", {"standing", "plane"});
  d.group<State>("state", {"u", "rho"}, "The wave u and its rate of change ρ")
      .rhs<Rhs>()
      .outgoing({"u", "rho"}, {.speed = [](const Parameters& p) { return p.real("speed"); }});
  d.group<Energy>("energy", {"energy"}, "Energy density").not_checkpointed();
  d.group<Error>("error", {"error"}, "Difference to the known solution").not_checkpointed();
  d.scalars("speeds", {"max_speed"}, "Fastest signal").not_checkpointed().tag("Time::speed").type(ScalarType::float64);
}

template <class Real> void set_solution(Solution<Real>& s, const Parameters& par) {
  const auto& data = par.string("initial_data");
  s.data = data == "standing" ? Data::standing : data == "plane" ? Data::plane : Data::gaussian;
  s.amplitude = static_cast<Real>(par.real("amplitude"));
  s.width = static_cast<Real>(par.real("width"));
  s.c = static_cast<Real>(par.real("speed"));
  for (int d = 0; d < 3; ++d) {
    s.k[d] = static_cast<Real>(par.reals("wave_number")[d]);
    s.centre[d] = static_cast<Real>(par.reals("centre")[d]);
  }
}

// The largest −h² × second difference, by its order, is that of a wave of two points: Σ 2 · 4ᵏ⁺¹ k!² / (2k + 2)!.
double stiffest(int order) {
  double sum = 0, term = 4;
  for (int k = 0; k < order / 2; ++k) sum += term, term *= 4.0 * (k + 1) * (k + 1) / ((2 * k + 3) * (2 * k + 4));
  return sum;
}

void check_data(Context& c) {
  const auto& data = c.parameters().string("initial_data");
  if (data == "gaussian") warn_of_place(c, "centre"), warn_of_width(c, "width");
  else warn_of_waves(c, "wave_number", data == "plane" ? Waves::run : Waves::stand);
}

// Whether the fastest oscillation on this grid, ω² = c² Σ stiffest / h², stays bounded.
void check_step(Context& c) {
  const auto* integrator = c.simulation().services.find<TimeIntegrator>();
  const double limit = integrator ? integrator->imaginary_limit() : 0;
  if (limit == 0 || !c.simulation().services.find<TimeStep>() || c.rank() != 0) return;
  const auto [finest, dt, steps] = finest_step(c);
  double inverse = 0;
  for (int d = 0; d < c.grid().dim; ++d) inverse += 1 / std::pow(c.grid().levels[finest].space.smallest_distance(d), 2);
  const auto order = static_cast<int>(c.parameters().integer("order"));
  const double omega = c.parameters().real("speed") * std::sqrt(stiffest(order) * inverse);
  if (omega * dt <= limit) return;
  const auto time = c.simulation().parameters.find("Time");
  const bool by_courant = time != c.simulation().parameters.end() && time->second.real("dt") == 0;
  console::warn("WaveToy: with steps of dt = " + format_double(steps * dt) +
                " the wave blows up; MoL.method bears at most " + format_double(steps * limit / omega) +
                ": lower Time." +
                (by_courant ? "courant, to " + format_double(time->second.real("courant") * limit / (omega * dt))
                            : std::string("dt")));
}

void schedule(Schedule& s, const Parameters& par) {
  const auto set_c2 = [](auto& k, const Parameters& p) { k.c2 = p.real("speed") * p.real("speed"); };
  const auto set = [](auto& k, const Parameters& p) { set_solution(k.solution, p); };
  s.kernel<SetInitial>("initial", "Initial data").set(set).at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side").variant(orders, par["order"]).set(set_c2).in(MoL::rhs);
  s.kernel<CalcEnergy>("energy", "Energy density")
      .variant(orders, par["order"])
      .set(set_c2)
      .at(bin::analysis)
      .on_demand();
  s.kernel<CalcError>("error", "Difference to the known solution").set(set).at(bin::analysis).on_demand();
  s.routine("speeds", "Offers the wave speed to the Courant limit",
       [](Context& c) { c.values<double>("max_speed")[0] = c.parameters().real("speed"); })
      .writes({"max_speed"})
      .at(bin::basegrid)
      .once();
  s.routine("check_data", "Warns of data that the domain does not take", check_data).at(bin::paramcheck).once();
  // Other thorns offer their first speeds as late as in poststep.
  s.routine("check_step", "Warns of steps that are too long", check_step)
      .reads({"max_speed"})
      .at(bin::analysis)
      .every({.iterations = std::numeric_limits<int>::max()})
      .once();
}
}  // namespace WaveToy
CEREUS_THORN(WaveToy, WaveToy::declare, WaveToy::schedule)
