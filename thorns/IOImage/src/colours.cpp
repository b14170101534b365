// viridis, magma, inferno, plasma: each 17th of the 256 colours of S. van der Walt and N. Smith (CC0). cividis: of J.
// R. Nuñez, C. R. Anderton and R. S. Renslow, PLoS ONE 13 (2018) e0199239 (CC0). coolwarm: by the formula of K.
// Moreland, Diverging Color Maps for Scientific Visualization (2009), between his two colours.
#include "colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

namespace IOImage {

namespace {

constexpr std::array<Colour, 16> viridis = {{{68, 1, 84}, {72, 26, 108}, {71, 47, 125}, {65, 68, 135}, {57, 86, 140},
    {49, 104, 142}, {42, 120, 142}, {35, 136, 142}, {31, 152, 139}, {34, 168, 132}, {53, 183, 121}, {84, 197, 104},
    {122, 209, 81}, {165, 219, 54}, {210, 226, 27}, {253, 231, 37}}};

constexpr std::array<Colour, 16> magma = {{{0, 0, 4}, {11, 9, 36}, {32, 17, 75}, {59, 15, 112}, {87, 21, 126},
    {114, 31, 129}, {140, 41, 129}, {168, 50, 125}, {196, 60, 117}, {222, 73, 104}, {241, 96, 93}, {250, 127, 94},
    {254, 159, 109}, {254, 191, 132}, {253, 222, 160}, {252, 253, 191}}};

constexpr std::array<Colour, 16> inferno = {{{0, 0, 4}, {12, 8, 38}, {36, 12, 79}, {66, 10, 104}, {93, 18, 110},
    {120, 28, 109}, {147, 38, 103}, {174, 48, 92}, {199, 62, 76}, {221, 81, 58}, {237, 105, 37}, {248, 133, 15},
    {252, 165, 10}, {250, 198, 45}, {242, 230, 97}, {252, 255, 164}}};

constexpr std::array<Colour, 16> plasma = {{{13, 8, 135}, {51, 5, 151}, {80, 2, 162}, {106, 0, 168}, {132, 5, 167},
    {156, 23, 158}, {177, 42, 144}, {195, 61, 128}, {211, 81, 113}, {225, 100, 98}, {237, 121, 83}, {246, 143, 68},
    {252, 166, 54}, {254, 192, 41}, {249, 220, 36}, {240, 249, 33}}};

constexpr std::array<Colour, 16> cividis = {{{0, 34, 78}, {0, 46, 108}, {30, 58, 111}, {53, 69, 108}, {71, 81, 108},
    {87, 93, 109}, {102, 105, 112}, {117, 117, 117}, {132, 130, 121}, {148, 142, 119}, {165, 156, 116}, {183, 169, 110},
    {200, 184, 102}, {219, 199, 90}, {238, 214, 73}, {254, 232, 56}}};

constexpr std::array<Colour, 9> bluered = {{{10, 50, 110}, {33, 98, 168}, {78, 149, 201}, {160, 204, 228},
    {247, 247, 247}, {246, 190, 165}, {223, 112, 88}, {185, 32, 48}, {105, 0, 32}}};

constexpr std::array<Colour, 17> coolwarm = {{{59, 76, 192}, {78, 104, 215}, {98, 130, 234}, {119, 154, 247},
    {141, 176, 254}, {163, 194, 255}, {184, 208, 249}, {204, 217, 238}, {221, 221, 221}, {236, 211, 198},
    {245, 196, 173}, {247, 177, 148}, {244, 154, 123}, {236, 127, 99}, {222, 97, 76}, {203, 62, 56}, {180, 4, 38}}};

constexpr std::array<Colour, 7> lines = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {0, 0, 0}}};

constexpr int steps = 256;  // even: one colour stands in the middle

// Catmull-Rom: the slope at each colour is that between its neighbours, so that no band shows where pieces meet.
std::uint8_t curve(double p0, double p1, double p2, double p3, double t) {
  const double m1 = (p2 - p0) / 2, m2 = (p3 - p1) / 2;
  const double value = p1 + t * (m1 + t * (3 * (p2 - p1) - 2 * m1 - m2 + t * (2 * (p1 - p2) + m1 + m2)));
  return std::uint8_t(std::lround(std::clamp(value, 0.0, 255.0)));
}

}  // namespace

Palette::Palette(std::span<const Colour> anchors, bool diverging) : diverging_(diverging) {
  const int last = int(anchors.size()) - 1;
  const auto at = [&](int k) { return anchors[std::size_t(std::clamp(k, 0, last))]; };
  for (int step = 0; step <= steps; ++step) {
    const double position = double(step) / steps * last;
    const int i = std::min(int(position), last - 1);
    const Colour a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
    const double t = position - i;
    colours_.push_back({curve(a.r, b.r, c.r, d.r, t), curve(a.g, b.g, c.g, d.g, t), curve(a.b, b.b, c.b, d.b, t)});
  }
}

const Palette& Palette::named(const std::string& name) {
  static const std::map<std::string, Palette> all = [] {
    std::map<std::string, Palette> list;
    const auto add = [&](const char* known, std::span<const Colour> anchors, bool diverging) {
      list.try_emplace(known, anchors, diverging);
    };
    add("viridis", viridis, false), add("magma", magma, false), add("inferno", inferno, false);
    add("plasma", plasma, false), add("cividis", cividis, false), add("sequential", viridis, false);
    add("bluered", bluered, true), add("coolwarm", coolwarm, true), add("diverging", bluered, true);
    return list;
  }();
  const auto found = all.find(name);
  if (found == all.end()) throw std::runtime_error("there is no palette '" + name + "'");
  return found->second;
}

Colour Palette::at(double fraction) const {
  if (!std::isfinite(fraction)) return nan_colour;
  return colours_[std::size_t(std::clamp(fraction, 0.0, 1.0) * steps + 0.5)];
}

Colour line_colour(std::size_t index) { return lines[index % lines.size()]; }

}  // namespace IOImage
