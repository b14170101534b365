// The diffusion equation: what it declares, and when its kernels run.
#include <cereus/domain_checks.hpp>
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Diffusion {
void declare(Declaration& d) {
  d.describe("Diffusion equation u_t = D Δu");
  d.parameter("diffusivity", 1.0, above(0.0), "Diffusivity D").may_steer();
  d.parameter("order", 2, orders, "Order of the finite differences");
  d.parameter("initial_data", "gaussian",
      one_of({{"gaussian", "A exp(−r²/2w²), which spreads"}, {"cosine", "A Π cos(2π k_d x_d), which decays"},
          {"sine", "A Π sin(2π k_d x_d), which decays"}}),
      "What diffuses");
  d.parameter("amplitude", 1.0, any(), "Amplitude A of the initial data");
  d.parameter("offset", 0.0, any(), "Constant added to the initial data");
  d.parameter("width", 0.1, above(0.0), "Standard deviation w of the initial Gaussian")
      .only_with("initial_data", {"gaussian"});
  d.parameter("centre", {0.0, 0.0, 0.0}, any(), "Where the Gaussian is, or the modes start from").length(3);
  d.parameter("wave_number", {0.5, 0.5, 0.5}, any(), "Wave numbers k of the modes: 1 / wavelength")
      .length(3)
      .only_with("initial_data", {"cosine", "sine"});
  d.group<State>("state", {"u"}, "What diffuses").rhs<Rhs>();
  d.group<Error>("error", {"error"}, "Difference to the known solution").not_checkpointed();
  d.scalars("diffusivities", {"max_diffusivity"}, "Largest diffusivity")
      .not_checkpointed()
      .tag("Time::diffusivity")
      .type(ScalarType::float64);
}

template <class Real> void set_solution(Solution<Real>& s, const Parameters& par) {
  const auto& data = par.string("initial_data");
  s.data = data == "cosine" ? Data::cosine : data == "sine" ? Data::sine : Data::gaussian;
  s.amplitude = static_cast<Real>(par.real("amplitude"));
  s.offset = static_cast<Real>(par.real("offset"));
  s.width = static_cast<Real>(par.real("width"));
  s.diffusivity = static_cast<Real>(par.real("diffusivity"));
  const auto k = par.reals("wave_number"), centre = par.reals("centre");
  for (int d = 0; d < 3; ++d) {
    s.k[d] = static_cast<Real>(k[d]);
    s.centre[d] = static_cast<Real>(centre[d]);
  }
}

void check_data(Context& c) {
  if (c.parameters().string("initial_data") == "gaussian") warn_of_place(c, "centre"), warn_of_width(c, "width");
  else warn_of_waves(c, "wave_number", Waves::stand, "centre");
}

void schedule(Schedule& s, const Parameters& par) {
  const auto set = [](auto& k, const Parameters& p) { set_solution(k.solution, p); };
  s.kernel<SetInitial>("initial", "Initial data").set(set).at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side")
      .variant(orders, par["order"])
      .set([]<class K>(K& k, const Parameters& p) {
        k.diffusivity = static_cast<decltype(k.diffusivity)>(p.real("diffusivity"));
      })
      .in(MoL::rhs);
  s.kernel<CalcError>("error", "Difference to the known solution").set(set).at(bin::analysis).on_demand();
  s.routine("check_data", "Warns of data that the domain does not take", check_data).at(bin::paramcheck).once();
  s.routine("diffusivities", "Offers the diffusivity to the limit on the time step",
       [](Context& c) { c.values<double>("max_diffusivity")[0] = c.parameters().real("diffusivity"); })
      .writes({"max_diffusivity"})
      .at(bin::basegrid)
      .once();
}
}  // namespace Diffusion
CEREUS_THORN(Diffusion, Diffusion::declare, Diffusion::schedule)
