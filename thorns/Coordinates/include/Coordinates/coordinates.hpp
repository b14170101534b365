// The coordinates of the grid's points as grid functions, for thorns that read them and for output. A kernel needs none
// of this: its point knows where it is.
#pragma once
#include <cereus/kernel.hpp>
namespace Coordinates {
template <class F> struct Coordinates { F x, y, z; };      // of vertices
template <class F> struct CellCoordinates { F x, y, z; };  // of the centres of cells
}  // namespace Coordinates
