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
  struct Axis {
    std::vector<double> at;                   // coordinates of the points
    std::vector<int> shown;                   // the point that each cell of a picture shows: all of these are as wide
    double first = 0, last = 0, spacing = 1;  // coordinates of the outermost cells' centres
  };
  std::vector<Axis> along;  // each of its axes
  std::string where;        // "z = 0 km": of the axes that it crosses
};

// The axes asked for that a grid of this dimension has; a 1D run is a profile.
std::string axes_of_slice(const Parameters&, int dim);
// Of the coarsest level, which covers the domain.
Slice cut(const Simulation&, const Parameters&, const Group&);

// Values in the cells of a picture of a slice with two axes, x fastest.
struct Plane {
  int nx = 0, ny = 0;
  std::vector<double> values{};
  double x = 0, y = 0, dx = 1, dy = 1;  // of the first cell, and from one to the next
};
Plane plane_of(const Slice&, const std::vector<double>& values);
// Of a real variable, or the real part of a complex one. On rank 0, elsewhere without values. Collective.
Plane gather_plane(Simulation&, const Parameters&, const VariableAccess&);

std::string number(double);
}  // namespace IOImage
