// What a whole step of an integrator needs where, if it is taken in one sweep by levels (levels.hpp).
#pragma once
#include "chain.hpp"
#include "tile.hpp"
namespace cereus::sweep {
// The level of a state of a field: how often neighbours are read on the way to it from what the step began with. All
// of one level is made at once, plane by plane; each level is `step` planes behind the one before.
struct Levels {
  bool possible = false;
  int levels = 0, step = 1;
  int level[1 + most_substeps][most_fields] = {};  // of each state of each field
  // Versions: states whose neighbours are read, planes of which lie in shared memory; −1: others.
  int versions = 0, version[1 + most_substeps][most_fields] = {};
  int version_level[2 * most_fields] = {}, first_plane[2 * most_fields] = {}, planes = 0;
  // What waits in registers for the next level, by the level that it comes from: a state that is read at the point
  // alone; and of a state the sum of its first sources, so many.
  int items = 0, item[1 + most_substeps][1 + most_substeps][most_fields] = {};
  int sum[1 + most_substeps][1 + most_substeps][most_fields] = {};
  int sources[1 + most_substeps][1 + most_substeps][most_fields] = {};
  // Whether a level reads at the point what the step began with; and planes that lie in shared memory for that.
  bool recalls[1 + most_substeps][most_fields] = {};
  int recalled = 0;
  int lo[3] = {}, hi[3] = {};  // margin of a tile

  // Planes of a version of that level: from the centre of the next level up, and so many below; for what comes in, too.
  constexpr int below(int l) const { return 1 + (l == 0 ? recalled : 0); }
  constexpr int slots(int l) const { return step + below(l) + (l == 0); }
};

class LevelPlanner {
 public:
  constexpr explicit LevelPlanner(const Program& g) : g_(g), chain_(chain_of(g)) {}
  constexpr Levels plan() {
    for (auto& v : p_.version)
      for (int& n : v) n = -1;
    p_.possible = g_.dim == 3 && g_.stages == 1 && g_.stage[0].integrates && wants_known();
    if (!p_.possible) return p_;
    p_.step = max(1, reach(2, true));
    find_levels(), find_versions(), find_items(), find_recalls();
    for (int d = 0; d < 3; ++d) p_.lo[d] = p_.levels * reach(d, false), p_.hi[d] = p_.levels * reach(d, true);
    for (int v = 0; v < p_.versions; ++v) p_.first_plane[v] = p_.planes, p_.planes += p_.slots(p_.version_level[v]);
    p_.possible = p_.possible && p_.levels > 0;
    return p_;
  }

 private:
  constexpr int reach(int d, bool up) const { return reach_from(g_, g_.substeps - 1, d, up); }
  constexpr bool evolves(int f) const { return output_of(g_, f) >= 0; }
  constexpr bool here(int f, int of) const { return g_.stage[0].wants[output_of(g_, of)].here >> f & 1; }
  constexpr bool near(int f, int of) const { return g_.stage[0].wants[output_of(g_, of)].near >> f & 1; }
  constexpr bool wants_known() const {
    bool some = false;
    for (const Wants& w : g_.stage[0].wants) some = some || w.here || w.near;
    return some;
  }
  // Calls visit(n, f) for all states that a stage makes.
  template <class F> constexpr void each_state(F&& visit) const {
    for (int n = 1; n <= g_.substeps; ++n)
      for (int f = 0; f < g_.fields; ++f)
        if (evolves(f)) visit(n, f);
  }
  constexpr int sources_of(int n) const { return g_.substep[n - 1].sources; }
  constexpr int source_level(int n, int f, int i) const { return p_.level[chain_.source[n - 1][i]][f]; }

