// An incompressible fluid: what it declares, and when its kernels run.
#include <Elliptic/elliptic.hpp>
#include <cereus/formula.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>

#include "faces.hpp"

namespace Incompressible {
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
  d.parameter("density", 1.0, above(0.0), "ρ");
  d.parameter("viscosity", 0.0, at_least(0.0), "Kinematic viscosity ν");
  d.parameter("force", {0.0, 0.0, 0.0}, any(), "Acceleration of the fluid").length(3);
  d.parameter("advection", "centred",
      one_of({{"centred", "second order, keeps the energy"}, {"donor", "`upwind` between centred and the cell upwind"},
          {"limited", "second order upwind, with van Leer's limiter"}}),
      "Fluxes of momentum and of scalars");
  d.parameter("upwind", 0.2, between(0.0, 1.0), "α of `donor`: 0 centred, 1 donor cell");
  d.parameter("implicit", false, any(),
      "Viscosity by Crank and Nicolson's method, half a step before and half a step after: no limit on the step");
  d.parameter("obstacle", "", any(), "A formula of x, y and z: cells where it is above 0 are solid");
  d.parameter("scalars", std::vector<std::string>{}, any(), "Quantities that the flow carries, NAME = initial formula");
  d.parameter("diffusivity", {0.0}, at_least(0.0), "Of scalars: one for all, or one each").length(1, 64);
  d.parameter("buoyant", "", any(), "The scalar T that drives the flow, by f = −β (T − T₀) g (Boussinesq)");
  d.parameter("expansion", 1.0, any(), "β");
  d.parameter("reference", 0.0, any(), "T₀");
  d.parameter("gravity", {0.0, 0.0, 0.0}, any(), "g").length(3);
  d.parameter("tolerance", 1e-9, between({0.0, false}, {1.0, true}),
      "What a projection leaves of ∇·u, over the largest of what it finds");
  d.parameter("most_cycles", 100, at_least(1), "Of the solver in a projection, which fails after so many");
}

void declare(Declaration& d) {
  d.describe(
      "Incompressible flow on a staggered grid: projection after each stage of MoL, walls, inflow, outflow, obstacles, "
      "scalars, buoyancy");
  declare_parameters(d);
  const auto cell = Centre::cell;
  const auto velocity = [&]<template <class> class G, template <class> class R>(
                            G<int>, R<int>, int axis, const char* name, const char* doc) {
    std::array<Centre, 3> c{cell, cell, cell};
    c[axis] = Centre::vertex;
    d.group<G>(name, {name}, doc)
        .centre(c[0], c[1], c[2])
        .condition([axis](const Parameters& p, int, int face) { return velocity_condition(p, axis, face); })
        .template rhs<R>();
    d.group(std::string("source_") + name, {std::string("source_") + name}, "Of an implicit half step")
        .centre(c[0], c[1], c[2])
        .not_checkpointed();
  };
  velocity(U<int>{}, URhs<int>{}, 0, "u", "Velocity along x, on lower faces"),
      velocity(V<int>{}, VRhs<int>{}, 1, "v", "Velocity along y");
  velocity(W<int>{}, WRhs<int>{}, 2, "w", "Velocity along z");
  d.group<Pressure>("pressure", {"p"}, "Pressure over density, in cells")
      .cell_centred()
      .condition([](const Parameters& p, int, int face) { return pressure_condition(p, face); });
  d.group("potential", {"potential"}, "Of what half a step of viscosity leaves")
      .cell_centred()
      .not_checkpointed()
      .condition([](const Parameters& p, int, int face) { return pressure_condition(p, face); });
  d.group<Source>("source", {"source"}, "∇·u before a projection").cell_centred().not_checkpointed();
  d.group<Fluid>("fluid", {"open"}, "1 in fluid, 0 in a solid cell")
      .cell_centred()
      .condition([](const Parameters&, int, int) { return "neumann"; });
  d.group("scalars", {}, "What the flow carries").names_from("scalars").cell_centred().rhs();
  d.group<Flow>("flow", {"velocity_x", "velocity_y", "velocity_z"}, "Velocity in cells")
      .cell_centred()
      .tensor(Tensor::vector)
      .not_checkpointed();
  d.group<Vorticity>("curl", {"vorticity_x", "vorticity_y", "vorticity_z"}, "∇×u in cells")
      .cell_centred()
      .not_checkpointed();
  d.group<Densities>("densities", {"energy", "enstrophy"}, "½ u² and ½ (∇×u)²").cell_centred().not_checkpointed();
  const auto scalars = [&](const char* group, std::vector<std::string> names, const char* doc,
                           const char* tag = nullptr) {
    auto g = d.scalars(group, std::move(names), doc);
    g.type(ScalarType::float64).not_checkpointed();
    if (tag) g.tag(tag);
  };
  scalars("speed", {"max_speed"}, "Largest |u| + |v| + |w|", "Time::speed");
  scalars("diffusivities", {"max_diffusivity"}, "Largest of what is not implicit", "Time::diffusivity");
  scalars("stage", {"weight"}, "Of the pressure in the velocity: a step's share in a stage");
  scalars("residual", {"divergence", "largest"}, "Largest |∇·u| h over the largest |u| + |v| + |w|; and by itself");
  d.scalars("solver", {"cycles"}, "Of the last projection").type(ScalarType::int32).not_checkpointed();
  d.needs<Elliptic::Solver>();
}

