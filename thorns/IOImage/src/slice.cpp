#include "slice.hpp"

#include <algorithm>
#include <cmath>

namespace IOImage {
using namespace Output;

std::string axes_of_slice(const Parameters& par, int dim) {
  std::string names;
  for (int d : axes_of(par.string("slice"), dim)) names += static_cast<char>('x' + d);
  return names.empty() ? "x" : names;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

namespace {
// On a stretched axis a picture has cells as narrow as the smallest, and each shows the point whose own cell it is in.
Slice::Axis axis_of(const Patch& space, int d, Centre centre, const cereus::Box& box) {
  const int lo = box.lo[d], n = box.extent(d);
  Slice::Axis axis;
  for (int i = 0; i < n; ++i) axis.at.push_back(space.coordinate(d, centre, lo + i));
  if (!space.stretched(d)) {
    axis.first = axis.at.front(), axis.last = axis.at.back(), axis.spacing = space.spacing[d];
    for (int i = 0; i < n; ++i) axis.shown.push_back(i);
    return axis;
  }
  constexpr double most = 2000;
  const bool vertex = centre == Centre::vertex;
  const auto edge = [&](int i) {
    return space.coordinate(d, vertex ? Centre::cell : Centre::vertex, vertex ? i - 1 : i);
  };
  const double lower = edge(lo), upper = edge(lo + n),
               cells = std::ceil(std::min(most, (upper - lower) / space.smallest_distance(d)));
  axis.spacing = (upper - lower) / cells, axis.first = lower + 0.5 * axis.spacing,
  axis.last = upper - 0.5 * axis.spacing;
  for (int i = 0; i < cells; ++i) {
    const double at = space.cells_to(d, axis.first + i * axis.spacing) + (vertex ? 0.5 : 0.0);
    axis.shown.push_back(std::clamp(static_cast<int>(std::floor(at)) + space.cells.lo[d] - lo, 0, n - 1));
  }
  return axis;
}
}  // namespace

Slice cut(const Simulation& s, const Parameters& par, const Group& g) {
  const Level& l = s.grid.levels.front();
  Slice slice;
  slice.names = axes_of_slice(par, s.grid.dim);
  slice.axes = axes_of(slice.names, s.grid.dim);
  slice.box = region(s.grid, l, g.centre, slice.axes, point_of(par, "slice_through"));
  const std::string& unit = par.string("length_unit");
  for (int d = 0; d < s.grid.dim; ++d) {
    const auto at = [&](int index) { return Output::coordinate(s.grid, l, g.centre, d, index); };
    if (std::find(slice.axes.begin(), slice.axes.end(), d) == slice.axes.end())
      slice.where += std::string(", ") + static_cast<char>('x' + d) + " = " + number(at(slice.box.lo[d])) +
                     (unit.empty() ? "" : " " + unit);
  }
  for (int d : slice.axes) slice.along.push_back(axis_of(l.space, d, g.centre[d], slice.box));
  return slice;
}

Plane plane_of(const Slice& slice, const std::vector<double>& values) {
  const Slice::Axis &x = slice.along[0], &y = slice.along[1];
  Plane plane{
      static_cast<int>(x.shown.size()), static_cast<int>(y.shown.size()), {}, x.first, y.first, x.spacing, y.spacing};
  if (values.empty()) return plane;
  for (const int j : y.shown)
    for (const int i : x.shown) plane.values.push_back(values[static_cast<std::size_t>(j) * x.at.size() + i]);
  return plane;
}

Plane gather_plane(Simulation& s, const Parameters& par, const VariableAccess& a) {
  const Slice slice = cut(s, par, s.groups[a.group]);
  return plane_of(slice, part_of(gather_bytes(s, 0, a, slice.box, all_blocks(s, 0)), s.type(a.group), 0));
}
}  // namespace IOImage
