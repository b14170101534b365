// What the flesh tells the owner of a loop: blocks, boxes, geometry and, where an update is fused in, its epilogue.
#pragma once
#include "handle.hpp"
namespace cereus {
// Bytes that may be read behind the end of a slab: the vector that begins at the last point may end there.
inline constexpr unsigned long read_beyond = 64;
using Offset = long;  // 64 bits: a block may hold more than 2³¹ points

struct Geometry {  // of one patch and level: coordinates are origin + (index + centre) · spacing with the global index
  double origin[3], spacing[3], inv_spacing[3], inv_spacing2[3], centre[3];
  double time, dt;
  int face[3][2];  // along each axis the lowest and highest vertex of the domain; what no index is where there is none
  // Stretched axes, else null: by index the coordinates x; `pitch` further on 1 / (dx / di), and after as much again
  // (d²x / di²) / (dx / di)², the weight of a first derivative in a second one.
  const double* axis[3];
  Offset pitch;
  // Shells around a cube (cereus/kernel/map.hpp), 1 to 6; then `axis` has the tangents t of two angles, and radii r,
  // and the last of its tables 1 / (1 + t²) and 1 / r.
  int map;
};
// dst = Σ a_s · src_s + b · w, added in this order from −0, where w is what the kernel writes: a Runge–Kutta stage
// without a round trip to memory. Sweeps of whole steps add sources as soon as they are there. Large kernels that a
// device compiles late add in another order: from +0, the sources over b, then the terms of w; b multiplies the sum.
struct Epilogue {
  static constexpr int max_sources = 4;
  static constexpr int addresses = 1 + max_sources;  // of an output: its destination and its sources
  // The kernel fills ghost zones while it updates the points that they repeat: those of outputs o with bit o in
  // `pushed`, from so many layers of points next to the faces across each axis.
  int sources = 0, layers[3] = {};
  double a[max_sources] = {}, b = 0;
  unsigned long long pushed = 0;
  // Of large kernels: only points from BlockLaunch::updated_lo to updated_hi are updated. At others the kernel's
  // right-hand sides are stored, because a condition along outer faces changes these before their update.
  bool partial = false;
};
struct BlockLaunch {
  Offset at;                         // elements from the first point of a slab to the first point of the block
  int first[3], end[3];              // global indices of the first owned cell, and behind the last one
  int lo[3], hi[3];                  // the box to loop over, global indices, half-open
  int updated_lo[3], updated_hi[3];  // the points that a partial update goes to
  int geometry = 0, unused = 0;      // entry of Launch::geometry; no padding, because launches are compared by bytes
  // Elements from the first point of a slab to where a neighbour keeps, in its ghost zones, what lies next to each face
  // (2·axis + side), if the epilogue pushes: a point is as far from there as from the block's first point.
  static constexpr Offset nowhere = -(Offset{1} << 62);
  Offset ghosts[6] = {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere};
};
// A list of boxes that is launched again and again. The number tells devices that they have it already; 0: they do not.
struct BlockList {
  const BlockLaunch* blocks = nullptr;
  int n_blocks = 0;
  unsigned long long number = 0;
};
struct Launch {
  BlockList list;
  // For each handle the first point of its slab; then, for each output that is updated, Epilogue::addresses.
  char* const* address;
  Offset stride[3];  // of all blocks, in elements: 1, row, plane
  static constexpr int most_geometries = 8;
  const Geometry* geometry;  // of the patches and levels that the blocks belong to
  int geometries = 1;
  const Epilogue* epilogue = nullptr;
  void* result = nullptr;  // where a reducing kernel's value is combined into
  int tile_rows = 0;       // host: rows of a cache block, 0 for the whole plane
  bool stretched = false;  // whether the kernel looks at axes that are
  bool mapped = false;     // whether it looks at axes of shells
};
// A launch on a device, as data: the owner of the device starts it at once, or later together with others.
struct DeviceCall {
  static constexpr int most_arguments = 8;
  const void* function;
  unsigned grid[3], threads[3];
  int arguments;
  const void* argument[most_arguments];
  unsigned bytes[most_arguments];  // of each argument
  unsigned shared = 0;             // bytes of shared memory
};
namespace detail {
struct DeviceLoops;  // what the thorn of a device knows of the loops of a kernel
}
// How a loop is launched on a device: by the thorn that owns the device.
struct DeviceQueue {
  void (*launch)(void* owner, const detail::DeviceLoops&, const void* kernel, const Launch&, const BlockLaunch* blocks);
  void* owner;
  const BlockLaunch* blocks;  // Launch::list in device memory; null for a single block
};
}  // namespace cereus
