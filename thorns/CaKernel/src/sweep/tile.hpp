// How a sweep is cut into tiles, what follows for a launch, and what a launch is told.
#pragma once
#include "plan.hpp"
namespace cereus::sweep {
// How a sweep is cut up: so many steps at once; a lane holds `rows` rows of `lanes` points, a thread block `warps`
// warps, and `ring` planes are on their way. The loop over planes is unrolled, and a multiprocessor takes `blocks`
// thread blocks. Where `stages` is not 0, a step is taken in passes of so many stages instead (stages.hpp): a thread
// has a column of `rows` points along the last axis, a warp a row of threads; and where `levels` is not 0, by levels
// (levels.hpp), whose tiles level_plan.hpp describes.
struct TileShape {
  int steps = 1, rows = 1, warps = 4, lanes = 2, ring = 4, unroll = 1, blocks = 1, stages = 0, levels = 0;
  enum Way { in_registers, in_passes, by_levels };
  constexpr Way way() const { return levels > 0 ? by_levels : stages > 0 ? in_passes : in_registers; }
  constexpr bool by_stages() const { return way() != in_registers; }
  constexpr bool operator==(const TileShape&) const = default;
};
constexpr int pieces(int n, int by) { return (n + by - 1) / by; }
// How far thread blocks go through planes: in the first `whole` columns of tiles `planes` at a time, in all others
// `rest`.
struct March {
  int whole = 0, planes = 1, rest = 1;
  constexpr bool operator==(const March&) const = default;
};
// What the host must know of a sweep to start it.
struct Facts {
  int width = 0, height = 0, margin_lo = 0, margin_hi = 0, inner_x = 0, inner_y = 0;  // of a tile, in points
  int vector = 1, vectors = 1;                                                        // points that are moved together
  int ring_bytes = 0, shared_bytes = 0, lag = 0, planes = 0;
  int lo[3] = {}, hi[3] = {};
};
constexpr int edge_slots(const Version& v) {
  int n = 1;
  while (n <= v.edge_age) n *= 2;
  return n;
}
template <int substeps> constexpr Facts facts_of(const Program& g, const TileShape& t, int bytes) {
  const Plan<substeps> p = make_plan<substeps>(g, t.steps);
  Facts f;
  f.width = 32 * t.lanes, f.height = t.rows * t.warps;
  f.margin_lo = pieces(p.lo[0], t.lanes) * t.lanes, f.margin_hi = pieces(p.hi[0], t.lanes) * t.lanes;
  f.inner_x = f.width - f.margin_lo - f.margin_hi, f.inner_y = g.dim == 3 ? f.height - p.lo[1] - p.hi[1] : 1;
  f.vector = t.lanes * bytes < 16 ? t.lanes : 16 / bytes, f.vectors = t.lanes / f.vector;
  f.ring_bytes = t.ring * p.loaded * t.rows * f.vectors * 32 * t.warps * f.vector * bytes;
  f.shared_bytes = f.ring_bytes, f.lag = p.lag, f.planes = p.planes;
  for (int v = 0; v < p.versions; ++v) {
    const int rows = p.version[v].below + p.version[v].above;
    f.shared_bytes += rows ? edge_slots(p.version[v]) * t.warps * rows * f.width * bytes : 0;
  }
  for (int d = 0; d < 3; ++d) f.lo[d] = p.lo[d], f.hi[d] = p.hi[d];
  return f;
}

// How many rows of its margin a tile can do without beyond an outer face along y, where nothing changes.
constexpr int spare_rows(const Program& g, const Facts& f, int side) {
  int reach = 0;
  for (int s = 0; s < g.stages; ++s)
    for (int h = 0; h < g.stage[s].handles; ++h)
      reach = max(reach, max(g.stage[s].use[h].lo[1], g.stage[s].use[h].hi[1]));
  return (side ? f.hi[1] : f.lo[1]) - reach;
}

// Coordinates are local: 0 is the block's first point.
struct Extent {
  int lo[3], hi[3];
};
inline constexpr int far = 1 << 29;  // farther than any point
struct Arguments {
  const void* in[most_fields];  // addresses of point 0
  void* out[most_fields];
  Extent changing[most_stages];  // points that a stage changes; others keep what they had
  Extent stored[most_fields];    // points of a field that are this block's
  int begin[3], end[3];          // what tiles cover
  int spare[2];                  // rows of a tile's margin beyond an outer face along y that it can do without
  Extent readable;               // what lies in memory; along x whole vectors
  int wraps;       // axes (bits) along which beyond the block lies the block again, which levels then read
  int columns[2];  // of thread blocks, along x and y
  March march;
  int first[3];             // global index of local 0
  Extent period;            // along axes that are periodic, the global indices that there are; else all
  Geometry g[most_stages];  // of what a stage writes
  double a[most_substeps][Epilogue::max_sources], b[most_substeps];  // of stages that integrate
};
}  // namespace cereus::sweep
