// Whether data of two punctures are their own image in a plane where the grid is reflected.
#pragma once
#include <string>

#include "bowen_york.hpp"

namespace TwoPunctures {
// The parameters that are to blame, in the plane through `plane` across an axis; empty if the data are symmetric. A
// momentum changes its component across the plane, a spin (an axial vector) those along it.
inline std::string asymmetry(const Pair<double>& pair, const Vector<double>& centre, int axis, double plane) {
  const auto part = [](const Vector<double>& v, int d) { return d == 0 ? v.x : d == 1 ? v.y : v.z; };
  if (part(centre, axis) != plane) return "centre";
  const bool in_plane = part(pair.plus.place, axis) == 0;
  for (int d = 0; d < 3; ++d)
    if (d != axis && !in_plane && part(pair.plus.place, d) != 0) return "direction";
  if (!in_plane && pair.plus.bare != pair.minus.bare) return "mass";
  const Puncture<double>& image = in_plane ? pair.plus : pair.minus;  // of `plus`
  const Puncture<double>* others[][2] = {{&image, &pair.plus}, {in_plane ? &pair.minus : &pair.plus, &pair.minus}};
  for (const auto& [a, b] : others)
    for (int d = 0; d < 3; ++d) {
      const double sign = d == axis ? -1 : 1;
      if (part(a->momentum, d) != sign * part(b->momentum, d)) return "momentum";
      if (part(a->spin, d) != -sign * part(b->spin, d)) return "spin";
    }
  return "";
}
}  // namespace TwoPunctures
