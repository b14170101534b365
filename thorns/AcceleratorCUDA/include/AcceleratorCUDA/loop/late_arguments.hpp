// What the loop of a late kernel is given, as host and device see it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::detail {
// A box is cut across x into strips as wide as each other, about x points. A thread block has x · y · z threads: they
// take x · y points one after another, row by row through a strip, and each goes up through `march` points, by z. Where
// faces are shared, a row begins with the face below its first point, and the first thread of each 32 has a face for
// the second alone. Strips make tiles of about so many columns and rows; thread blocks go through a tile, then up
// through all planes, then to the next tile: what a tile reads of the planes around is still in the cache (1.7 times as
// fast as plane by plane). A multiprocessor is to have registers for so many thread blocks.
struct LateShape {
  int x, y, z, columns, rows, blocks, march = 1;
  bool shares = false;
  int threads() const { return x * y * z; }
  int points() const { return shares ? x * y / 32 * 31 : x * y; }  // of a plane
  int planes() const { return z * march; }
};
// A number that is known before a launch: n < 2³¹ is divided by it in a multiplication and a shift (Granlund and
// Montgomery, PLDI 1994).
struct Divisor {
  unsigned by, factor, shift;
  static Divisor of(int n) {
    unsigned shift = 0;
    while ((1ULL << shift) < static_cast<unsigned long long>(n)) ++shift;
    return {static_cast<unsigned>(n), static_cast<unsigned>((((1ULL << shift) - n) << 32) / n + 1), shift};
  }
};
// Numbers of tiles along x; of strips in a tile; of thread blocks in a strip of it, and along z; of points in a row,
// with the face at its beginning.
struct Walk {
  Divisor tiles, strips, blocks, planes, row;
  int rows;  // of a tile
};
template <int addresses> struct LateArguments {
  const BlockLaunch* blocks;  // null: the one in `block`
  BlockLaunch block;
  Geometry geometry[Launch::most_geometries];
  Epilogue update;
  Walk walk;
  char* address[addresses];  // of handles; then, for each output, of its destination and sources
};
}  // namespace cereus::detail