Steps formula(const Parameters& par, const std::string& key, const std::string& text, Problems& problems) {
  try {
    return steps_of(text, {"x", "y", "z"});
  } catch (const Error& e) {
    problems.add(par.where(key), "Incompressible." + key + ": '" + text + "': " + e.what());
    return {};
  }
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
    const std::string name = entry.substr(0, entry.find_first_of(" ="));
    list.push_back({name,
        equals == std::string::npos
            ? Steps{}
            : formula(par, "scalars", std::string(equals + 1, ' ') + entry.substr(equals + 1), problems),
        diffusivity[std::min(list.size(), diffusivity.size() - 1)]});
    if (equals == std::string::npos)
      problems.add(par.where("scalars"), "Incompressible.scalars: '" + entry + "' is not of the form NAME = formula");
  }
  const std::string buoyant = par.string("buoyant");
  if (!buoyant.empty() && std::ranges::find(list, buoyant, &Carried::name) == list.end())
    problems.add(par.where("buoyant"), "Incompressible.buoyant: '" + buoyant + "' is none of scalars");
  return list;
}

// Until the velocity is free of sources: ∇·(weight ∇φ) = ∇·u, u −= weight ∇φ, with φ the pressure, or what is called
// so.
struct Projection {
  std::string name, potential = "Incompressible::p";
};
Elliptic::Equation equation(Context& c, const std::string& solution, const std::string& source) {
  const Parameters& par = c.parameters();
  const Simulation& run = c.simulation();
  Elliptic::Equation e{run.variable_number(solution), run.variable_number(source)};
  e.tolerance = par.real("tolerance"), e.most_cycles = static_cast<int>(par.integer("most_cycles"));
  return e;
}
template <class Place>
void schedule_projection(Schedule& s, const Parameters& par, const Projection& projection, Place&& place) {
  const auto& [name, potential] = projection;
  const bool solid = !par.string("obstacle").empty();
  std::string before;
  const auto next = [&](auto& item, const std::string& step) {
    place(item);
    if (!before.empty()) item.after(before);
    before = name + step;
  };
  if (inflow_changes(par)) {
    auto inflow = s.kernel<SetInflow>(name + "inflow", "What flows in now");
    inflow.set([](auto& k, const Parameters& p) {
      k.inflow = faces_with(p, {Condition::inflow});
      for (int f = 0; f < 6; ++f) k.velocity.of[f] = steps_of(velocity_at(p, f, f / 2), {"x", "y", "z", "t"});
    });
    next(inflow, "inflow");
  }
  auto source = s.kernel<CalcSource>(name + "source", "How far the velocity is from free of sources");
  next(source, "source");
  auto solve = s.routine(name + "pressure", "Finds the pressure that makes it so", [potential, solid](Context& c) {
    auto e = equation(c, potential, "Incompressible::source");
    if (solid) e.coefficient = c.simulation().variable_number("Incompressible::open");
    e.a = c.read_values<double>("weight")[0];
    c.values<std::int32_t>("cycles")[0] = c.service<Elliptic::Solver>().solve(c.simulation(), e).cycles;
  });
  solve.reads({potential}, Region::interior, 1)
      .template reads<Source>()
      .reads({"weight"})
      .updates({potential})
      .writes({"cycles"});
  if (solid) solve.template reads<Fluid>(Region::interior, 1);
  solve.launches_kernels().together();
  next(solve, "pressure");
  auto correct =
      s.kernel<Correct>(name + "correct", "The velocity, free of sources").variant(fluxes, Value(solid ? 1 : 0));
  correct.template bind<Pressure>({potential})
      .set({"weight"}, [](auto& k, const Parameters&, std::span<const double> weight) {
        k.weight = static_cast<decltype(k.weight)>(weight[0]);
      });
  next(correct, "correct");
}

