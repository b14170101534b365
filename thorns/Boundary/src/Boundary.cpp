// Conditions at the outer boundary: what is declared, and when radiation changes right-hand sides.
#include <cereus/thorn.hpp>
#include <limits>

#include "checks.hpp"
#include "fill.hpp"
#include "radiate.hpp"

namespace Boundary {
void declare(Declaration& d) {
  d.describe(
      "Fills the points outside the domain: Dirichlet, Neumann, extrapolation, reflection, radiation, fixed values");
  const Range conditions =
      one_of({{"none", "nobody may read across this face"}, {"dirichlet", "a given value at the face"},
          {"neumann", "zero slope at the face"}, {"extrapolate", "a polynomial through the outermost interior points"},
          {"reflect", "a mirror, with the parity of the variable's tensor type"},
          {"radiation", "outgoing waves, on right-hand sides (NewRad); extrapolated outside"},
          {"fixed", "what initial data wrote outside stays"}});
  d.parameter("all", "none", conditions, "Condition at the faces that are not given one of their own");
  for (const char* face : face_names) {
    const std::string name(face);
    d.parameter(name, "none", conditions,
        std::string("Condition at the ") + (name.ends_with("lower") ? "lower " : "upper ") + name[0] +
            " face; `none`: that of `all`");
  }
  d.parameter("value", 0.0, any(), "Value at Dirichlet faces");
  d.parameter("extrapolation_order", -1, between(-1, 4),
      "Degree of the polynomial that extrapolates; -1: 0 at `extrapolate`, 3 outside of `radiation`");
  d.parameter(
      "radiation_speed", 0.0, at_least(0.0), "Speed of outgoing waves; 0: what the variable's thorn says, or 1");
  d.parameter(
      "radiation_power", 2, between(0, 8), "Falloff 1/r^p of what is not wave-like at radiating faces; 0: ignored");
  d.parameter("overrides", std::vector<std::string>{}, any(),
      "Exceptions, `PATTERN FACE CONDITION [VALUE [SPEED]]`, as in `WaveToy::u x_lower dirichlet 1.5`, or `PATTERN "
      "FACE "
      "formula FORMULA`, of x, y, z, t and the group's variables at the mirror image; FACE may be `all`, and the last "
      "one that fits wins");
  d.provides<BoundaryConditions>([](const Parameters& par) { return std::make_shared<OuterBoundary>(par); });
}

void schedule(Schedule& s, const Parameters& par) {
  const Conditions conditions(par);
  s.routine("check", "Checks that overrides name variables, and that conditions have faces", check)
      .at(bin::paramcheck)
      .once();
  const unsigned faces = radiating_faces(conditions);
  if (faces == 0) return;
  s.routine("check_speed", "Warns of other speeds than those that thorns offer", check_speed)
      .at(bin::analysis)
      .every({.iterations = std::numeric_limits<int>::max()})
      .once();
  s.routine("radiation", "Outgoing waves on right-hand sides",
       [r = std::make_shared<Radiation>(par)](Context& c) { r->read_beside(c), (*r)(c); })
      .reads({"@evolved"})
      .updates({"@rhs"})
      .touches_strip({2, faces})  // changes the outermost points, and reads right-hand sides one point further in
      .launches_kernels()
      .together()
      .in(MoL::rhs_boundary);
}
}  // namespace Boundary
CEREUS_THORN(Boundary, Boundary::declare, Boundary::schedule)
