// A step as data: which kernels run one after another, which fields they touch and how far around a point. From it the plan
// of a sweep that does several steps at a time follows: which planes of which version of a field are kept, and how far each
// stage lags behind the plane that comes in (Holewinski, Pouchet and Sadayappan, ICS 2012, algorithm 2: the walk over the
// hulls of what is needed). The host and device compilers both evaluate it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::sweep {
inline constexpr int most_fields = 12, most_stages = 4, most_handles = 12, most_steps = 32;

struct Use {  // of a field by one handle of a kernel
  int field = 0;
  Mode mode = Mode::read;
  bool past = false;               // as it was when the step began; else as it is now
  int lo[3] = {}, hi[3] = {};      // neighbours that are read: from −lo to hi along each axis
  bool corners = false;            // not only along the axes
};
struct Stage {
  int handles = 0;
  Use use[most_handles] = {};
  bool integrates = false;         // what is written is a rate: the field becomes a · itself + b · rate
};
struct Program {
  int dim = 3, fields = 0, stages = 0;
  Stage stage[most_stages] = {};
  bool stored[most_fields] = {};   // whether a field is wanted after the last step
};

// A field after some stage of some step, or as it came in. A sweep goes through planes (rows, in 2D) along the last axis; when
// plane k comes in, plane k − lag of this version is made, and the planes down to k − lag − keep are still there.
struct Version {
  int field = 0, lag = 0, keep = 0;
  int lo[3] = {}, hi[3] = {};      // so many points next to the edges of a tile are wrong
  int below = 0, above = 0;        // rows that the warps next to this one read of it (3D)
  int edge_age = 0;                // so many planes old, at most, when they do
  int first = 0;                   // its newest plane among all planes that are kept
  bool read = false, last = false; // last: the final one of its field
};
struct Node {                      // a stage of one of the steps
  int lag = 0;
  int reads[most_handles] = {};    // versions; of an output the one before
  int writes[most_handles] = {};
  int before[most_handles] = {};   // of an output: the version that it replaces, if that point is still there
};
template <int steps_> struct Plan {
  static constexpr int steps = steps_, most = most_fields + most_stages * 4 * steps_;
  int versions = 0, nodes = 0, planes = 0, loaded = 0, lag = 0;
  Version version[most] = {};
  Node node[most_stages * steps_] = {};
  int lo[3] = {}, hi[3] = {};      // margin of a tile: the most of all fields that are stored
};

constexpr int larger(int a, int b) { return a < b ? b : a; }

