// The grid as values: patches, levels and blocks. Each process sees its own blocks; indices are global.
#pragma once
#include <array>
#include <vector>

#include "axes.hpp"
#include "box.hpp"
#include "group.hpp"
#include "kernel/launch.hpp"
#include "validity.hpp"
namespace cereus {
struct Clock {  // levels that share a clock take the same steps
  int iteration = 0;
  double time = 0, dt = 0;
};

// Cartesian coordinates on a box of cells, uniform unless an axis is stretched: then `lower`, the lower corner of cell
// `cells.lo`, and `spacing` are those of its coordinate X. Or a shell around a cube (kernel/map.hpp): then the axes are
// those of its two angles and its radius.
struct Patch {
  Box cells;         // the index space: blocks need not cover it
  Index periodic{};  // per axis
  std::array<double, 3> lower{}, spacing{1, 1, 1};
  std::array<Stretch, 3> stretch{};
  std::shared_ptr<AxisTables> tables;  // of stretched axes, or of a shell
  int map = 0;                         // which shell, 1 to 6; 0: none
  std::uint8_t joined = 0;             // faces (bits 2·axis + side) at the ends where other patches lie

  bool stretched(int axis) const { return stretch[axis].factor != 1; }
  bool stretched() const { return stretched(0) || stretched(1) || stretched(2); }
  // Makes the tables, which kernels need, of points and so many ghosts. The driver does, once all else is known.
  void tabulate(const Index& ghosts);
  // The same patch with `ratio` times as many cells along each of the first `dim` axes.
  Patch refined(int ratio, int dim) const;
  // The points that a box of cells owns: a point that two blocks share belongs to the upper one, so that there is a
  // vertex more than cells only at the upper end of an axis that is not periodic.
  Box points(Box cells, const std::array<Centre, 3>& centre, int dim) const;
  Box points(const std::array<Centre, 3>& centre, int dim) const { return points(cells, centre, dim); }
  double coordinate(int axis, Centre c, int index) const {
    const double X = lower[axis] + (index - cells.lo[axis] + (c == Centre::cell ? 0.5 : 0.0)) * spacing[axis];
    return stretched(axis) ? stretch[axis].x(X) : X;
  }
  // dx/di, the distance of points, so many cells above the lower end or at a point; and the smallest of cells.
  double distance(int axis, double from_lower) const {
    return stretched(axis) ? stretch[axis].slope(lower[axis] + from_lower * spacing[axis]) * spacing[axis]
                           : spacing[axis];
  }
  double distance(int axis, Centre c, int index) const {
    return distance(axis, index - cells.lo[axis] + (c == Centre::cell ? 0.5 : 0.0));
  }
  double smallest_distance(int axis) const;
  double outer_radius() const { return lower[2] + cells.extent(2) * spacing[2]; }  // of a shell
  // Of a point: x, y and z.
  std::array<double, 3> place(const std::array<double, 3>& coordinates) const;
  std::array<double, 3> place(const std::array<Centre, 3>& centre, const Index& at) const {
    return place({coordinate(0, centre[0], at[0]), coordinate(1, centre[1], at[1]), coordinate(2, centre[2], at[2])});
  }
  // The inverse: of a shell, its angles and the radius.
  std::array<double, 3> coordinates_of(const std::array<double, 3>& place) const;
  // How many cells x lies above the lower end of the index space; the inverse of `coordinate`.
  double cells_to(int axis, double x) const {
    return ((stretched(axis) ? stretch[axis].inverse(x) : x) - lower[axis]) / spacing[axis];
  }
  Geometry geometry(const std::array<Centre, 3>& centre, const Clock& clock, Space = Space::host) const;
};
// The shell in whose sector a place lies; of two that share it the first.
int shell_at(const std::array<double, 3>& place);

// One resolution of one patch, and the blocks of this process there: Grid::blocks[first_block … last_block).
struct Level {
  int patch = 0, number = 0, ratio = 1;  // number 0 is the coarsest; ratio: its cells for one cell of number 0, an axis
  Patch space;                           // the patch at this resolution
  int first_block = 0, last_block = 0;
  GhostKinds ghosts = only_copied;  // the kinds of ghost zones that some block of the level has, in any process
  Clock clock;
  std::string name() const;  // "level 3", "the shell around +x"
};

enum class Face : std::uint8_t { neighbour, outer, refinement, patch };  // what lies beyond a face of a block

struct Block {
  int level = 0, number = 0;   // entry of Grid::levels; position among all blocks of the level, over all processes
  Box cells;                   // the cells that it owns
  std::array<Face, 6> face{};  // 2·axis + side, side 0 is the lower one
  int slot = 0;                // its place in the slabs of this process
  bool covered = false;        // whether blocks of the next finer level have all its cells, too
  bool outer(int axis, int side) const { return face[2 * axis + side] == Face::outer; }
};
struct BlockHome {  // a block of any process
  int number, owner;
  Box cells;
  bool covered = false;
};

// Entries of Grid::levels, [first, last), that share a clock: what a routine runs over.
struct Selection {
  int first = 0, last = 1;
  friend bool operator==(const Selection&, const Selection&) = default;
};

struct Grid {
  int dim = 3, epoch = 0;     // the epoch changes when blocks do: what is made from blocks is kept with its epoch
  Index ghosts{};             // width of the ghost zones and of the outer boundary, per axis
  std::vector<Level> levels;  // by number: level 0, shells around it if there are some, finer levels
  std::vector<Block> blocks;  // of this process, by level

  // Of the ball that a cube and shells make; 0 if there are no shells.
  double outer_radius() const { return levels.size() > 1 && levels[1].space.map ? levels[1].space.outer_radius() : 0; }
  Selection all() const { return {0, static_cast<int>(levels.size())}; }
  // Adds a level and its blocks. Faces on the ends of an index space that is not periodic are outer ones, and all
  // others as the blocks say.
  void add(Level level, std::vector<Block> blocks);
  Box points(const Block& b, const std::array<Centre, 3>& centre) const {
    return levels[b.level].space.points(b.cells, centre, dim);
  }
  Box everywhere(const Block& b, const std::array<Centre, 3>& centre) const { return grow(points(b, centre), ghosts); }
  // The outer boundary at one face of a block, tangential ghosts included; empty where the block does not touch it.
  Box boundary(const Block&, const std::array<Centre, 3>&, int axis, int side) const;
  // The faces (bit 2·axis + side) where a level has an outer boundary, whichever blocks touch them.
  std::uint8_t outer_faces(const Level& l) const;
};
}  // namespace cereus