  constexpr void find_levels() {
    each_state([&](int n, int f) {
      int& l = p_.level[n][f];
      for (int i = 0; i < sources_of(n); ++i) l = max(l, source_level(n, f, i));
      for (int e = 0; e < g_.fields; ++e)
        if (evolves(e) && (here(e, f) || near(e, f))) l = max(l, p_.level[n - 1][e] + near(e, f));
      p_.levels = max(p_.levels, l);
    });
    for (int& l : p_.level[g_.substeps]) l = max(l, 1);  // level 0 is not stored
  }
  constexpr void share(int n, int f) {
    if (p_.version[n][f] >= 0) return;
    p_.version_level[p_.versions] = p_.level[n][f], p_.version[n][f] = p_.versions++;
  }
  // A state of level 0 at neighbours: made anew there from what the step began with.
  constexpr void share_what_makes(int n, int f) {
    if (n == 0) return share(0, f);
    for (int i = 0; i < sources_of(n); ++i) share_what_makes(chain_.source[n - 1][i], f);
    for (int e = 0; e < g_.fields; ++e)
      if (evolves(e) && here(e, f)) share_what_makes(n - 1, e);
  }
  constexpr void find_versions() {
    each_state([&](int n, int f) {
      for (int e = 0; e < g_.fields; ++e) {
        if (!evolves(e) || !near(e, f)) continue;
        if (p_.level[n - 1][e] != p_.level[n][f] - 1) p_.possible = false;  // planes are gone by then
        else if (p_.level[n - 1][e] == 0) share_what_makes(n - 1, e);
        else share(n - 1, e);
      }
    });
  }
  // Whether a source of a state is there when the state is made: in memory, or in planes of the level before.
  constexpr bool found(int n, int f, int i) const {
    const int from = chain_.source[n - 1][i], l = p_.level[from][f];
    return l == 0 || l == p_.level[n][f] || (l == p_.level[n][f] - 1 && p_.version[from][f] >= 0);
  }
  constexpr void find_items() {
    for (int l = 0; l <= most_substeps; ++l)
      for (int n = 0; n <= most_substeps; ++n)
        for (int f = 0; f < most_fields; ++f) p_.item[l][n][f] = p_.sum[l][n][f] = -1;
    each_state([&](int n, int f) {
      for (int l = 1; l < p_.level[n][f]; ++l) {
        int count = 0;
        bool gone = false;  // one that level will not find
        for (; count < sources_of(n) && source_level(n, f, count) <= l; ++count) gone = gone || !found(n, f, count);
        for (int i = count; i < sources_of(n); ++i)  // sums grow at their ends
          if (source_level(n, f, i) <= l && !found(n, f, i)) p_.possible = false;
        if (gone) p_.sum[l][n][f] = p_.items++, p_.sources[l][n][f] = count;
        for (int e = 0; e < g_.fields; ++e) {  // its planes lie in shared memory for the level after it alone
          const int from = p_.level[n - 1][e];
          if (!evolves(e) || !here(e, f) || from < 1 || from > l) continue;
          if (p_.version[n - 1][e] >= 0 && from == p_.level[n][f] - 1) continue;
          if (p_.item[l][n - 1][e] < 0) p_.item[l][n - 1][e] = p_.items++;
        }
      }
    });
  }

  // A state of level 0 at the point, at level l.
  constexpr void recall(int l, int n, int f) {
    if (n == 0) {
      p_.recalls[l][f] = true;
      if (p_.version[0][f] >= 0) p_.recalled = max(p_.recalled, (l - 1) * p_.step);
      return;
    }
    for (int i = 0; i < sources_of(n); ++i) recall(l, chain_.source[n - 1][i], f);
    for (int e = 0; e < g_.fields; ++e)
      if (evolves(e) && here(e, f)) recall(l, n - 1, e);
  }
  constexpr void find_recalls() {
    each_state([&](int n, int f) {
      const int l = p_.level[n][f];
      if (l == 0) return;
      const int begin = p_.sum[l - 1][n][f] >= 0 ? p_.sources[l - 1][n][f] : 0;
      for (int i = begin; i < sources_of(n); ++i)
        if (source_level(n, f, i) == 0) recall(l, chain_.source[n - 1][i], f);
      for (int e = 0; e < g_.fields; ++e)
        if (evolves(e) && here(e, f) && p_.level[n - 1][e] == 0) recall(l, n - 1, e);
      if (g_.faces) recall(l, 0, f);  // what does not change keeps that
    });
  }

  const Program& g_;
  Chain chain_;
  Levels p_;
};
constexpr Levels levels_of(const Program& g) { return LevelPlanner(g).plan(); }

// Of a tile by levels: a thread has a column of `rows` points along y, each a vector of 16 bytes along x, and a row of
// threads has `lanes` of them; `warps` say how many rows of threads there are.
inline constexpr int level_guard = 64;  // bytes beside all planes, where the first and last threads look for neighbours
struct LevelShape {
  int vector, columns, width, height, pitch, plane_bytes;
};
constexpr LevelShape level_shape(const TileShape& t, int bytes) {
  LevelShape s{};
  s.vector = 16 / bytes, s.columns = t.lanes, s.width = s.columns * s.vector;
  s.height = 32 * t.warps / s.columns * t.rows;
  s.pitch = s.width;  // threads that follow each other use different banks, also where a row of threads ends
  for (int pitch = s.width; pitch < s.width + 128 / bytes; pitch += s.vector)
    if ((t.rows * pitch - s.width) * bytes % 128 == 0) {
      s.pitch = pitch;
      break;
    }
  s.plane_bytes = s.pitch * s.height * bytes;
  return s;
}
constexpr Facts level_facts(const Program& g, const TileShape& t, int bytes) {
  const Levels p = levels_of(g);
  const LevelShape s = level_shape(t, bytes);
  Facts f;
  f.width = s.width, f.height = s.height, f.vector = s.vector, f.vectors = 1, f.planes = p.planes;
  f.margin_lo = pieces(p.lo[0], s.vector) * s.vector, f.margin_hi = pieces(p.hi[0], s.vector) * s.vector;
  f.inner_x = f.width - f.margin_lo - f.margin_hi, f.inner_y = f.height - p.lo[1] - p.hi[1];
  f.lag = p.levels * p.step;
  f.shared_bytes = p.planes * s.plane_bytes + 2 * level_guard;
  for (int d = 0; d < 3; ++d) f.lo[d] = p.lo[d], f.hi[d] = p.hi[d];
  return f;
}
}  // namespace cereus::sweep
