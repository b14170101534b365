// Geometry of levels and blocks, and how tensors change sign under reflections.
#include "cereus/grid.hpp"

#include <cmath>

namespace cereus {
Geometry Level::geometry(const std::array<Centre, 3>& centre) const {
  Geometry g{};
  for (int d = 0; d < 3; ++d) {
    g.spacing[d] = spacing[d];
    g.inv_spacing[d] = 1 / spacing[d];
    g.inv_spacing2[d] = 1 / (spacing[d] * spacing[d]);
    g.centre[d] = centre[d] == Centre::cell ? 0.5 : 0.0;
    g.origin[d] = lower[d];
    if (domain.lo[d] != 0) g.origin[d] -= domain.lo[d] * spacing[d];
  }
  g.time = clock.time;
  g.dt = clock.dt;
  return g;
}

Box Grid::boundary(const Level& l, const Block& b, const std::array<Centre, 3>& centre, int axis, int side) const {
  Box box = everywhere(l, b, centre);
  if (!l.at_face(b.cells, axis, side) || axis >= dim) return {};
  const Box own = l.points(b.cells, centre, dim);
  if (side) box.lo[axis] = own.hi[axis];
  else box.hi[axis] = own.lo[axis];
  return box;
}

int parity(const Group& g, int component, int axis) {
  const int n = static_cast<int>(g.variables.size());
  int flips = 0;
  switch (g.tensor) {
    case Tensor::scalar: break;
    case Tensor::vector:
    case Tensor::covector: flips = component % 3 == axis; break;
    case Tensor::symmetric:
    case Tensor::symmetric_up: {
      constexpr int a[6] = {0, 0, 0, 1, 1, 2}, b[6] = {0, 1, 2, 1, 2, 2};
      if (n % 6 == 0) flips = (a[component % 6] == axis) + (b[component % 6] == axis);
      break;
    }
  }
  return flips % 2 ? -1 : 1;
}
}  // namespace cereus