void schedule_initial(Schedule& s, const Parameters& par, const std::vector<Carried>& scalars, Problems& problems) {
  auto velocity = par.strings("velocity");
  velocity.resize(3, "0");
  Formulas f{};
  for (int d = 0; d < 3; ++d) f.of[d] = formula(par, "velocity", velocity[d], problems);
  s.kernel<SetInitial>("initial", "Velocities from formulas")
      .set([f](auto& k, const Parameters& p) {
        k.velocity = f, k.still = faces_with(p, {Condition::wall, Condition::slip});
      })
      .at(bin::initial);
  s.kernel<SetPressure>("no_pressure", "A first guess").at(bin::initial);
  for (const Carried& c : scalars)
    s.kernel<SetScalar>("initial_" + c.name, "A scalar from its formula")
        .bind<Scalar>({"Incompressible::" + c.name})
        .set([f = c.initial](auto& k, const Parameters&) { k.formula = f; })
        .at(bin::initial);
  if (const std::string solid = par.string("obstacle"); !solid.empty()) {
    const Steps where = formula(par, "obstacle", solid, problems);
    s.kernel<SetFluid>("fluid", "Which cells are solid")
        .set([where](auto& k, const Parameters&) { k.solid = where; })
        .at(bin::initial);
    s.kernel<StopInSolid>("stop", "No velocity there").at(bin::initial).after("initial").after("fluid");
  }
  s.routine("whole", "All of a first correction is potential", [](Context& c) { c.values<double>("weight")[0] = 1; })
      .writes({"weight"})
      .at(bin::initial)
      .once();
  schedule_projection(s, par, {"initial_"}, [&](auto& item) { item.at(bin::postinitial); });
  s.kernel<SetPressure>("forget", "That was no pressure").at(bin::postinitial).after("initial_correct");
}

void schedule_rhs(Schedule& s, const Parameters& par, const std::vector<Carried>& scalars) {
  const bool is_limited = par.string("advection") == "limited", implicit = par.boolean("implicit");
  const std::string buoyancy = par.string("buoyant");
  const int form =
      (is_limited ? limited : 0) + (buoyancy.empty() ? 0 : buoyant) + (par.string("obstacle").empty() ? 0 : obstructed);
  const auto upwind = [](const Parameters& p) { return p.string("advection") == "donor" ? p.real("upwind") : 0; };
  auto rhs = s.kernel<CalcRhs>("rhs", "Advection, viscosity and forces").variant(forms, Value(form));
  if (!buoyancy.empty()) rhs.bind<Scalar>({"Incompressible::" + buoyancy});
  rhs.set([implicit, upwind]<class K>(K& k, const Parameters& p) {
       using Real = decltype(k.upwind);
       k.upwind = static_cast<Real>(upwind(p)),
       k.viscosity = implicit ? Real(0) : static_cast<Real>(p.real("viscosity"));
       k.expansion = static_cast<Real>(p.real("expansion")), k.reference = static_cast<Real>(p.real("reference"));
       for (int d = 0; d < 3; ++d)
         k.force.of[d] = static_cast<Real>(p.reals("force")[d]),
         k.gravity.of[d] = static_cast<Real>(p.reals("gravity")[d]);
       k.held = faces_with(p, {Condition::wall, Condition::slip, Condition::inflow});
     })
      .in(MoL::rhs);
  for (const Carried& c : scalars)
    s.kernel<CalcScalar>("rhs_" + c.name, "Advection and diffusion of a scalar")
        .variant(fluxes, Value(is_limited ? limited : 0))
        .template bind<Scalar>({"Incompressible::" + c.name})
        .template bind<ScalarRhs>({"Incompressible::" + c.name + "_rhs"})
        .set([upwind, D = c.diffusivity]<class K>(K& k, const Parameters& p) {
          using Real = decltype(k.upwind);
          k.upwind = static_cast<Real>(upwind(p)), k.diffusivity = static_cast<Real>(D);
        })
        .in(MoL::rhs);
  // A stage is Σ aₛ·(velocities free of sources) + b·(right-hand side): the pressure enters with weight b, if that is a
  // share of the step, and with the step where right-hand sides are stored.
  s.routine("weight", "The share of a stage in the step",
       [](Context& c) {
         Simulation& run = c.simulation();
         const double b = c.service<TimeIntegrator>()
                              .update(run, run.group_number("Incompressible::u"), c.levels().first)
                              .epilogue.b,
                      dt = c.clock().dt;
         c.values<double>("weight")[0] = b == 1 ? dt : b;
       })
      .writes({"weight"})
      .together()
      .in(MoL::rhs);
  schedule_projection(s, par, {}, [&](auto& item) { item.in(MoL::post_substep); });
}

