// An incompressible fluid: what it declares, and when its kernels run.
#include <Elliptic/elliptic.hpp>
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>

#include "faces.hpp"

namespace Incompressible {
using Dims = dimensions<2, 3>;

void declare_parameters(Declaration& d) {
  const Range conditions =
      one_of({{"wall", "nothing flows through, and the fluid holds to it"}, {"slip", "nothing flows through"},
          {"inflow", "the velocity is given"}, {"outflow", "the fluid leaves as it likes: ∂u/∂n = 0, p = 0"}});
  for (const std::string face : face_names) {
    d.parameter(face, "wall", conditions, "What holds at that face, where the axis is not periodic");
    d.parameter(face + "_velocity", std::vector<std::string>{}, any(),
         "Velocity of that wall, or of what flows in there: formulas of x, y, z and t")
        .length(0, 3);
  }
  d.parameter("velocity", {"0", "0", "0"}, any(),
       "Initial velocity, formulas of x, y and z; what is not free of sources in it is taken out")
      .length(1, 3);
  d.parameter("viscosity", 0.0, at_least(0.0), "Kinematic viscosity ν");
  d.parameter("force", {0.0, 0.0, 0.0}, any(), "Acceleration of the fluid").length(3);
  d.parameter("advection", "centred",
      one_of({{"centred", "second order, keeps the energy"}, {"donor", "`upwind` between centred and the cell upwind"},
          {"limited", "second order upwind, with van Leer's limiter"}}),
      "Fluxes of momentum and of scalars");
  d.parameter("upwind", 0.2, between(0.0, 1.0), "α of `donor`: 0 centred, 1 donor cell")
      .only_with("advection", {"donor"});
  d.parameter("implicit", false, any(),
      "Viscosity by Crank and Nicolson's method, which sets no limit to the step; with MoL.method RK2 or SSPRK2");
  d.parameter("obstacle", "", any(), "A formula of x, y and z: cells where it is above 0 are solid");
  d.parameter("scalars", std::vector<std::string>{}, any(), "Quantities that the flow carries, NAME = initial formula");
  d.parameter("diffusivity", {0.0}, at_least(0.0), "Of scalars: one for all, or one each")
      .length(1, 64)
      .only_with("scalars");
  d.parameter("buoyant", "", any(), "The scalar T that drives the flow, by f = −β (T − T₀) g (Boussinesq)");
  d.parameter("expansion", 1.0, any(), "β").only_with("buoyant");
  d.parameter("reference", 0.0, any(), "T₀").only_with("buoyant");
  d.parameter("gravity", {0.0, 0.0, 0.0}, any(), "g").length(3).only_with("buoyant");
  d.parameter("tolerance", 1e-9, between({0.0, false}, {1.0, true}),
      "What a projection leaves of ∇·u, over the largest of what it finds");
  d.parameter("most_cycles", 100, at_least(1), "Of the solver in a projection, which fails after so many");
}

template <template <class> class Group, template <class> class Rhs> void declare_velocity(Declaration& d, int axis) {
  const std::string name(1, "uvw"[axis]);
  std::array<Centre, 3> c{Centre::cell, Centre::cell, Centre::cell};
  c[axis] = Centre::vertex;
  d.group<Group>(name, {name}, std::string("Velocity along ") + "xyz"[axis] + ", on lower faces of cells")
      .centre(c[0], c[1], c[2])
      .condition([axis](const Parameters& p, int, int face) { return velocity_condition(p, axis, face); })
      .template rhs<Rhs>();
  for (const std::string what : {"curved_", "implicit_"})
    d.group(what + name, {what + name}, "Of implicit viscosity").centre(c[0], c[1], c[2]).not_checkpointed();
}

void declare(Declaration& d) {
  d.describe(
      "Incompressible flow on a staggered grid: projection after each stage of MoL, walls, inflow, outflow, obstacles, "
      "scalars, buoyancy");
  declare_parameters(d);
  declare_velocity<U, URhs>(d, 0), declare_velocity<V, VRhs>(d, 1), declare_velocity<W, WRhs>(d, 2);
  const auto pressure = [](const Parameters& p, int, int face) { return pressure_condition(p, face); };
  d.group<Pressure>("pressure", {"p"}, "Pressure over density, in cells").cell_centred().condition(pressure);
  d.group<Potential>("potential", {"potential"}, "What a projection adds to the pressure, if viscosity is implicit")
      .cell_centred()
      .condition(pressure);
  d.group<Source>("source", {"source"}, "∇·u before a projection").cell_centred().not_checkpointed();
  d.group<Fluid>("fluid", {"open"}, "1 in fluid, 0 in a solid cell")
      .cell_centred()
      .tag("fluid")
      .condition([](const Parameters&, int, int) { return "neumann"; });
  d.group("scalars", {}, "What the flow carries").names_from("scalars").cell_centred().rhs();
  const std::vector<std::string> velocity{"velocity_x", "velocity_y", "velocity_z"},
      vorticity{"vorticity_x", "vorticity_y", "vorticity_z"};
  auto all = velocity;
  all.insert(all.end(), vorticity.begin(), vorticity.end());
  d.group<Cells>("cells", all, "Velocity and ∇×u in cells")
      .cell_centred()
      .tensor(Tensor::vector, velocity)
      .tensor("x y z", vorticity, true)
      .not_checkpointed();
  d.group<Densities>("densities", {"energy", "enstrophy"}, "½ u² and ½ (∇×u)²").cell_centred().not_checkpointed();
  const auto scalars = [&](const char* group, std::vector<std::string> names, const char* doc) {
    return d.scalars(group, std::move(names), doc).type(ScalarType::float64);
  };
  scalars("speed", {"max_speed", "wall_speed"}, "Largest |u| + |v| + |w|, of the fluid and of walls")
      .tag("Time::speed");
  scalars("diffusivities", {"max_diffusivity"}, "Largest of what is not implicit").tag("Time::diffusivity");
  scalars("stage", {"weight"}, "Of the pressure in the velocity: a step's share in a stage").not_checkpointed();
  scalars("residual", {"divergence", "largest"}, "Largest |∇·u| h over the largest |u| + |v| + |w|; and by itself")
      .not_checkpointed();
  d.scalars("solver", {"cycles"}, "Of the last projection").type(ScalarType::int32).not_checkpointed();
  d.needs<Elliptic::Solver>();
}

struct Carried {
  std::string name;
  Steps initial;
  double diffusivity;
};
std::vector<Carried> carried(const Parameters& par, Problems& problems) {
  std::vector<Carried> list;
  const auto diffusivity = par.reals("diffusivity");
  const auto entries = par.strings("scalars");
  if (diffusivity.size() > 1 && diffusivity.size() != entries.size())
    problems.add(par.where("diffusivity"), "Incompressible.diffusivity needs one value, or one for each of scalars");
  for (const std::string& entry : entries) {
    const auto equals = entry.find('=');
    const double own = diffusivity[std::min(list.size(), diffusivity.size() - 1)];
    list.push_back({entry.substr(0, entry.find_first_of(" =")), {}, own});
    if (equals == std::string::npos)
      problems.add(par.where("scalars"), "Incompressible.scalars: '" + entry + "' is not of the form NAME = formula");
    else list.back().initial = formula(par, "scalars", entry.substr(equals + 1), problems);
  }
  const std::string buoyant = par.string("buoyant");
  if (!buoyant.empty() && std::ranges::find(list, buoyant, &Carried::name) == list.end())
    problems.add(par.where("buoyant"), "Incompressible.buoyant: '" + buoyant + "' is none of scalars");
  return list;
}

bool has_obstacle(const Parameters& par) { return !par.string("obstacle").empty(); }
// Warns of a formula that makes no cell solid, or all.
void look_for_obstacle(Context& c) {
  const VariableAccess& open = c.accesses()[0];
  Sum fluid, all;
  const auto count = [&](auto zero) {
    c.each_point<decltype(zero)>(open, [&](const GridPoint&, auto v) { fluid += v, all += 1; });
  };
  c.type(open) == ScalarType::float32 ? count(float{}) : count(double{});
  const double some = c.sum(fluid), cells = c.sum(all);
  if (c.rank() != 0 || (some > 0 && some < cells)) return;
  console::warn(Problem{c.parameters().where("obstacle"),
      "Incompressible.obstacle: " + std::string(some > 0 ? "no cell is" : "all cells are") +
          " solid; the formula should be above 0 in the centres of solid cells, and nowhere else"}
                    .text());
}
void check_implicit(const Parameters& par, const Parameters& integrator, Problems& problems) {
  if (!par.boolean("implicit")) return;
  if (const auto method = integrator.string("method"); method != "RK2" && method != "SSPRK2" && method != "Euler")
    problems.add(par.where("implicit"),
        "Incompressible.implicit: not with " + method + "; take MoL: {method: RK2}, or SSPRK2 or Euler");
  if (has_obstacle(par))
    problems.add(par.where("implicit"),
        "Incompressible.implicit: viscosity that is implicit knows no obstacles; leave one of the two out");
}
constexpr auto with_weight = [](auto& k, const Parameters& par, std::span<const double> weight) {
  using Real = decltype(k.weight);
  k.weight = static_cast<Real>(weight[0]);
  if constexpr (requires { k.viscosity; }) k.viscosity = static_cast<Real>(par.real("viscosity"));
};
// (a ∇² − b) of a variable is to be its source.
Elliptic::Outcome solve(Context& c, const std::string& variable, const std::string& source, double a, double b) {
  const Parameters& par = c.parameters();
  Simulation& run = c.simulation();
  Elliptic::Equation e{run.variable_number(variable), run.variable_number(source)};
  if (b == 0 && has_obstacle(par)) e.coefficient = run.variable_number("Incompressible::open");
  e.a = a, e.b = b;
  e.tolerance = par.real("tolerance"), e.most_cycles = static_cast<int>(par.integer("most_cycles"));
  return c.service<Elliptic::Solver>().solve(run, e);
}

// Kernels and routines that run one after another; place(item) says where.
template <class F> struct Sequence {
  F place;
  std::string last = "";
  template <class T> T operator()(T item) {
    place(item);
    if (!last.empty()) item.after(last);
    last = item.item().name;
    return item;
  }
};

Steps zero() { return {1, {Operation::number}, {0}}; }
auto fill(Schedule& s, const std::string& name, const std::string& doc, const std::string& variable, const Steps& f) {
  auto item = s.kernel<SetScalar, detail::Reals, Dims>(name, doc);
  item.bind<Scalar>({"Incompressible::" + variable}).set([f](auto& k, const Parameters&) { k.formula = f; });
  return item;
}

void schedule_hold(Schedule& s, const Parameters& par, const std::string& name, auto& next) {
  if (has_obstacle(par)) next(s.kernel<Hold, detail::Reals, Dims>(name, "No velocity beside solid cells"));
}
// Until the velocity is free of sources: ∇·(weight ∇φ) = ∇·u, u −= weight ∇φ.
void schedule_projection(
    Schedule& s, const Parameters& par, const std::string& name, const std::string& potential, auto& next) {
  const bool solid = has_obstacle(par);
  next(s.kernel<CalcSource, detail::Reals, Dims>(name + "source", "How far the velocity is from free of sources"));
  auto find = next(s.routine(name + "pressure", "Finds the potential that makes it so", [potential](Context& c) {
    c.values<std::int32_t>("cycles")[0] =
        solve(c, potential, "Incompressible::source", c.read_values<double>("weight")[0], 0).cycles;
  }));
  find.reads({potential}, Region::interior, 1).template reads<Source>().reads({"weight"});
  find.updates({potential}).writes({"cycles"}).launches_kernels().together();
  if (solid) find.template reads<Fluid>(Region::interior, 1);
  next(s.kernel<Correct, Dims>(name + "correct", "The velocity, free of sources").variant(either, Value(solid ? 1 : 0)))
      .template bind<Potential>({potential})
      .set({"weight"}, with_weight);
}

void schedule_initial(Schedule& s, const Parameters& par, const std::vector<Carried>& scalars, Problems& problems) {
  auto velocity = par.strings("velocity");
  velocity.resize(3, "0");
  Formulas f{};
  for (int d = 0; d < 3; ++d) f.of[d] = formula(par, "velocity", velocity[d], problems);
  s.kernel<SetVelocity, detail::Reals, Dims>("velocity", "Velocities from formulas")
      .set([f](auto& k, const Parameters&) { k.velocity = f; })
      .at(bin::initial);
  fill(s, "no_pressure", "A first guess", "p", zero()).at(bin::initial);
  if (par.boolean("implicit")) fill(s, "no_potential", "A first guess", "potential", zero()).at(bin::initial);
  for (const Carried& c : scalars)
    fill(s, "initial_" + c.name, "A scalar from its formula", c.name, c.initial).at(bin::initial);
  s.routine("check_axes", "Warns of formulas of an axis that the grid lacks",
       [](Context& c) { warn_of_axes(c, "obstacle"), warn_of_axes(c, "scalars"); })
      .at(bin::paramcheck)
      .once();
  if (const std::string solid = par.string("obstacle"); has_obstacle(par)) {
    formula(par, "obstacle", solid, problems);
    Problems same;
    s.routine("solid_faces", "Refuses solid cells where fluid flows in",
         [](Context& c) {
           const Grid& grid = c.simulation().grid;
           Problems found;
           check_obstacle(c.parameters(), grid.levels[0].space, grid.dim, found);
           found.throw_if_any();
         })
        .at(bin::paramcheck)
        .once();
    fill(s, "obstacle", "Which cells are solid", "open", formula(par, "obstacle", "(" + solid + ") > 0 ? 0 : 1", same))
        .at(bin::initial);
    s.routine("look_for_obstacle", "Warns of obstacles that are nowhere", look_for_obstacle)
        .reads({"open"})
        .at(bin::postinitial)
        .once();
  }
  s.routine("whole", "All of a first correction is potential", [](Context& c) { c.values<double>("weight")[0] = 1; })
      .writes({"weight"})
      .at(bin::initial)
      .once();
  Sequence next{[](auto& item) { item.at(bin::postinitial); }};
  schedule_hold(s, par, "initial_hold", next);
  schedule_projection(s, par, "initial_", "Incompressible::p", next);
  next(fill(s, "forget", "That was no pressure", "p", zero()));
}

void schedule_rhs(Schedule& s, const Parameters& par, const std::vector<Carried>& scalars) {
  const bool is_limited = par.string("advection") == "limited";
  const std::string buoyancy = par.string("buoyant");
  const int form = (is_limited ? limited : 0) + (buoyancy.empty() ? 0 : buoyant);
  const auto upwind = [](const Parameters& p) { return p.string("advection") == "donor" ? p.real("upwind") : 0; };
  auto rhs = s.kernel<CalcRhs, Dims>("rhs", "Advection, viscosity and forces").variant(forms, Value(form));
  if (!buoyancy.empty()) rhs.bind<Scalar>({"Incompressible::" + buoyancy});
  rhs.set([upwind]<class K>(K& k, const Parameters& p) {
       using Real = decltype(k.upwind);
       k.upwind = static_cast<Real>(upwind(p));
       k.viscosity = static_cast<Real>(p.boolean("implicit") ? 0 : p.real("viscosity"));
       k.expansion = static_cast<Real>(p.real("expansion")), k.reference = static_cast<Real>(p.real("reference"));
       for (int d = 0; d < 3; ++d)
         k.force.of[d] = static_cast<Real>(p.reals("force")[d]),
         k.gravity.of[d] = static_cast<Real>(p.reals("gravity")[d]);
     })
      .in(MoL::rhs);
  for (const Carried& c : scalars)
    s.kernel<CalcScalar, Dims>("rhs_" + c.name, "Advection and diffusion of a scalar")
        .variant(either, Value(is_limited ? limited : 0))
        .template bind<Scalar>({"Incompressible::" + c.name})
        .template bind<ScalarRhs>({"Incompressible::" + c.name + "_rhs"})
        .set([upwind, D = c.diffusivity]<class K>(K& k, const Parameters& p) {
          using Real = decltype(k.upwind);
          k.upwind = static_cast<Real>(upwind(p)), k.diffusivity = static_cast<Real>(D);
        })
        .in(MoL::rhs);
}

// Viscosity of a stage: (1 − weight ½ν Δ) u' = u + weight (½ν Δu of the beginning − ∇p). Methods whose stages are
// u₀, or means of such, and a share of the step: there this is Crank and Nicolson's (Kim and Moin, J. Comp. Phys. 59
// (1985) 308).
void schedule_viscosity(Schedule& s, int dim, auto& next) {
  for (int axis = 0; axis < dim; ++axis) {
    const std::string q(1, "uvw"[axis]), variable = "Incompressible::" + q, known = "Incompressible::implicit_" + q;
    const std::vector<std::string> curved{"Incompressible::curved_" + q};
    s.kernel<CalcCurved, detail::Reals, Dims>("curved_" + q, "Δ" + q + " when a step begins")
        .bind<One>({variable})
        .bind<Curved>(curved)
        .at(bin::evolve)
        .before("MoL::begin");
    next(s.kernel<CalcImplicit, Dims>("implicit_" + q, "What is known of " + q).variant(axes, Value(axis)))
        .template bind<One>({variable})
        .template bind<Curved>(curved)
        .template bind<Implicit>({known})
        .set({"weight"}, with_weight);
    next(s.routine("diffuse_" + q, "Solves for " + q,
             [variable, known](Context& c) {
               solve(
                   c, variable, known, 0.5 * c.parameters().real("viscosity") * c.read_values<double>("weight")[0], 1);
             }))
        .reads({variable}, Region::interior, 1)
        .reads({known, "weight"})
        .updates({variable})
        .launches_kernels()
        .together();
  }
}

void schedule_stage(Schedule& s, const Parameters& par, int dim) {
  const bool implicit = par.boolean("implicit");
  // The share of the pressure in a stage Σ aₛ·(velocities free of sources) + b·(right-hand side) is b; where the
  // integrator stores right-hand sides, the whole step.
  s.routine("weight", "The share of a stage in the step",
       [](Context& c) {
         const Simulation& run = c.simulation();
         const auto& integrator = c.service<TimeIntegrator>();
         const int velocity = run.group_number("Incompressible::u");
         const Epilogue e = integrator.update(run, velocity, integrator.stage(run), c.clock().dt).epilogue;
         c.values<double>("weight")[0] = e.sources > 0 ? e.b : c.clock().dt;
       })
      .writes({"weight"})
      .together()
      .in(MoL::rhs);
  Sequence next{[](auto& item) { item.in(MoL::post_substep); }};
  schedule_hold(s, par, "hold", next);
  if (implicit) schedule_viscosity(s, dim, next);
  schedule_projection(s, par, "", implicit ? "Incompressible::potential" : "Incompressible::p", next);
  if (implicit)
    next(s.kernel<AddPressure, detail::Reals, Dims>("add", "The pressure of this stage"))
        .set([](auto& k, const Parameters& p) {
          k.viscosity = static_cast<decltype(k.viscosity)>(p.real("viscosity"));
        });
}

void schedule_analysis(Schedule& s) {
  s.kernel<CalcSpeed, detail::Reals, Dims>("speed", "Largest |u| + |v| + |w|, for the time step")
      .into("max_speed")
      .at(bin::poststep);
  s.routine("limits", "Offers what the time step must not outrun",
       [](Context& c) {
         const Parameters& p = c.parameters();
         double most = p.boolean("implicit") ? 0 : p.real("viscosity");
         if (!p.strings("scalars").empty()) most = std::max(most, std::ranges::max(p.reals("diffusivity")));
         c.values<double>("max_diffusivity")[0] = most, c.values<double>("wall_speed")[0] = fastest_face(p);
       })
      .writes({"max_diffusivity", "wall_speed"})
      .at(bin::basegrid)
      .once();
  s.kernel<CalcDivergence, detail::Reals, Dims>("divergence_now", "Largest |∇·u|, times the spacing")
      .into("largest")
      .at(bin::analysis)
      .on_demand();
  s.routine("relative", "The same over the largest speed",
       [](Context& c) {
         const double speed = c.read_values<double>("max_speed")[0];
         c.values<double>("divergence")[0] = speed > 0 ? c.read_values<double>("largest")[0] / speed : 0;
       })
      .reads({"max_speed", "largest"})
      .writes({"divergence"})
      .once()
      .at(bin::analysis)
      .on_demand();
  s.kernel<CalcCells, detail::Reals, Dims>("cells", "Velocity and vorticity in cells").at(bin::analysis).on_demand();
  s.kernel<CalcDensities, detail::Reals, Dims>("densities", "Energy and enstrophy").at(bin::analysis).on_demand();
}

void schedule(Schedule& s, const Parameters& par) {
  const Parameters& grid = s.parameters("UniGrid");
  const int dim = static_cast<int>(grid.integers("cells").size());
  Problems problems;
  if (dim == 1)
    problems.add(grid.where("cells"), "Incompressible: a flow needs 2 or 3 dimensions; UniGrid.cells has 1");
  check_faces(par, grid, problems);
  check_implicit(par, s.parameters("MoL"), problems);
  if (const auto g = par.reals("gravity"); !par.string("buoyant").empty() && g[0] == 0 && g[1] == 0 && g[2] == 0)
    problems.add(par.where("buoyant"), "Incompressible.buoyant moves nothing without gravity; give it, [0, -1, 0]");
  const auto scalars = carried(par, problems);
  schedule_initial(s, par, scalars, problems);
  problems.throw_if_any();
  schedule_rhs(s, par, scalars);
  schedule_stage(s, par, dim);
  schedule_analysis(s);
}
}  // namespace Incompressible
CEREUS_THORN(Incompressible, Incompressible::declare, Incompressible::schedule)
