// The parameters of the equation of state, which thorns of matter share.
#include <EOS/eos.hpp>
#include <cereus/thorn.hpp>

namespace EOS {
using namespace cereus;
void declare(Declaration& d) {
  d.describe("The equation of state of a fluid, for thorns that need one: its kind and its constants");
  d.parameter("kind", kind_names[0],
      one_of({{kind_names[0], "ideal gas, p = (γ − 1) ρe"}, {kind_names[1], "stiffened gas, p = (γ − 1) ρe − γ p∞"},
          {kind_names[2], "p = a² ρ"}}),
      "Which equation of state");
  d.parameter("gamma", 1.4, above(1.0), "Ratio of specific heats γ, of `gamma` and `stiffened`")
      .only_with("kind", {"gamma", "stiffened"});
  d.parameter("stiffness", 0.0, at_least(0.0), "p∞ of `stiffened`").only_with("kind", {"stiffened"});
  d.parameter("sound_speed", 1.0, above(0.0), "a of `isothermal`").only_with("kind", {"isothermal"});
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace EOS
CEREUS_THORN(EOS, EOS::declare, EOS::schedule)
