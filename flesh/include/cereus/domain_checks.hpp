// Warnings of waves, places and formulas in parameters that the domain does not take as they are meant.
#pragma once
#include <cereus/console.hpp>
#include <cereus/context.hpp>
#include <cereus/formula.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cereus {

/// The finest level of the forest or grid, whether or not it has blocks: no shell.
inline const Patch& finest_patch(const Context& c) {
  const auto& levels = c.grid().levels;
  return std::find_if(levels.rbegin(), levels.rend(), [](const Level& l) { return l.space.map == 0; })->space;
}

/// Calls f(axis, value of the parameter, lower and upper end of the domain) for each axis of the grid, and warns, on
/// process 0, of the message that it returns. The parameter has numbers for x, y, z, or for several points one after
/// another.
template <class F> void warn_along_axes(const Context& c, const std::string& parameter, F&& f) {
  const Patch& domain = c.grid().levels[0].space;
  const double ball = c.grid().outer_radius();  // around which there are shells
  const auto values = c.parameters().reals(parameter);
  for (std::size_t n = 0; n < values.size() && c.rank() == 0; ++n) {
    const int d = static_cast<int>(n % 3);
    if (d >= c.grid().dim) continue;
    const auto end = [&](int side) {
      const int i = side < 0 ? domain.cells.lo[d] : domain.cells.hi[d];
      return ball > 0 ? side * ball : domain.coordinate(d, Centre::vertex, i);
    };
    if (const std::string wrong = f(d, values[n], end(-1), end(1)); !wrong.empty())
      console::warn(
          Problem{c.parameters().where(parameter), c.parameters().thorn() + "." + parameter + ": " + wrong}.text());
  }
}

/// Warns of waves, of so many wavelengths a unit of length, that have fewer than four points a wavelength, do not close
/// along a periodic axis, or do not end at walls as standing waves do, with a crest or a node. `from`: the parameter
/// with the place of a crest or a node, if not the origin.
enum class Waves { run, stand };
inline void warn_of_waves(
    const Context& c, const std::string& wave_numbers, Waves waves, const std::string& from = "") {
  warn_along_axes(c, wave_numbers, [&](int d, double k, double lower, double upper) -> std::string {
    const auto whole = [](double count) { return std::abs(count - std::round(count)) < 1e-6; };
    const std::string axis = std::string(" axis ") + "xyz"[d];
    const double points = 1 / std::abs(k * finest_patch(c).smallest_distance(d)), count = k * (upper - lower);
    if (points < 4) return format_double(points) + " points a wavelength along the" + axis + ", which needs 4 at least";
    constexpr const char* unknown = ", and the known solution is not that of the run; ";
    if (c.grid().levels[0].space.periodic[d])
      return whole(count) ? ""
                          : format_double(count) + " wavelengths along the periodic" + axis +
                                ": the wave has a step at its ends" + unknown + "take a multiple of " +
                                format_double(1 / (upper - lower));
    if (k == 0) return "";
    if (waves == Waves::run) return "the wave runs through the ends of the" + axis + unknown + "make it periodic";
    const double start = from.empty() ? 0 : c.parameters().reals(from)[d];
    return whole(4 * k * (lower - start)) && whole(4 * k * (upper - start))
               ? ""
               : "the wave has neither a crest nor a node at both ends of the" + axis + unknown + "make it periodic";
  });
}

/// Warns of a width, the standard deviation of a Gaussian, that is below half the distance of points.
inline void warn_of_width(const Context& c, const std::string& width) {
  double distance = 0;
  for (int d = 0; d < c.grid().dim; ++d) distance = std::max(distance, finest_patch(c).smallest_distance(d));
  if (c.rank() != 0 || c.parameters().real(width) >= distance / 2) return;
  console::warn(Problem{c.parameters().where(width),
      c.parameters().thorn() + "." + width + ": " + format_double(c.parameters().real(width)) +
          " is below half the distance of points, " + format_double(distance) + ": the grid does not resolve the pulse"}
                    .text());
}

/// Warns of formulas, NAME = formula among them, of a coordinate along which the grid has no axis.
inline void warn_of_axes(const Context& c, const std::string& parameter) {
  for (const Value& value : c.parameters()[parameter].elements()) {
    const auto& text = value.get<std::string>();
    if (c.rank() != 0 || text.empty()) continue;
    const bool named = text.find('=') < text.find_first_of("<>");
    const auto names = parse_formula(named ? text.substr(text.find('=') + 1) : text, true).names;
    for (int d = c.grid().dim; d < 3; ++d)
      if (std::ranges::count(names, std::string(1, "xyz"[d])) > 0)
        console::warn(Problem{c.parameters().where(parameter), c.parameters().thorn() + "." + parameter + ": '" + text +
                                                                   "': the grid has no axis " + "xyz"[d] + ", and " +
                                                                   "xyz"[d] + " is 0"}
                          .text());
  }
}

/// Warns of places outside the domain. `then`: what is done with them.
inline void warn_of_place(const Context& c, const std::string& place, const std::string& then = "") {
  warn_along_axes(c, place, [&](int d, double x, double lower, double upper) -> std::string {
    if (x >= lower && x <= upper) return "";
    return format_double(x) + " along " + "xyz"[d] + " is outside the domain, which goes from " + format_double(lower) +
           " to " + format_double(upper) + then;
  });
}

/// The level whose points are nearest to each other for its step, of those that have blocks, the finest of several;
/// that step, and how many of these are one of the run: more than 1 where levels subcycle.
struct FinestStep {
  int level;
  double dt, steps;
};
inline FinestStep finest_step(Context& c) {
  Simulation& s = c.simulation();
  auto& driver = c.service<Driver>();
  FinestStep finest{0, 0, 1};
  double least = std::numeric_limits<double>::infinity();
  const auto ticks = driver.ticks(s.grid);
  for (const Driver::Tick& t : ticks)
    for (int l = t.levels.first; l < t.levels.last; ++l) {
      if (l > 0 && driver.all_blocks(s.grid, l).empty()) continue;
      const Patch& space = s.grid.levels[l].space;
      double a_step = std::numeric_limits<double>::infinity();
      for (int d = 0; d < s.grid.dim; ++d) a_step = std::min(a_step, space.smallest_distance(d) / t.dt_fraction);
      if (a_step > least * (1 + 1e-12)) continue;
      least = a_step, finest.level = l, finest.steps = 1 / t.dt_fraction;
    }
  finest.dt = c.service<TimeStep>().next_dt(s, ticks) / finest.steps;
  return finest;
}
}  // namespace cereus
