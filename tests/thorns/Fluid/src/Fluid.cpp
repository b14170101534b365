// A fluid at rest in a flat universe that expands, for tests of what matter does to BSSN.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Fluid {
using namespace cereus;
void declare(Declaration& d) {
  d.describe("A fluid at rest, of pressure w rho, in a flat universe that expands; for tests");
  d.parameter("density", 1.0, any(), "rho where the volume element is 1");
  d.parameter("w", 0.0, any(), "Pressure over density");
  d.parameter("expansion", 1.0, any(), "Of lengths at the start, 1/a da/dt");
}
template <class Item> Item& described(Item&& item) {
  return item
      .template bind<Space>(
          {"BSSN::W", "BSSN::g_xx", "BSSN::g_xy", "BSSN::g_xz", "BSSN::g_yy", "BSSN::g_yz", "BSSN::g_zz"})
      .template bind<Gauge>({"BSSN::alpha", "BSSN::beta_x", "BSSN::beta_y", "BSSN::beta_z"})
      .set([](auto& k, const Parameters& p) {
        using Real = decltype(k.w);
        k.density = static_cast<Real>(p.real("density")), k.w = static_cast<Real>(p.real("w"));
      });
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<Start, detail::Reals, dimensions<3>>("start", "The universe at the start")
      .set([](auto& k, const Parameters& p) { k.expansion = static_cast<decltype(k.expansion)>(p.real("expansion")); })
      .at(bin::initial);
  described(s.kernel<AddFluid, detail::Reals, dimensions<3>>("add", "T_ab of the stage")).in(MoL::rhs);
  described(s.kernel<AddFluid, detail::Reals, dimensions<3>>("add_now", "T_ab of what is looked at"))
      .at(bin::analysis)
      .on_demand();
}
}  // namespace Fluid
CEREUS_THORN(Fluid, Fluid::declare, Fluid::schedule)
