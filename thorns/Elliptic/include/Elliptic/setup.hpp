// What a solver prepares for: where values lie, and what holds at faces of the domain.
#pragma once
#include <cereus/simulation.hpp>

#include <cmath>
#include <limits>
#include <tuple>

#include "elliptic.hpp"
#include "near.hpp"
namespace Elliptic {
struct Setup {
  std::array<Centre, 3> centre;
  std::array<int, 6> mirrors;  // BoundaryConditions::mirrors, of each face; 0 along periodic axes
  ScalarType type;
  bool coefficients, absorbs;  // whether they vary; whether b is not 0
  auto operator<=>(const Setup&) const = default;
  bool pinned() const { return std::ranges::find(mirrors, -1) != mirrors.end(); }  // some value is known
};
// Throws Error where variables do not lie where φ does, have another type, or are none.
inline void check_variables(const Simulation& s, const Equation& e, const std::string& who) {
  if (e.solution < 0 || e.source < 0) throw Error(who + ": the solution or the source of an equation is no variable");
  const VariableInfo& phi = s.variables[static_cast<std::size_t>(e.solution)];
  for (const int n : {e.source, e.coefficient, e.absorption}) {
    if (n < 0) continue;
    const VariableInfo& v = s.variables[static_cast<std::size_t>(n)];
    if (s.type(v.group) != s.type(phi.group) || s.groups[v.group].centre != s.groups[phi.group].centre)
      throw Error(who + ": " + v.name + " and " + phi.name +
                  " belong to one equation; give them one scalar type, and "
                  "one centring");
  }
}
// Throws Error where a face has a condition that is no mirror image. `who`: the solver.
inline Setup setup_of(const Simulation& s, const Equation& e, const std::string& who) {
  check_variables(s, e, who);
  if (s.grid.levels.size() > 1 || s.services.get<Driver>().adapts(0))
    throw Error(who + " solves on a grid of one level, and " + s.services.provider<Driver>() +
                (s.grid.levels.size() > 1 ? " has " + std::to_string(s.grid.levels.size()) : " may have several") +
                "; take UniGrid");
  if (s.grid.levels[0].space.stretched())
    throw Error(s.of(s.services.provider<Driver>()).where("stretch_factor"),
        who + " solves on uniform axes, and " + s.services.provider<Driver>() + " stretches some");
  const VariableInfo& v = s.variables[static_cast<std::size_t>(e.solution)];
  Setup p{s.groups[v.group].centre, {}, s.type(v.group), e.coefficient >= 0 || e.absorption >= 0,
      e.b > 0 || e.absorption >= 0};
  const auto* conditions = s.services.find<BoundaryConditions>();
  for (int face = 0; face < 2 * s.grid.dim; ++face) {
    if (s.grid.levels[0].space.periodic[face / 2]) continue;
    p.mirrors[face] = conditions ? conditions->mirrors(s, v.group, v.component, face) : 0;
    if (p.mirrors[face] == 0)
      throw Error(who + ": the condition of " + v.name + " at " + "xyz"[face / 2] + (face % 2 ? "_upper" : "_lower") +
                  " is no mirror image: make it dirichlet, neumann, reflect, or a formula like `2*y - " +
                  s.groups[v.group].variables[v.component] + "` or `" + s.groups[v.group].variables[v.component] +
                  " + y` (Boundary), or the axis periodic");
  }
  return p;
}
// With weights 1/h².
inline Axes<double> axes_of(const Patch& space, int dim, const Setup& setup) {
  constexpr int nowhere = std::numeric_limits<int>::min();
  Axes<double> axes{};
  for (int d = 0; d < 3; ++d) {
    Axis<double>& x = axes.of[d];
    x.vertex = setup.centre[d] == Centre::vertex, x.ratio = 1;
    const bool itself = space.cells.extent(d) == 1 &&  // a point is its own neighbour, or image
                        (space.periodic[d] || (!x.vertex && setup.mirrors[2 * d] > 0 && setup.mirrors[2 * d + 1] > 0));
    x.weight = d < dim && !itself ? 1 / (space.spacing[d] * space.spacing[d]) : 0;
    for (int n = 0; n < 2; ++n) {
      const int mirror = setup.mirrors[2 * d + n];
      const int outermost = n ? space.cells.hi[d] - (x.vertex ? 0 : 1) : space.cells.lo[d];
      x.side[n] = {mirror == 0 ? nowhere : outermost,
          mirror > 0 ? 0
          : x.vertex ? known
                     : 2,
          x.vertex ? static_cast<double>(mirror) : 0};
    }
  }
  return axes;
}
// For kernels: with a and b of the equation.
template <class Real> Axes<Real> axes_as(const Axes<double>& from, double a, double b) {
  Axes<Real> axes{};
  for (int d = 0; d < 3; ++d) {
    const Axis<double>& x = from.of[d];
    axes.of[d] = {static_cast<Real>(a * x.weight), {}, x.vertex, x.ratio};
    for (int n = 0; n < 2; ++n)
      axes.of[d].side[n] = {x.side[n].at, static_cast<Real>(x.side[n].self), static_cast<Real>(x.side[n].image)};
  }
  axes.absorption = axes.diagonal = static_cast<Real>(b);
  for (const auto& x : axes.of) axes.diagonal += 2 * x.weight;
  axes.inverse = axes.diagonal > 0 ? 1 / axes.diagonal : 0;
  return axes;
}
}  // namespace Elliptic
