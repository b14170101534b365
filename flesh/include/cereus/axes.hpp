// Stretched axes: points are evenly spaced in a coordinate X of the patch, and lie at x(X).
#pragma once
#include <memory>
#include <vector>

#include "box.hpp"
#include "kernel/launch.hpp"
namespace cereus {
// x(X) = aX + (1 − a) s / (2 tanh(X₀/s)) ln[cosh((X + X₀)/s) / cosh((X − X₀)/s)]: odd, with dx/dX = 1 at X = 0 and a
// far outside of X₀; s is the width of what lies between.
struct Stretch {
  double factor = 1, from = 1, width = 1;  // a, X₀, s, all above 0

  double x(double X) const;
  double slope(double X) const;      // dx/dX
  double curvature(double X) const;  // d²x/dX²
  double inverse(double x) const;    // X; not-a-number of what is no number
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

// What kernels look up: for each axis, and for vertices (0) and cells (1), the three tables of Geometry::axis.
struct AxisTables {
  Index first{};                 // the index of the first entries
  Offset pitch = 0;              // entries of a table; behind those of points there are some that wide loops read
  std::vector<double> values;    // [axis][cell][table][index]
  std::shared_ptr<char> device;  // a copy there
};
}  // namespace cereus
