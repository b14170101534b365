// The grid as the driver made it: levels of blocks. Each process sees its own blocks; indices are global.
#pragma once
#include <vector>

#include "box.hpp"
#include "group.hpp"
#include "kernel/launch.hpp"
namespace cereus {
struct Clock {  // time belongs to a level: levels may take different steps
  int iteration = 0;
  double time = 0, dt = 0;
};

struct Block {
  int patch = 0, level = 0, number = 0;  // number: position among all blocks of the level, over all processes
  Box cells;                             // the cells it owns
};

struct Level {
  int patch = 0, level = 0;
  Box domain;                                       // all cells of the level
  Index periodic{};                                 // per axis
  std::array<double, 3> lower{}, spacing{1, 1, 1};  // corner of cell domain.lo, edge of a cell
  std::vector<Block> blocks;                        // of this process
  Clock clock;

  // Whether the domain ends, with an outer boundary, at the lower (side 0) or upper (1) face of these cells.
  bool at_face(const Box& cells, int axis, int side) const {
    return !periodic[axis] && (side ? cells.hi[axis] == domain.hi[axis] : cells.lo[axis] == domain.lo[axis]);
  }
  // The points that a box of cells owns: a point shared by two blocks belongs to the upper one.
  Box points(const Box& cells, const std::array<Centre, 3>& centre, int dim) const {
    Box b = cells;
    for (int d = 0; d < dim; ++d)
      if (centre[d] == Centre::vertex && at_face(cells, d, 1)) ++b.hi[d];
    return b;
  }
  double coordinate(int axis, Centre c, int index) const {
    return lower[axis] + (index - domain.lo[axis] + (c == Centre::cell ? 0.5 : 0.0)) * spacing[axis];
  }
  Geometry geometry(const std::array<Centre, 3>& centre) const;
};

struct Grid {
  int dim = 3, epoch = 0;  // the epoch changes when blocks do: plans and pointers are cached by it
  Index ghosts{};          // width of the ghost zones and of the outer boundary, per axis
  std::vector<Level> levels;

  Box everywhere(const Level& l, const Block& b, const std::array<Centre, 3>& centre) const {
    return grow(l.points(b.cells, centre, dim), ghosts);
  }
  // The faces (bit 2·axis + side) where a level ends with an outer boundary, whichever blocks touch them.
  std::uint8_t outer_faces(const Level& l) const {
    std::uint8_t faces = 0;
    for (int d = 0; d < dim; ++d)
      if (!l.periodic[d]) faces |= static_cast<std::uint8_t>(3 << (2 * d));
    return faces;
  }
  // The outer boundary at one face of a block, tangential ghosts included; empty where the block does not touch it.
  Box boundary(const Level&, const Block&, const std::array<Centre, 3>&, int axis, int side) const;
};
}  // namespace cereus
