// A map is a handful of colours at equal distances with a smooth curve through them.
#include "colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace IOImage {

namespace {

constexpr std::array<Colour, 10> sequential = {{{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142},
    {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37}}};

constexpr std::array<Colour, 9> diverging = {{{10, 50, 110}, {33, 98, 168}, {78, 149, 201}, {160, 204, 228},
    {247, 247, 247}, {246, 190, 165}, {223, 112, 88}, {185, 32, 48}, {105, 0, 32}}};

constexpr std::array<Colour, 7> lines = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {0, 0, 0}}};

// Catmull-Rom: the slope at each colour is that between its neighbours, so that no band shows where pieces meet.
std::uint8_t curve(double p0, double p1, double p2, double p3, double t) {
  const double m1 = (p2 - p0) / 2, m2 = (p3 - p1) / 2;
  const double value = p1 + t * (m1 + t * (3 * (p2 - p1) - 2 * m1 - m2 + t * (2 * (p1 - p2) + m1 + m2)));
  return std::uint8_t(std::lround(std::clamp(value, 0.0, 255.0)));
}

}  // namespace

Colour colour_of(ColourMap map, double fraction) {
  if (!std::isfinite(fraction)) return nan_colour;
  const std::span<const Colour> table =
      map == ColourMap::diverging ? std::span<const Colour>(diverging) : std::span<const Colour>(sequential);
  const int last = int(table.size()) - 1;
  const double position = std::clamp(fraction, 0.0, 1.0) * last;
  const int i = std::min(int(position), last - 1);
  const auto at = [&](int k) { return table[std::size_t(std::clamp(k, 0, last))]; };
  const Colour a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
  const double t = position - i;
  return {curve(a.r, b.r, c.r, d.r, t), curve(a.g, b.g, c.g, d.g, t), curve(a.b, b.b, c.b, d.b, t)};
}

Colour line_colour(std::size_t index) { return lines[index % lines.size()]; }

}  // namespace IOImage
