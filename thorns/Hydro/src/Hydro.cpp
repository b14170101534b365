// A compressible fluid: what it declares, and when its kernels run.
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/formula.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <limits>

#include "kernels.hpp"

namespace Hydro {
// The combinations that are compiled ahead of time; a line adds one.
inline constexpr choices<Variant{van_leer, hllc, 0}.code(), Variant{minmod, hllc, 0}.code(),
    Variant{ppm, hllc, 0}.code(), Variant{upwind3, hllc, 0}.code(), Variant{weno5, hllc, 0}.code(),
    Variant{weno5q2, hllc, 0}.code(), Variant{van_leer, hll, 0}.code(), Variant{van_leer, roe, 0}.code(),
    Variant{van_leer, llf, 0}.code(), Variant{van_leer, hllc, 1}.code(), Variant{van_leer, hllc, 2}.code(),
    Variant{van_leer, hllc, 0, 1}.code(), Variant{minmod, hllc, 0, 1}.code(), Variant{van_leer, hllc, 0, 0, 1}.code(),
    Variant{minmod, hllc, 0, 0, 1}.code()>
    built;
inline constexpr choices<Variant{van_leer, hllc, 0}.code(), Variant{minmod, hllc, 0}.code(),
    Variant{weno5, hllc, 0}.code()>
    built_for_scalars;
constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr const char* scheme_names[] = {"van_leer", "minmod", "ppm", "upwind3", "weno5", "weno5q2"};
inline constexpr const char* theta_names[] = {"none", "minmod", "mc"};  // of limiters with theta 0, 1, 2
inline constexpr const char* solver_names[] = {"hllc", "hll", "roe", "llf"};

template <std::size_t n> int number_of(const char* const (&names)[n], const std::string& name) {
  return static_cast<int>(std::ranges::find(names, name) - std::begin(names));
}
int eos_of(const Parameters& eos) { return number_of(EOS::kind_names, eos.string("kind")); }

void declare(Declaration& d) {
  d.describe("Compressible fluid: Euler's equations, with shocks");
  d.parameter("scheme", "plm",
      one_of({{"plm", "finite volumes, piecewise linear"}, {"ppm", "finite volumes, piecewise parabolic"},
          {"upwind3", "finite differences of order 3, without a limiter"},
          {"weno5", "finite differences of order 5, WENO-Z"}, {"weno5q2", "the same, with less of rough stencils"}}),
      "How values reach the faces");
  d.parameter("limiter", "van_leer",
       one_of({{"none", "no slopes: first order"}, {"minmod", "the most diffusive"}, {"van_leer", "harmonic mean"},
           {"mc", "monotonised central difference"}}),
       "Of the slopes of `plm`")
      .only_with("scheme", {"plm"});
  d.parameter("solver", "hllc",
       one_of({{"hllc", "three waves"}, {"hll", "two waves"}, {"roe", "linearised"}, {"llf", "Lax and Friedrichs"}}),
       "Flux across a face, of `plm` and `ppm`")
      .only_with("scheme", {"plm", "ppm"});
  d.parameter("gravity", {0.0, 0.0, 0.0}, any(), "Acceleration").length(3);
  d.parameter("potential", "", any(), "Of gravity besides: a formula of x, y and z, or a variable, THORN::NAME");
  d.parameter("scalars", std::vector<std::string>{}, any(), "What the flow carries, NAME = initial formula");
  d.parameter("viscosity", 0.0, at_least(0.0), "Kinematic viscosity ν");
  d.parameter("conductivity", 0.0, at_least(0.0), "Thermal diffusivity χ");
  d.parameter("density", "1", any(), "Initial density, a formula of x, y and z");
  d.parameter("velocity", {"0", "0", "0"}, any(), "Initial velocity, formulas").length(1, 3);
  d.parameter("pressure", "1", any(), "Initial pressure, a formula");
  d.parameter("quadrature", 0, between(0, 3),
      "Points an axis at which the formulas are taken in a cell; 0: 2, or 1 for `upwind3`, `weno5`, `weno5q2`");
  d.parameter("density_floor", 1e-12, above(0.0), "Densities are not less");
  d.parameter("pressure_floor", 1e-14, above(0.0), "Pressures exceed the least of the equation of state by this");
  d.group<State>("state", {"density", "momentum_x", "momentum_y", "momentum_z", "energy"},
       "Density, of a volume: mass, momentum, energy")
      .cell_centred()
      .tensor(Tensor::vector, {"momentum_x", "momentum_y", "momentum_z"})
      .rhs<Rhs>()
      .fluxes<Fluxes>();
  d.group<Primitives>(
       "primitives", {"velocity_x", "velocity_y", "velocity_z", "pressure", "entropy"}, "Velocity, pressure, and p/ρ^γ")
      .cell_centred()
      .tensor(Tensor::vector, {"velocity_x", "velocity_y", "velocity_z"})
      .not_checkpointed();
  d.group("scalars", {}, "ρX of what the flow carries").names_from("scalars").cell_centred().rhs().fluxes();
  d.group<Potential>("potential", {"potential"}, "Of gravity").cell_centred().not_checkpointed();
  d.scalars("speed", {"max_speed"}, "Largest |v| + c of an axis").tag("Time::speed").type(ScalarType::float64);
  d.scalars("diffusivity", {"max_diffusivity"}, "Of momentum or heat, the larger")
      .tag("Time::diffusivity")
      .type(ScalarType::float64);
  d.scalars("low", {"low"}, "Whether something is below a floor").type(ScalarType::int32);
  d.scalars(
       "found", {"cells", "place", "added"}, "Cells below a floor, the first of them, and energy that the floors add")
      .type(ScalarType::float64)
      .not_checkpointed();
  d.scalars(
       "floored", {"floored_cells", "floored_energy"}, "Cells set to a floor, and energy so added, since the start")
      .type(ScalarType::float64);
}

// The formula that a parameter gives; its mistakes are noted.
Steps formula(const Parameters& par, const std::string& key, const std::string& text, Problems& problems) {
  try {
    return steps_of(text, {"x", "y", "z"});
  } catch (const Error& e) {
    problems.add(par.where(key), "Hydro." + key + ": '" + text + "': " + e.what());
    return {};
  }
}
struct Carried {
  std::string name;
  Steps initial;  // X
};
std::vector<Carried> carried(const Parameters& par, Problems& problems) {
  std::vector<Carried> list;
  for (const std::string& entry : par.strings("scalars")) {
    const auto equals = entry.find('=');
    list.push_back({entry.substr(0, entry.find_first_of(" =")), {}});
    if (equals != std::string::npos) list.back().initial = formula(par, "scalars", entry.substr(equals + 1), problems);
    else problems.add(par.where("scalars"), "Hydro.scalars: '" + entry + "' is not of the form NAME = formula");
  }
  return list;
}
Formulas formulas(const Parameters& par, Problems& problems) {
  auto velocity = par.strings("velocity");
  velocity.resize(3, "0");
  Formulas f{};
  f.of[0] = formula(par, "density", par.string("density"), problems);
  for (int d = 0; d < 3; ++d) f.of[1 + d] = formula(par, "velocity", velocity[d], problems);
  f.of[4] = formula(par, "pressure", par.string("pressure"), problems);
  return f;
}

Variant variant_of(const Parameters& par, int eos) {
  const std::string scheme = par.string("scheme"), limiter = par.string("limiter");
  const bool viscous = par.real("viscosity") > 0 || par.real("conductivity") > 0;
  Variant v{number_of(scheme_names, scheme), number_of(solver_names, par.string("solver")), eos, viscous,
      !par.string("potential").empty()};
  if (scheme == "plm") v.scheme = limiter == "van_leer" ? van_leer : minmod;
  if (v.split()) v.solver = hllc;
  return v;
}
template <int... codes>
void check_built(const Variant& v, choices<codes...>, const Parameters& par, const std::string& what) {
  if (((v.code() == codes) || ...)) return;
  std::vector<std::string> list;
  const auto name = [](const Variant& a) {
    return std::string(scheme_names[a.scheme]) + (a.split() ? "" : std::string("-") + solver_names[a.solver]) + "-" +
           EOS::kind_names[a.eos] + (a.viscous ? "-viscous" : "") + (a.potential ? "-potential" : "");
  };
  (list.push_back(name(Variant::of(codes))), ...);
  const std::string where = to_string(par.where(par.was_set("solver") ? "solver" : "scheme"));
  throw Error(where + (where.empty() ? "" : ": ") + "Hydro: " + what + name(v) + " is not built; there are " +
              join(list, ", ") + "; a line in thorns/Hydro/src/Hydro.cpp adds one");
}

void tally(Context& c) {
  const double cells = c.read_values<double>("cells")[0];
  auto& all = c.values<double>("floored_cells")[0];
  if (all == 0 && cells > 0) {
    const auto place = static_cast<long long>(c.read_values<double>("place")[0]);
    console::warn("Hydro: density or pressure fell below its floor, and was set to it, at iteration " +
                  std::to_string(c.clock().iteration) + " in " + std::to_string(static_cast<long long>(cells)) +
                  " cells; the first has the indices " + std::to_string(place % most_cells) + " " +
                  std::to_string(place / most_cells % most_cells) + " " +
                  std::to_string(place / most_cells / most_cells));
  }
  all += cells;
  c.values<double>("floored_energy")[0] += c.read_values<double>("added")[0];
}

// After each step and before the first: where nothing is below a floor, a look at the speeds is all.
void schedule_floors(Schedule& s, auto set) {
  const auto looks = [set](auto& k, const Parameters& p) { set(k, p), k.finds_low = true; };
  s.kernel<CalcSpeed>("speed", "Largest speed, for the time step").set(looks).into("max_speed").at(bin::poststep);
  s.routine("look", "Whether something is below a floor",
       [](Context& c) { c.values<std::int32_t>("low")[0] = !(c.read_values<double>("max_speed")[0] < infinity); })
      .reads({"max_speed"})
      .writes({"low"})
      .together()
      .at(bin::poststep)
      .after("speed");
  const auto mend = s.group("mend", "Floors").at(bin::poststep).after("look").if_("low");
  s.kernel<CountFloored>("count", "Cells below a floor").set(set).into("cells").in(mend).before("floor");
  s.kernel<FindFloored>("find", "The first of them").set(set).into("place").in(mend).before("floor");
  s.kernel<AddedEnergy>("energy", "What the floors add").set(set).into("added").in(mend).before("floor");
  s.kernel<SetFloored>("floor", "Density and pressure are not below the floors").set(set).in(mend);
  s.routine("tally", "Counts them", tally)
      .reads({"cells", "added", "place"})
      .updates({"floored_cells", "floored_energy"})
      .once()
      .in(mend)
      .after("floor");
  s.kernel<CalcSpeed>("speed_again", "Largest speed, once there are floors")
      .set(set)
      .into("max_speed")
      .in(mend)
      .after("floor");
}

// Beyond one cell a step a wave outruns what the fluxes know of it, whatever the integrator.
void check_step(Context& c) {
  if (!c.simulation().services.find<TimeStep>() || c.rank() != 0) return;
  const auto integrator = c.simulation().parameters.find("MoL");
  const std::string& scheme = c.parameters().string("scheme");
  if (integrator != c.simulation().parameters.end() && integrator->second.string("method") == "Euler" &&
      scheme != "plm")
    console::warn(Problem{integrator->second.where("method"),
        "Hydro: waves of " + scheme + " grow with MoL.method: Euler, at any step; take SSPRK3"}
                      .text());
  if (c.grid().levels.size() > 1 && scheme.starts_with("weno5"))
    console::warn(Problem{c.parameters().where("scheme"),
        "Hydro.scheme: " + scheme +
            " has order 2 where levels meet: a smooth flow that crosses such faces may be less exact " +
            "than on the coarse cells alone; let fine blocks follow it (thorn Refine), or take one level"}
                      .text());
  const auto [finest, dt, steps] = finest_step(c);
  double least = infinity;
  for (int d = 0; d < c.grid().dim; ++d) least = std::min(least, c.grid().levels[finest].space.smallest_distance(d));
  const double speed = c.read_values<double>("max_speed")[0];
  if (dt * speed > least * (1 + 1e-9))
    console::warn(
        "Hydro: with steps of dt = " + format_double(steps * dt) + " the fastest wave crosses " +
        format_double(dt * speed / least) +
        " cells in a step, and what is computed is wrong; the scheme bears 1: lower Time.courant, or Time.dt");
}

// Beyond degree 0 a polynomial through the outermost cells makes rounding grow at faces through which the gas leaves.
void check_faces(Context& c) {
  const auto& all = c.simulation().parameters;
  const auto boundary = all.find("Boundary");
  if (boundary == all.end() || c.rank() != 0 || boundary->second.integer("extrapolation_order") < 1) return;
  for (const char* face : {"all", "x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"})
    if (boundary->second.string(face) == "extrapolate")
      return console::warn(Problem{boundary->second.where(face),
          "Hydro: at a face that is extrapolated to order " +
              std::to_string(boundary->second.integer("extrapolation_order")) +
              " rounding grows, in the end to no number; leave Boundary.extrapolation_order out, for 0"}
                               .text());
}

// Warns of gravity that nothing holds against, or along an axis that the grid lacks, and of a pressure that the gas has
// already.
void check_data(Context& c) {
  for (const char* formulas : {"density", "velocity", "pressure", "scalars", "potential"}) warn_of_axes(c, formulas);
  if (c.rank() != 0) return;
  const Parameters& par = c.parameters();
  const auto warn = [&](const char* key, const std::string& what) {
    console::warn(Problem{par.where(key), std::string("Hydro.") + key + ": " + what}.text());
  };
  for (int d = 0; d < 3; ++d) {
    if (par.reals("gravity")[d] == 0) continue;
    const std::string axis(1, "xyz"[d]);
    if (d >= c.grid().dim) warn("gravity", "the grid has no axis " + axis);
    else if (c.grid().levels[0].space.periodic[d])
      warn(
          "gravity", "all falls along " + axis + ", which is periodic; walls hold a gas, the driver's periodic: false");
  }
  if (c.simulation().of("EOS").string("kind") == "isothermal" && par.changed("pressure"))
    warn("pressure", "that of an isothermal gas is a² ρ; leave it out");
}

// Returns the variable that is the potential; without one, any, for nobody looks at it.
std::string schedule_potential(Schedule& s, const Parameters& par, Problems& problems) {
  const std::string text = par.string("potential");
  if (text.empty()) return "Hydro::density";
  if (text.find("::") != std::string::npos) return text;
  s.kernel<SetPotential>("potential", "Potential of gravity, outside the domain too")
      .set([f = formula(par, "potential", text, problems)](auto& k, const Parameters&) { k.formula = f; })
      .at(bin::basegrid);
  return "Hydro::potential";
}

// Calls f(axis, a part of a name) for all three; what a run has fewer of does nothing.
template <class F> void each_axis(F&& f) {
  for (const int axis : {0, 1, 2}) f(axis, std::string("_") + "xyz"[axis]);
}

void schedule_gas(Schedule& s, const Variant& variant, const std::string& potential, auto set_flux) {
  const auto set_all = [set_flux]<class K>(K& k, const Parameters& p) {
    set_flux(k, p);
    k.viscosity = static_cast<decltype(k.theta)>(p.real("viscosity"));
    k.conductivity = static_cast<decltype(k.theta)>(p.real("conductivity"));
  };
  s.kernel<CalcRhs>("rhs", "Fluxes and gravity")
      .variant(built, Value(variant.code()))
      .bind<Potential>({potential})
      .set([set_all]<class K>(K& k, const Parameters& p) {
        set_all(k, p);
        for (int d = 0; d < 3; ++d) k.gravity.v[d] = static_cast<decltype(k.floors.density)>(p.reals("gravity")[d]);
      })
      .in(MoL::rhs);
  each_axis([&](int axis, const std::string& name) {
    s.kernel<CalcFluxes>("fluxes" + name, "What goes through faces where levels meet")
        .variant(built, Value(variant.code()))
        .set([set_all, axis](auto& k, const Parameters& p) { set_all(k, p), k.axis = axis; })
        .with_thorn("Forest")
        .at_level_faces(axis)
        .in(MoL::fluxes[axis]);
  });
}

void schedule_scalars(Schedule& s, const Parameters& par, const Variant& variant, const Steps& density,
    const Quadrature& quadrature, auto set_flux, Problems& problems) {
  const Variant of_scalars{variant.scheme, variant.solver, variant.eos};
  if (!par.strings("scalars").empty()) check_built(of_scalars, built_for_scalars, par, "with scalars ");
  for (const Carried& c : carried(par, problems)) {
    const std::string scalar = "Hydro::" + c.name;
    s.kernel<SetScalar>("initial_" + c.name, "ρX from its formulas")
        .bind<Scalar>({scalar})
        .set([density, x = c.initial, quadrature](
                 auto& k, const Parameters&) { k.density = density, k.fraction = x, k.quadrature = quadrature; })
        .at(bin::initial);
    s.kernel<CalcScalarRhs>("rhs_" + c.name, "What the mass that crosses the faces carries")
        .variant(built_for_scalars, Value(of_scalars.code()))
        .bind<Scalar>({scalar})
        .bind<ScalarRhs>({scalar + "_rhs"})
        .set(set_flux)
        .in(MoL::rhs);
    each_axis([&](int axis, const std::string& name) {
      s.kernel<CalcScalarFlux>("flux_" + c.name + name, "What goes through faces where levels meet")
          .variant(built_for_scalars, Value(of_scalars.code()))
          .bind<Scalar>({scalar})
          .bind<ScalarFlux>({scalar + "_flux"})
          .set([set_flux, axis](auto& k, const Parameters& p) { set_flux(k, p), k.axis = axis; })
          .with_thorn("Forest")
          .at_level_faces(axis)
          .in(MoL::fluxes[axis]);
    });
  }
}

void schedule(Schedule& s, const Parameters& par) {
  const Parameters& eos_parameters = s.parameters("EOS");
  const int kind = eos_of(eos_parameters);
  const Variant variant = variant_of(par, kind);
  check_built(variant, built, par, "");
  const auto set_eos = [eos_parameters]<class K>(
                           K& k, const Parameters&) { k.eos = decltype(k.eos)::make(eos_parameters); };
  const auto set_floors = [set_eos]<class K>(K& k, const Parameters& p) {
    using Real = decltype(k.floors.density);
    set_eos(k, p);
    k.floors = Floors<Real>{static_cast<Real>(p.real("density_floor")),
        k.eos.least_pressure() + static_cast<Real>(p.real("pressure_floor"))};
  };
  const auto set_flux = [set_floors]<class K>(K& k, const Parameters& p) {
    set_floors(k, p);
    k.theta = static_cast<decltype(k.theta)>(number_of(theta_names, p.string("limiter")));
  };
  const int asked = static_cast<int>(par.integer("quadrature"));
  const Quadrature quadrature{asked > 0 ? asked : variant.split() ? 1 : 2};
  Problems problems;
  const Formulas initial = formulas(par, problems);
  s.kernel<SetInitial>("initial", "Initial data")
      .set([set_eos, initial, quadrature](
               auto& k, const Parameters& p) { set_eos(k, p), k.formulas = initial, k.quadrature = quadrature; })
      .at(bin::initial);
  schedule_gas(s, variant, schedule_potential(s, par, problems), set_flux);
  schedule_scalars(s, par, variant, initial.of[0], quadrature, set_flux, problems);
  problems.throw_if_any();
  schedule_floors(s, set_floors);
  s.routine("diffusivity", "Offers viscosity and conductivity to the limit on the time step",
       [gamma = eos_parameters.real("gamma")](Context& c) {
         const Parameters& p = c.parameters();
         c.values<double>("max_diffusivity")[0] =
             std::max(4. / 3 * p.real("viscosity"), gamma * p.real("conductivity"));
       })
      .writes({"max_diffusivity"})
      .at(bin::basegrid)
      .once();
  s.routine("check_data", "Warns of what a domain or a gas has not", check_data).at(bin::paramcheck).once();
  s.routine("check_faces", "Warns of faces at which rounding grows", check_faces).at(bin::paramcheck).once();
  s.routine("check_step", "Warns of steps that are too long, and of a scheme that levels do not suit", check_step)
      .reads({"max_speed"})
      .at(bin::analysis)
      .every({.iterations = std::numeric_limits<int>::max()})
      .once();
  s.kernel<CalcPrimitives>("primitives", "Velocity, pressure and entropy").set(set_eos).at(bin::analysis).on_demand();
}
}  // namespace Hydro
CEREUS_THORN(Hydro, Hydro::declare, Hydro::schedule)
