// What the flesh tells the owner of a loop: blocks, boxes, geometry and, where an update is fused in, its epilogue.
#pragma once
#include "handle.hpp"
namespace cereus {
using Offset = long;  // 64 bits: a block may hold more than 2³¹ points

struct Geometry {  // of one level: coordinates are origin + (index + centre) · spacing with the global index
  double origin[3], spacing[3], inv_spacing[3], inv_spacing2[3], centre[3];
  double time, dt;
};
// dst = Σ a_s · src_s + b · w, where w is what the kernel writes: a Runge–Kutta stage without a round trip to memory.
struct Epilogue {
  static constexpr int max_sources = 4;
  static constexpr int addresses =
      1 + max_sources + 2;  // of an output: its destination, its sources, its ghosts across x
  int sources = 0;
  double a[max_sources] = {}, b = 0;
  // Ghost zones that the kernel fills while it updates the points that they repeat: those of outputs o with bit o in
  // `pushed`, from so many layers of points next to the faces across each axis.
  unsigned pushed = 0;
  int layers[3] = {};
};
// Where a neighbour keeps, in its ghost zones, what lies next to a face of a block: point (i, j, k) of the block,
// counted from its first, at to + i + j · row + k · plane elements. No address where there is no neighbour.
struct GhostFace {
  char* to = nullptr;
  Offset row = 0, plane = 0;
};
struct BlockLaunch {
  // For each handle the address of the point first[]; then, for each output that is updated, Epilogue::addresses: those
  // across x are `ghosts`, too, and have the block's own strides.
  char* const* address;
  int first[3];                       // global index of the block's first owned cell
  int lo[3], hi[3];                   // the box to loop over, global indices, half-open
  Offset stride[3];                   // in elements: 1, row, plane
  int end[3] = {};                    // global index behind the block's last owned point
  const GhostFace* ghosts = nullptr;  // if the epilogue pushes: six faces (2·axis + side) for each output
};
struct Launch {
  const BlockLaunch* blocks;
  int n_blocks;
  Geometry geometry;
  const Epilogue* epilogue = nullptr;
  void* result = nullptr;  // where a reducing kernel's value is combined into
  int tile_rows = 0;       // host: rows of a cache block, 0 for the whole plane
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
struct DeviceQueue {
  void (*start)(void* owner, const DeviceCall&);
  void* owner;
  const BlockLaunch* blocks;  // Launch::blocks, addresses included, in device memory; null for a single block
  char* partial;              // device memory for what a reducing kernel's thread blocks return
  int most_partials, multiprocessors;
};
}  // namespace cereus
