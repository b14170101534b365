// Whether points lie where Interpolation has values, asked before a run begins.
#pragma once
#include <cereus/simulation.hpp>
#include <cereus/text.hpp>

#include <algorithm>

namespace Analysis {
// What is wrong with the first point outside the domain, "" if there is none. The domain goes on beyond faces that
// reflect all these variables, as their mirror image.
inline std::string outside(
    const cereus::Simulation& s, std::span<const int> variables, std::span<const std::array<double, 3>> points) {
  using namespace cereus;
  const Patch& domain = s.grid.levels[0].space;
  if (const double radius = s.grid.outer_radius(); radius > 0) {
    const auto beyond =
        std::ranges::find_if(points, [&](const auto& p) { return std::hypot(p[0], p[1], p[2]) > radius * (1 + 1e-9); });
    return beyond == points.end() ? ""
                                  : "r = " + format_double(std::hypot((*beyond)[0], (*beyond)[1], (*beyond)[2])) +
                                        " lies outside the ball, which ends at " + format_double(radius);
  }
  const auto* conditions = s.services.find<BoundaryConditions>();
  for (int d = 0; d < s.grid.dim; ++d) {
    if (domain.periodic[d]) continue;
    const auto reflects = [&](int side) {
      return conditions && std::ranges::all_of(variables, [&](int v) {
        return conditions->reflects(s, s.variables[v].group, s.variables[v].component, 2 * d + side);
      });
    };
    const bool mirror[2] = {reflects(0), reflects(1)};
    const int cells = domain.cells.extent(d);
    for (const auto& p : points) {
      double x = domain.cells_to(d, p[d]);
      if (x < 0 && mirror[0]) x = -x;
      else if (x > cells && mirror[1]) x = 2 * cells - x;
      constexpr double forgiven = 1e-9;  // as Interpolate does
      if (x >= -forgiven && x <= cells + forgiven) continue;
      const int at = x < 0 ? domain.cells.lo[d] : domain.cells.hi[d];
      return std::string(1, "xyz"[d]) + " = " + format_double(p[d]) + " lies outside the domain, which ends at " +
             format_double(domain.coordinate(d, Centre::vertex, at));
    }
  }
  return "";
}
}  // namespace Analysis
