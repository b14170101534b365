#include "spheres.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace Refine {
using namespace cereus;

Sphere sphere_of(const std::string& text, const Where& where) {
  std::istringstream in(text);
  Sphere s;
  s.text = text;
  std::string word;
  in >> s.level >> s.radius >> word;
  if (word == "at")
    for (double x = 0; in >> x;) s.at.push_back(x);
  else in >> s.thorn >> s.n;
  const bool at = word == "at" && in.eof() && (s.at.size() == 2 || s.at.size() == 3),
             around = word == "around" && in && (in >> std::ws).eof() && s.n > 0;
  if (!at && !around)
    throw Error(
        where, "Refine.spheres: '" + text +
                   "' is not a level, a radius and a place, such as \"3 0.5 at 0 0 0\", or a level, a radius and "
                   "what is followed, such as \"3 0.5 around PunctureTracker 1\"");
  if (s.level < 1 || !(s.radius > 0) || !std::isfinite(s.radius))
    throw Error(where, "Refine.spheres: '" + text + "' needs a level from 1 on, and a radius greater than 0");
  return s;
}

bool meets(const Patch& patch, const Box& cells, int dim, std::span<const double> centre, double radius) {
  double square = 0;
  for (int d = 0; d < dim; ++d) {
    const double lower = patch.coordinate(d, Centre::vertex, cells.lo[d]),
                 upper = patch.coordinate(d, Centre::vertex, cells.hi[d]), x = centre[static_cast<std::size_t>(d)];
    const auto beyond = [&](double shift) { return std::max({lower - (x + shift), x + shift - upper, 0.0}); };
    double distance = beyond(0);
    if (patch.periodic[d]) {
      const double length = patch.cells.extent(d) * patch.spacing[d],
                   nearest = std::round(((lower + upper) / 2 - x) / length) * length;  // the image beside the box
      distance = std::min({beyond(nearest), beyond(nearest + length), beyond(nearest - length)});
    }
    square += distance * distance;
  }
  return square < radius * radius;
}
}  // namespace Refine
