// Sets coordinates x₀ + i·h from the global index i, so that they have the same bits on any decomposition; those along
// axes that the grid does not have are 0.
#pragma once
#include <Coordinates/coordinates.hpp>
#include <cereus/kernel.hpp>
namespace Coordinates {
using namespace cereus;

template <template <class> class Group, int dim, class Real> struct SetCoordinates {
  Write<Group, everywhere, Real> c;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(c.x) = Real(p.x());
    p(c.y) = dim > 1 ? Real(p.y()) : Real(0);
    p(c.z) = dim > 2 ? Real(p.z()) : Real(0);
  }
};
template <int dim, class Real> using SetVertices = SetCoordinates<Coordinates, dim, Real>;
template <int dim, class Real> using SetCells = SetCoordinates<CellCoordinates, dim, Real>;
}  // namespace Coordinates
