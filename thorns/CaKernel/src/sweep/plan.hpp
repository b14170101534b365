// What a sweep of several steps keeps: which planes of which version of a field, and how far each stage lags behind the
// plane that comes in (Holewinski, Pouchet and Sadayappan, ICS 2012, algorithm 2: the walk over the hulls of what is
// needed).
#pragma once
#include <cereus/kernel/math.hpp>

#include "program.hpp"
namespace cereus::sweep {
// A field after some stage of some step, or as it came in. A sweep goes through planes (rows, in 2D) along the last
// axis; when plane k comes in, plane k − lag of this version is made, and the planes down to k − lag − keep are still
// there.
struct Version {
  int field = 0, lag = 0, keep = 0;
  int lo[3] = {}, hi[3] = {};  // so many points next to the edges of a tile are wrong
  int below = 0, above = 0;    // rows that the warps next to this one read of it (3D)
  int edge_age = 0;            // so many planes old, at most, when they do
  int first = 0;               // its newest plane among all planes that are kept
  bool last = false;           // the final one of its field
};
struct Node {  // a stage of one of the substeps
  int lag = 0;
  int reads[most_handles] = {};  // versions; of an output the one before
  int writes[most_handles] = {};
  int sources[most_handles][Epilogue::max_sources] = {};  // of an output that is integrated: versions
  int before[most_handles] = {};  // of an output: the version that it replaces, if that point is still there
};
template <int substeps> struct Plan {
  static constexpr int most = most_fields + most_stages * 4 * substeps;
  int versions = 0, nodes = 0, planes = 0, loaded = 0, lag = 0;
  Version version[most] = {};
  Node node[most_stages * substeps] = {};
  int lo[3] = {}, hi[3] = {};  // margin of a tile: the most of all fields that are stored
};

struct Margin {  // so many points next to the edges of a tile
  int lo[3] = {}, hi[3] = {};
};
// What a node reads of a version: how far the node must lag behind that, and what it eats.
constexpr void lag_behind(const Version& v, const Use& u, int dim, Node& n, Margin& m) {
  int ahead = dim > 1 ? u.hi[dim - 1] : 0;
  if (dim == 3 && (u.lo[1] || u.hi[1])) ahead = max(ahead, 1);  // rows of other warps are there one plane later
  n.lag = max(n.lag, v.lag + ahead);
  for (int d = 0; d < 3; ++d) m.lo[d] = max(m.lo[d], v.lo[d] + u.lo[d]), m.hi[d] = max(m.hi[d], v.hi[d] + u.hi[d]);
}
// And what is kept of the version, therefore.
constexpr void keep_for(const Node& n, const Use& u, int dim, Version& v) {
  v.keep = max(v.keep, n.lag + (dim > 1 ? u.lo[dim - 1] : 0) - v.lag);
  if (dim < 3 || !(u.lo[1] || u.hi[1])) return;
  v.above = max(v.above, u.hi[1]), v.below = max(v.below, u.lo[1]);
  v.edge_age = max(v.edge_age, n.lag - v.lag);
}

// Once all versions are there: which of them can be replaced in place, which are the last of their fields (`now`),
// where their planes begin, and what a tile's margin is.
template <int most> constexpr void complete(const Program& g, const int (&now)[most_fields], Plan<most>& p) {
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
      for (int d = 0; d < 3; ++d) p.lo[d] = max(p.lo[d], x.lo[d]), p.hi[d] = max(p.hi[d], x.hi[d]);
  }
}

// For `steps` steps, of at most `most` substeps.
template <int most> constexpr Plan<most> make_plan(const Program& g, int steps) {
  Plan<most> p;
  int now[most_fields] = {}, past[most_fields] = {};
  int buffer[1 + most_substeps][most_fields] = {};  // of fields that are integrated: the versions there, 0: the present
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
  for (int t = 0; t < steps * g.substeps; ++t) {
    const Substep& substep = g.substep[t % g.substeps];
    for (int f = 0; f < g.fields; ++f) past[f] = buffer[0][f] = now[f];
    for (int s = 0; s < g.stages; ++s) {
      const Stage& stage = g.stage[s];
      Node& n = p.node[p.nodes++];
      Margin margin;
      const auto sources_of = [&](const Use& u) {
        return stage.integrates && u.mode != Mode::read ? substep.sources : 0;
      };
      for (int h = 0; h < stage.handles; ++h) {
        const Use& u = stage.use[h];
        n.reads[h] = -1;
        for (int i = 0; i < sources_of(u); ++i) {
          n.sources[h][i] = buffer[substep.source[i]][u.field];
          lag_behind(p.version[n.sources[h][i]], {}, g.dim, n, margin);
        }
        if (u.mode == Mode::write) continue;
        n.reads[h] = u.past ? past[u.field] : now[u.field];
        lag_behind(p.version[n.reads[h]], u, g.dim, n, margin);
      }
      for (int h = 0; h < stage.handles; ++h) {
        const Use& u = stage.use[h];
        for (int i = 0; i < sources_of(u); ++i) keep_for(n, {}, g.dim, p.version[n.sources[h][i]]);
        if (n.reads[h] >= 0) keep_for(n, u, g.dim, p.version[n.reads[h]]);
      }
      for (int h = 0; h < stage.handles; ++h) {
        if (stage.use[h].mode == Mode::read) continue;
        n.before[h] = now[stage.use[h].field], n.writes[h] = p.versions;
        Version& v = p.version[p.versions++];
        v.field = stage.use[h].field, v.lag = n.lag;
        for (int d = 0; d < 3; ++d) v.lo[d] = margin.lo[d], v.hi[d] = margin.hi[d];
        if (!stage.integrates) now[v.field] = n.writes[h];
        else buffer[substep.destination][v.field] = n.writes[h];
      }
      p.lag = max(p.lag, n.lag);
    }
    for (int s = 0; s < g.stages; ++s)  // what was integrated becomes the present
      for (int h = 0; h < g.stage[s].handles; ++h)
        if (const Use& u = g.stage[s].use[h]; g.stage[s].integrates && u.mode != Mode::read) {
          now[u.field] = buffer[substep.destination][u.field];
          buffer[substep.destination][u.field] = past[u.field];
        }
  }
  complete(g, now, p);
  return p;
}
}  // namespace cereus::sweep
