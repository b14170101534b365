// Conditions at the outer boundary: what is declared, and when radiation changes right-hand sides.
#include <algorithm>
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

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
  d.parameter("radiation_speed", 1.0, above(0.0), "Speed of outgoing waves");
  d.parameter(
      "radiation_power", 2, between(0, 8), "Falloff 1/r^p of what is not wave-like at radiating faces; 0: ignored");
  d.parameter("overrides", std::vector<std::string>{}, any(),
      "Exceptions, `PATTERN FACE CONDITION [VALUE [SPEED]]`, as in `WaveToy::u x_lower dirichlet 1.5`, or `PATTERN "
      "FACE "
      "formula FORMULA`, of x, y, z, t and the group's variables at the mirror image; FACE may be `all`, and the last "
      "one that fits wins");
  d.provides<BoundaryConditions>([](const Parameters& par) { return std::make_shared<OuterBoundary>(par); });
}

// A condition at a face that a periodic axis has not would change nothing.
void warn_of_periodic(const Context& c) {
  const Parameters& par = c.parameters();
  const auto& periodic = c.grid().levels[0].space.periodic;
  const auto warn = [&](const char* name, const std::string& why) {
    if (c.rank() == 0 && par.was_set(name) && par.string(name) != "none")
      console::warn(
          Problem{par.where(name), "Boundary." + std::string(name) + ": " + par.string(name) +
                                       " has no effect: " + why + "; give the driver periodic: false, or leave it out"}
              .text());
  };
  bool all = true;
  for (int d = 0; d < c.grid().dim; ++d) {
    all = all && periodic[d];
    for (const int side : {0, 1})
      if (periodic[d]) warn(face_names[2 * d + side], std::string(1, "xyz"[d]) + " is periodic");
  }
  if (all) warn("all", "all axes are periodic");
}

// An override that fits no variable is a mistake: it would change nothing.
void check(Context& c) {
  warn_of_periodic(c);
  const Conditions conditions(c.parameters());
  const Simulation& s = c.simulation();
  std::vector<std::string> names;
  for (const auto& v : s.variables) names.push_back(v.name);
  Problems problems;
  const auto complain = [&](const std::string& what) {
    problems.add(c.parameters().where("overrides"), "Boundary.overrides: " + what);
  };
  for (const auto& o : conditions.overrides()) {
    const auto matches = s.match(o.pattern);
    if (matches.empty() || o.pattern.starts_with("@"))
      complain("'" + o.pattern + "' is like no variable and no group" + did_you_mean(o.pattern, names));
    for (const int v : matches) try {
        if (!o.formula.empty()) formula_of(s.groups[s.variables[v].group], o.formula);
      } catch (const Error& e) { complain("'" + o.formula + "' of " + s.variables[v].name + ": " + e.what()); }
  }
  problems.throw_if_any();
}

void schedule(Schedule& s, const Parameters& par) {
  const Conditions conditions(par);
  s.routine("check", "Checks that overrides name variables, and that conditions have faces", check)
      .at(bin::paramcheck)
      .once();
  if (radiates(conditions))
    s.routine("radiation", "Outgoing waves on right-hand sides",
         [r = std::make_shared<Radiation>(par)](Context& c) { (*r)(c); })
        .reads({"@evolved"}, Region::everywhere)
        .updates({"@rhs"})
        .touches_strip(2)  // changes the outermost points, and reads right-hand sides one point further in
        .launches_kernels()
        .in(MoL::rhs_boundary);
}
}  // namespace Boundary
CEREUS_THORN(Boundary, Boundary::declare, Boundary::schedule)