template <int steps> constexpr Plan<steps> make_plan(const Program& g) {
  Plan<steps> p;
  const int stream = g.dim - 1;
  int now[most_fields] = {}, past[most_fields] = {};
  bool written[most_fields] = {}, needed[most_fields] = {};
  for (int s = 0; s < g.stages; ++s)
    for (int h = 0; h < g.stage[s].handles; ++h) {
      const Use& u = g.stage[s].use[h];
      if (u.mode == Mode::write && !g.stage[s].integrates) written[u.field] = true;
      else if (u.past || !written[u.field]) needed[u.field] = true;
    }
  for (int f = 0; f < g.fields; ++f) {
    now[f] = -1;
    if (!needed[f]) continue;
    now[f] = p.versions;
    p.version[p.versions++].field = f;
  }
  p.loaded = p.versions;
  for (int t = 0; t < steps; ++t) {
    for (int f = 0; f < g.fields; ++f) past[f] = now[f];
    for (int s = 0; s < g.stages; ++s) {
      const Stage& stage = g.stage[s];
      Node& n = p.node[p.nodes++];
      int lo[3] = {}, hi[3] = {};
      for (int h = 0; h < stage.handles; ++h) {  // what it reads, and how far it must lag behind that
        const Use& u = stage.use[h];
        n.reads[h] = -1;
        if (u.mode == Mode::write && !stage.integrates) continue;
        n.reads[h] = u.past ? past[u.field] : now[u.field];
        Version& v = p.version[n.reads[h]];
        v.read = true;
        int ahead = g.dim > 1 ? u.hi[stream] : 0;
        if (g.dim == 3 && (u.lo[1] || u.hi[1])) ahead = larger(ahead, 1);  // rows of other warps are there one plane later
        n.lag = larger(n.lag, v.lag + ahead);
        for (int d = 0; d < 3; ++d) lo[d] = larger(lo[d], v.lo[d] + u.lo[d]), hi[d] = larger(hi[d], v.hi[d] + u.hi[d]);
      }
      for (int h = 0; h < stage.handles; ++h) {
        if (n.reads[h] < 0) continue;
        const Use& u = stage.use[h];
        Version& v = p.version[n.reads[h]];
        v.keep = larger(v.keep, n.lag + (g.dim > 1 ? u.lo[stream] : 0) - v.lag);
        if (g.dim == 3 && (u.lo[1] || u.hi[1])) {
          v.above = larger(v.above, u.hi[1]), v.below = larger(v.below, u.lo[1]);
          v.edge_age = larger(v.edge_age, n.lag - v.lag);
        }
      }
      for (int h = 0; h < stage.handles; ++h) {
        if (stage.use[h].mode == Mode::read) continue;
        n.before[h] = now[stage.use[h].field], n.writes[h] = p.versions;
        Version& v = p.version[p.versions++];
        v.field = stage.use[h].field, v.lag = n.lag;
        for (int d = 0; d < 3; ++d) v.lo[d] = lo[d], v.hi[d] = hi[d];
        now[v.field] = n.writes[h];
      }
      p.lag = larger(p.lag, n.lag);
    }
  }
  for (int m = 0; m < p.nodes; ++m)
    for (int h = 0; h < g.stage[m % g.stages].handles; ++h)
      if (Node& n = p.node[m]; g.stage[m % g.stages].use[h].mode == Mode::read) n.before[h] = -1;
      else if (n.before[h] >= 0 && n.lag - p.version[n.before[h]].lag > p.version[n.before[h]].keep) n.before[h] = -1;
  for (int f = 0; f < g.fields; ++f)
    if (now[f] >= p.loaded) p.version[now[f]].last = true;
  for (int v = 0; v < p.versions; ++v) {
    Version& x = p.version[v];
    x.first = p.planes, p.planes += x.keep + 1;
    if (x.last && g.stored[x.field])
      for (int d = 0; d < 3; ++d) p.lo[d] = larger(p.lo[d], x.lo[d]), p.hi[d] = larger(p.hi[d], x.hi[d]);
  }
  return p;
}

// How a sweep is cut up: so many steps at once; a lane holds `rows` rows of `lanes` points, a thread block `warps` warps, and
// `ring` planes are on their way. The loop over planes is unrolled, and a multiprocessor takes `blocks` thread blocks.
struct TileShape {
  int steps = 1, rows = 1, warps = 4, lanes = 2, ring = 4, unroll = 1, blocks = 1;
  constexpr bool operator==(const TileShape&) const = default;
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
template <int steps> constexpr Facts facts_of(const Program& g, const TileShape& t, int bytes) {
  const Plan<steps> p = make_plan<steps>(g);
  Facts f;
  f.width = 32 * t.lanes, f.height = t.rows * t.warps;
  f.margin_lo = (p.lo[0] + t.lanes - 1) / t.lanes * t.lanes, f.margin_hi = (p.hi[0] + t.lanes - 1) / t.lanes * t.lanes;
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

// Coordinates are local: 0 is the block's first point.
struct Extent { int lo[3], hi[3]; };
struct Arguments {
  const void* in[most_fields];     // addresses of point 0
  void* out[most_fields];
  Extent changing[most_stages];    // points that a stage changes; others keep what they had
  Extent stored[most_fields];      // points of a field that are this block's
  int begin[3], end[3];            // what tiles cover
  Extent readable;                 // what lies in memory; along x whole vectors
  int chunk;                       // planes that a thread block goes through
  int first[3];                    // global index of local 0
  Extent period;                   // along axes that are periodic, the global indices that there are; else all
  Geometry g[most_stages];         // of what a stage writes
  double a[most_stages], b[most_stages];  // of stages that integrate
};
}  // namespace cereus::sweep
