// What thorns with initial data of their own warn of: data that the domain does not take as they are meant.
#pragma once
#include <cereus/console.hpp>
#include <cereus/context.hpp>
#include <cereus/text.hpp>

#include <cmath>

namespace cereus {

/// Calls f(axis, value of the parameter, lower end of the domain, its length) for each axis of the grid, and warns, on
/// process 0, of the message that it returns. The parameter has three numbers.
template <class F> void warn_along_axes(const Context& c, const std::string& parameter, F&& f) {
  const Patch& domain = c.grid().levels[0].space;
  const auto values = c.parameters().reals(parameter);
  for (int d = 0; d < c.grid().dim && c.rank() == 0; ++d)
    if (const std::string wrong = f(d, values[d], domain.lower[d], domain.spacing[d] * domain.cells.extent(d));
        !wrong.empty())
      console::warn(Problem{c.parameters().where(parameter), c.parameters().thorn() + "." + parameter + ": " + wrong}.text());
}

/// Warns of waves, of so many wavelengths a unit of length, that do not close along a periodic axis.
inline void warn_of_waves(const Context& c, const std::string& wave_numbers) {
  warn_along_axes(c, wave_numbers, [&](int d, double k, double, double length) -> std::string {
    if (!c.grid().levels[0].space.periodic[d] || std::abs(k * length - std::round(k * length)) < 1e-6) return "";
    return format_double(k * length) + " wavelengths along the periodic axis " + "xyz"[d] +
           ": the wave has a step at its ends, and the known solution is not that of the run; take a multiple of " +
           format_double(1 / length);
  });
}

/// Warns of a place outside the domain.
inline void warn_of_place(const Context& c, const std::string& place) {
  warn_along_axes(c, place, [](int d, double x, double lower, double length) -> std::string {
    if (x >= lower && x <= lower + length) return "";
    return format_double(x) + " along " + "xyz"[d] + " is outside the domain, which goes from " + format_double(lower) +
           " to " + format_double(lower + length);
  });
}
}  // namespace cereus
