// What there is (declare), and what runs when (schedule).
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace @NAME@ {

// No value is known yet: parameters, groups, services.
void declare(Declaration& d) {
  d.describe("Diffusion equation ∂u/∂t = D Δu, from a cosine with noise");
  d.parameter("diffusivity", 1.0, above(0.0), "Diffusivity D").may_steer();
  d.parameter("noise", 0.01, at_least(0.0), "Largest value of the noise in the initial data");
  d.parameter("seed", 1, between(0, 1000000000), "Which noise");
  d.group<State>("state", {"u"}, "What diffuses").rhs<Rhs>();  // .rhs: evolved, so the time integrator takes care of it
  d.scalars("diffusivities", {"max_diffusivity"}, "Largest diffusivity, from which Time takes its step")
      .not_checkpointed()
      .tag("Time::diffusivity")
      .type(ScalarType::float64);
}

// The parameters are known: kernels and routines, each in its bin or schedule group. Their order follows from what they
// read and write.
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetInitial>("initial", "A cosine with noise")
      .set([](auto& k, const Parameters& p) {
        k.amplitude = p.real("noise");
        k.seed = static_cast<unsigned>(p.integer("seed"));
      })
      .at(bin::initial);
  s.kernel<CalcRhs>("rhs", "Right-hand side")
      .set([](auto& k, const Parameters& p) { k.diffusivity = p.real("diffusivity"); })
      .in(MoL::rhs);
  s.routine("diffusivities", "Offers the diffusivity to the limit on the time step",
       [](Context& c) { c.values<double>("max_diffusivity")[0] = c.parameters().real("diffusivity"); })
      .writes({"max_diffusivity"})
      .at(bin::basegrid)
      .once();
}

}  // namespace @NAME@

CEREUS_THORN(@NAME@, @NAME@::declare, @NAME@::schedule)
