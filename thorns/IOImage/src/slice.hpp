// The plane or line of the grid that a picture shows, and the values there.
#pragma once

#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>

namespace IOImage {
using namespace cereus;

struct Slice {
  std::string names;  // of its axes; a grid has fewer than the parameter asks for if it has fewer dimensions
  std::vector<int> axes;
  int level = 0;  // whose points are shown; where the grid is coarser, one point fills several, where it is finer, some
                  // are left out
  cereus::Box box;
  struct Axis {
    std::vector<double> at;                   // coordinates of the points
    std::vector<int> shown;                   // the point that each cell of a picture shows: all of these are as wide
    double first = 0, last = 0, spacing = 1;  // coordinates of the outermost cells' centres
    std::pair<double, double> ends;           // of the domain, or of the window
  };
  std::vector<Axis> along;  // each of its axes
  std::string where;        // "z = 0 km": of the axes that it crosses
};

// The axes asked for that a grid of this dimension has; a 1D run is a profile.
std::string axes_of_slice(const Parameters&, int dim);
// The lower and upper end of what is shown along each axis of the slice; empty where all of it is.
using Window = std::vector<std::pair<double, double>>;
Window window_of(const Parameters&);
// Of the finest level that has no more points along an axis, of the window, than a picture shows.
Slice cut(const Simulation&, const Parameters&, const Group&);
// The points of a level from which a slice is made.
cereus::Box points_of(const Simulation&, const Slice&, const Group&, int level);

// Values in the cells of a picture of a slice with two axes, x fastest.
struct Plane {
  int nx = 0, ny = 0;
  std::vector<double> values{};
  double x = 0, y = 0, dx = 1, dy = 1;  // of the first cell, and from one to the next
};
Plane plane_of(const Slice&, const std::vector<double>& values);
// The values of a slice in the variable's own type, x fastest: of each place those of the block that has it, whichever
// its level. On rank 0, elsewhere empty. Collective.
std::vector<char> gather_slice(Simulation&, const Slice&, const VariableAccess&);
// Of a real variable, or the real part of a complex one. On rank 0, elsewhere empty. Collective.
std::vector<double> gather_reals(Simulation&, const Slice&, const VariableAccess&);
Plane gather_plane(Simulation&, const Parameters&, const VariableAccess&);

std::string number(double);
}  // namespace IOImage
