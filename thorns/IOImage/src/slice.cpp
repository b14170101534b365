#include "slice.hpp"

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
  for (int d : slice.axes) {
    slice.first.push_back(Output::coordinate(s.grid, l, g.centre, d, slice.box.lo[d]));
    slice.last.push_back(Output::coordinate(s.grid, l, g.centre, d, slice.box.hi[d] - 1));
    slice.spacing.push_back(l.space.spacing[d]);
  }
  return slice;
}

Plane plane_of(const Slice& slice, std::vector<double> values) {
  return {slice.extent(0), slice.extent(1), std::move(values), slice.first[0], slice.first[1], slice.spacing[0],
      slice.spacing[1]};
}

Plane gather_plane(Simulation& s, const Parameters& par, const VariableAccess& a) {
  const Slice slice = cut(s, par, s.groups[a.group]);
  return plane_of(slice, part_of(gather_bytes(s, 0, a, slice.box, all_blocks(s, 0)), s.type(a.group), 0));
}
}  // namespace IOImage
