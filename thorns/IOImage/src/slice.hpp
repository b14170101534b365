// The plane or line of the grid that a picture shows, and the values there.
#pragma once

#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>

namespace IOImage {
using namespace cereus;

struct Slice {
  std::string names;  // of its axes; a grid has fewer than the parameter asks for if it has fewer dimensions
  std::vector<int> axes;
  cereus::Box box;
  std::vector<double> first, last, spacing;  // along each of its axes: coordinates of the outermost points
  std::string where;                         // "z = 0 km": of the axes that it crosses
  int extent(std::size_t axis) const { return box.extent(axes[axis]); }
};

// The axes asked for that a grid of this dimension has; a 1D run is a profile.
std::string axes_of_slice(const Parameters&, int dim);
// Of the coarsest level, which covers the domain.
Slice cut(const Simulation&, const Parameters&, const Group&);

// Values on the points of a slice with two axes, x fastest.
struct Plane {
  int nx = 0, ny = 0;
  std::vector<double> values{};
  double x = 0, y = 0, dx = 1, dy = 1;  // of the first point, and from one point to the next
};
Plane plane_of(const Slice&, std::vector<double> values);
// Of a real variable, or the real part of a complex one. On rank 0, elsewhere without values. Collective.
Plane gather_plane(Simulation&, const Parameters&, const VariableAccess&);

std::string number(double);
}  // namespace IOImage