// Half a step of viscosity before all else in a step, and half a step after (Strang, SIAM J. Numer. Anal. 5 (1968)
// 506).
void schedule_viscosity(Schedule& s, const Parameters& par) {
  for (const bool first : {true, false}) {
    const std::string when = first ? "_before" : "_after";
    std::string last = first ? "" : "MoL::substep";
    const auto next = [&](auto& item) {
      item.at(bin::evolve);
      if (first) item.before("MoL::begin");
      if (!last.empty()) item.after(last);
      last = item.item().name;
    };
    for (const std::string q : {"u", "v", "w"}) {
      const std::string variable = "Incompressible::" + q, source = "Incompressible::source_" + q;
      auto known = s.kernel<ViscousSource>("viscous_" + q + when, "(1 + f Δ) q");
      known.bind<One>({variable}).template bind<Given>({source}).set([]<class K>(K& k, const Parameters& p) {
        k.viscosity = static_cast<decltype(k.viscosity)>(p.real("viscosity"));
      });
      next(known);
      auto solve = s.routine("diffuse_" + q + when, "(1 − f Δ) q' = (1 + f Δ) q", [variable, source](Context& c) {
        auto e = equation(c, variable, source);
        e.a = 0.25 * c.parameters().real("viscosity") * c.clock().dt, e.b = 1;
        c.service<Elliptic::Solver>().solve(c.simulation(), e);
      });
      solve.reads({variable}, Region::interior, 1).reads({source}).updates({variable}).launches_kernels().together();
      next(solve);
    }
    if (!first) {
      auto no_guess =
          s.kernel<SetPressure>("no_guess", "Of the next potential").bind<Pressure>({"Incompressible::potential"});
      next(no_guess);
      schedule_projection(s, par, {"last_", "Incompressible::potential"}, [&](auto& item) { next(item); });
    }
  }
}

void schedule_analysis(Schedule& s) {
  s.kernel<CalcSpeed>("speed", "Largest |u| + |v| + |w|, for the time step").into("max_speed").at(bin::poststep);
  s.routine("limits", "Offers viscosity and diffusivities to the limit on the time step",
       [](Context& c) {
         const Parameters& p = c.parameters();
         double most = p.boolean("implicit") ? 0 : p.real("viscosity");
         if (!p.strings("scalars").empty()) most = std::max(most, std::ranges::max(p.reals("diffusivity")));
         c.values<double>("max_diffusivity")[0] = most;
       })
      .writes({"max_diffusivity"})
      .at(bin::basegrid)
      .once();
  s.kernel<CalcDivergence>("divergence_now", "Largest |∇·u|, times the spacing")
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
  s.kernel<CalcFlow>("flow", "Velocity in cells").at(bin::analysis).on_demand();
  s.kernel<CalcVorticity>("curl", "Vorticity in cells").at(bin::analysis).on_demand();
  s.kernel<CalcDensities>("densities", "Energy and enstrophy").at(bin::analysis).on_demand();
}

void schedule(Schedule& s, const Parameters& par) {
  check_faces(par);
  Problems problems;
  const auto scalars = carried(par, problems);
  schedule_initial(s, par, scalars, problems);
  problems.throw_if_any();
  schedule_rhs(s, par, scalars);
  if (par.boolean("implicit")) schedule_viscosity(s, par);
  schedule_analysis(s);
}
}  // namespace Incompressible
CEREUS_THORN(Incompressible, Incompressible::declare, Incompressible::schedule)
