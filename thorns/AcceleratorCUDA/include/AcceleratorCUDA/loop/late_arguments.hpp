// What the loop of a late kernel is given, as host and device see it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::detail {
// A thread block has x · y · z threads, each of which goes up through `march` points; where faces are shared, the first
// thread of each 32 along x only has a face for the second. Thread blocks go along x and y within a tile of so many
// columns and rows, then up through all planes, then to the next tile: what a tile reads of the planes around is still
// in the cache (1.7 times as fast as plane by plane). A multiprocessor is to have registers for so many thread blocks.
struct LateShape {
  int x, y, z, columns, rows, blocks, march = 1;
  bool shares = false;
  int threads() const { return x * y * z; }
  int width() const { return shares ? x / 32 * 31 : x; }  // points along x
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
struct Walk {
  Divisor tiles_x, tile_x, tile_y, planes;  // along x; of thread blocks along x and y; thread blocks along z
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
