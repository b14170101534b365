// How long the next step is: plain arithmetic, without a simulation.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
namespace Time {
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// dt = courant · h / v: no factor for the number of dimensions; see README.md.
inline double advective_limit(double courant, double spacing, double speed) {
  return speed > 0 ? courant * spacing / speed : unlimited;
}
// dt = diffusive_courant · h² / (2 dim D): 1 is where forward Euler with second order differences becomes unstable.
inline double diffusive_limit(double courant, double spacing, int dim, double diffusivity) {
  return diffusivity > 0 ? courant * spacing * spacing / (2 * dim * diffusivity) : unlimited;
}

// The first time after `time` on which the run is to land. A multiple that rounding missed by less than 10⁻⁹ steps
// counts as reached.
inline double next_landing(double time, double dt, double final_time, const std::vector<double>& intervals) {
  double next = final_time > 0 && final_time - time > 1e-9 * dt ? final_time : unlimited;
  for (double every : intervals) {
    double landing = (std::floor((time + 1e-9 * dt) / every) + 1) * every;
    if (landing - time <= 1e-9 * dt) landing += every;
    next = std::min(next, landing);
  }
  return next;
}

// The step shortened so as to land: the last two steps before a landing share the way, so that none is tiny.
inline double land(double time, double dt, double landing) {
  const double rest = landing - time;
  if (rest <= dt * (1 + 1e-9)) return rest;
  return rest < 2 * dt * (1 - 1e-9) ? rest / 2 : dt;
}
}  // namespace Time
