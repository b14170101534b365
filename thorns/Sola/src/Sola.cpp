// Incompressible flow by Hirt's scheme: what is declared, and when its kernels run.
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <cmath>

#include "kernels.hpp"

namespace Sola {
// The lid is the upper face across y; walls hold the fluid at all faces, across which nothing flows.
std::string condition(const Parameters& p, int axis, int face) {
  return axis == 0 && face == 3 ? "dirichlet " + format_double(p.real("lid")) : "dirichlet 0";
}

void declare(Declaration& d) {
  d.describe("Incompressible flow between walls by the scheme of SOLA: a few sweeps of pressure a step");
  d.parameter("alpha", 0.2, between(0.0, 1.0), "Advection: 0 centred, 1 upwind");
  d.parameter("iterations", 4, at_least(1), "Sweeps of pressure a step");
  d.parameter("omega", 1.0, between(0.0, 2.0), "Relaxation of a sweep");
  d.parameter("density", 1.0, above(0.0), "Density");
  d.parameter("viscosity", 0.01, above(0.0), "Kinematic viscosity");
  d.parameter("gravity", {0.0, 0.0, 0.0}, any(), "Acceleration").length(3);
  d.parameter("lid", 1.0, any(), "Velocity along x of the upper wall across y");
  const auto cell = Centre::cell;
  for (const std::string half : {"", "_half"}) {  // a step's velocities before sweeps
    const auto variable = [&]<template <class> class G>(G<int>, int axis, const std::string& name, const char* doc) {
      std::array<Centre, 3> c{cell, cell, cell};
      if (axis < 3) c[axis] = Centre::vertex;
      auto group = d.group<G>(name + half, {name + half}, doc);
      group.centre(c[0], c[1], c[2]).condition([axis](const Parameters& p, int, int face) {
        return axis < 3 ? condition(p, axis, face) : "neumann";
      });
      if (half.empty()) group.timelevels(2);
      else group.not_checkpointed();
    };
    variable(U<int>{}, 0, "u", "Velocity along x, on lower faces"), variable(V<int>{}, 1, "v", "Velocity along y");
    variable(W<int>{}, 2, "w", "Velocity along z");
    if (half.empty()) variable(P<int>{}, 3, "p", "Pressure, in cells");
    d.group<Potential>("psi" + half, {"psi" + half}, "What sweeps add to the pressure, times dt/ρ")
        .cell_centred()
        .not_checkpointed();
  }
  d.group<Source>("source", {"source"}, "∇·u before sweeps").cell_centred().not_checkpointed();
  d.scalars("speed", {"speed"}, "Of the lid").not_checkpointed().tag("Time::speed").type(ScalarType::float64);
  d.scalars("diffusivity", {"diffusivity"}, "The viscosity")
      .not_checkpointed()
      .tag("Time::diffusivity")
      .type(ScalarType::float64);
  d.scalars("residual", {"divergence"}, "Largest |∇·u| of a cell").not_checkpointed().type(ScalarType::float64);
}

// Says which velocities are read (0) or written (1): those of this ending.
template <class Item> Item& place(Item& item, int handle, const std::string& half) {
  return item.template bind<U>({"Sola::u" + half}, handle)
      .template bind<V>({"Sola::v" + half}, handle)
      .template bind<W>({"Sola::w" + half}, handle);
}

void schedule(Schedule& s, const Parameters& par) {
  constexpr int read = 0, written = 1;
  auto rest = s.kernel<SetRest>("initial", "A fluid at rest");
  place(rest, read, "").at(bin::initial);
  auto step = s.kernel<Accelerate>("accelerate", "A step with the old pressure");
  place(place(step, read, ""), written, "_half")
      .stays_inside({"Sola::p"})
      .set([]<class K>(K& k, const Parameters& p) {
        using Real = decltype(k.upwind);
        k.upwind = static_cast<Real>(p.real("alpha")), k.viscosity = static_cast<Real>(p.real("viscosity"));
        k.inverse_density = static_cast<Real>(1 / p.real("density"));
        for (int d = 0; d < 3; ++d) k.gravity.along[d] = static_cast<Real>(p.reals("gravity")[d]);
      })
      .at(bin::evolve);
  const auto relax = []<class K>(K& k, const Parameters& p) {
    k.relaxation = static_cast<decltype(k.relaxation)>(p.real("omega"));
  };
  auto first = s.kernel<FirstSweep>("sweep1", "The first sweep of pressure");
  place(first, read, "_half")
      .bind<Potential>({"Sola::psi"})
      .stays_inside()
      .set(relax)
      .at(bin::evolve)
      .after("accelerate");
  // Sweeps go to and fro between two potentials.
  const auto potential = [](std::int64_t sweep) { return std::string(sweep % 2 ? "Sola::psi" : "Sola::psi_half"); };
  const auto sweeps = par.integer("iterations");
  for (std::int64_t n = 2; n <= sweeps; ++n)
    s.kernel<Sweep>("sweep" + std::to_string(n), "A sweep of pressure")
        .bind<Potential>({potential(n - 1)}, read)
        .bind<Potential>({potential(n)}, written)
        .stays_inside()
        .set(relax)
        .at(bin::evolve)
        .after("sweep" + std::to_string(n - 1));
  auto push = s.kernel<Push>("push", "What sweeps have found pushes");
  place(place(push, read, "_half"), written, "")
      .bind<Potential>({potential(sweeps)})
      .stays_inside()
      .set([]<class K>(K& k, const Parameters& p) { k.density = static_cast<decltype(k.density)>(p.real("density")); })
      .at(bin::evolve)
      .after("sweep" + std::to_string(sweeps));
  auto divergence = s.kernel<Divergence>("divergence", "How far the flow is from free of sources");
  place(divergence, read, "").into("divergence").at(bin::analysis).on_demand();
  s.routine("limits", "Offers the speed of the lid and the viscosity to the limits on the time step",
       [](Context& c) {
         c.values<double>("speed")[0] = std::fabs(c.parameters().real("lid"));
         c.values<double>("diffusivity")[0] = c.parameters().real("viscosity");
       })
      .writes({"speed", "diffusivity"})
      .at(bin::basegrid)
      .once();
}
}  // namespace Sola
CEREUS_THORN(Sola, Sola::declare, Sola::schedule)
