// Warnings of waves and places in parameters that the domain does not take as they are meant.
#pragma once
#include <cereus/console.hpp>
#include <cereus/context.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>

namespace cereus {

/// Calls f(axis, value of the parameter, lower and upper end of the domain) for each axis of the grid, and warns, on
/// process 0, of the message that it returns. The parameter has numbers for x, y, z, or for several points one after
/// another.
template <class F> void warn_along_axes(const Context& c, const std::string& parameter, F&& f) {
  const Patch& domain = c.grid().levels[0].space;
  const auto values = c.parameters().reals(parameter);
  for (std::size_t n = 0; n < values.size() && c.rank() == 0; ++n) {
    const int d = static_cast<int>(n % 3);
    if (d >= c.grid().dim) continue;
    const auto end = [&](int i) { return domain.coordinate(d, Centre::vertex, i); };
    if (const std::string wrong = f(d, values[n], end(domain.cells.lo[d]), end(domain.cells.hi[d])); !wrong.empty())
      console::warn(
          Problem{c.parameters().where(parameter), c.parameters().thorn() + "." + parameter + ": " + wrong}.text());
  }
}

/// Warns of waves, of so many wavelengths a unit of length, that do not close along a periodic axis.
inline void warn_of_waves(const Context& c, const std::string& wave_numbers) {
  warn_along_axes(c, wave_numbers, [&](int d, double k, double lower, double upper) -> std::string {
    const double count = k * (upper - lower);
    if (!c.grid().levels[0].space.periodic[d] || std::abs(count - std::round(count)) < 1e-6) return "";
    return format_double(count) + " wavelengths along the periodic axis " + "xyz"[d] +
           ": the wave has a step at its ends, and the known solution is not that of the run; take a multiple of " +
           format_double(1 / (upper - lower));
  });
}

/// Warns of places outside the domain. `then`: what is done with them.
inline void warn_of_place(const Context& c, const std::string& place, const std::string& then = "") {
  warn_along_axes(c, place, [&](int d, double x, double lower, double upper) -> std::string {
    if (x >= lower && x <= upper) return "";
    return format_double(x) + " along " + "xyz"[d] + " is outside the domain, which goes from " + format_double(lower) +
           " to " + format_double(upper) + then;
  });
}

/// The finest level that has blocks, its step, and how many of these are one of the run: more than 1 where levels
/// subcycle.
struct FinestStep {
  int level;
  double dt, steps;
};
inline FinestStep finest_step(Context& c) {
  Simulation& s = c.simulation();
  auto& driver = c.service<Driver>();
  FinestStep finest{static_cast<int>(s.grid.levels.size()) - 1, 0, 1};
  while (finest.level > 0 && driver.all_blocks(s.grid, finest.level).empty()) --finest.level;
  const auto ticks = driver.ticks(s.grid);
  const auto has = [&](const Driver::Tick& t) {
    return t.levels.first <= finest.level && finest.level < t.levels.last;
  };
  if (const auto tick = std::ranges::find_if(ticks, has); tick != ticks.end()) {
    finest.steps = 1 / tick->dt_fraction;
    finest.dt = c.service<TimeStep>().next_dt(s, ticks) / finest.steps;
  }
  return finest;
}
}  // namespace cereus
