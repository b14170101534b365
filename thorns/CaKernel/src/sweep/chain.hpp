// How the stages of an integrator follow from each other, for one kernel of right-hand sides.
#pragma once
#include <cereus/kernel/math.hpp>

#include "program.hpp"
namespace cereus::sweep {
// States have numbers: 0 is the step's first, n + 1 what stage n makes of its sources.
struct Chain {
  int source[most_substeps][Epilogue::max_sources] = {};
};
constexpr Chain chain_of(const Program& g) {
  Chain c;
  int holds[1 + most_substeps] = {};  // buffers
  for (int n = 0; n < g.substeps; ++n) {
    const Substep& s = g.substep[n];
    for (int i = 0; i < s.sources; ++i) c.source[n][i] = holds[s.source[i]];
    holds[s.destination] = holds[0], holds[0] = n + 1;
  }
  return c;
}
constexpr int output_of(const Program& g, int field) {  // the handle of a field's rate; −1: it has none
  for (int h = 0; h < g.stage[0].handles; ++h)
    if (g.stage[0].use[h].field == field && g.stage[0].use[h].mode != Mode::read) return h;
  return -1;
}
// A buffer of the integrator, neither where the step begins nor where it ends; 0: there is none.
constexpr int buffer_between(const Program& g) {
  int most = 0;
  for (int n = 0; n < g.substeps; ++n) most = max(most, g.substep[n].destination);
  return most > 1 ? most : 0;
}
// How far the stages from there on read, at most.
constexpr int reach_from(const Program& g, int first, int axis, bool up) {
  int reach = 0;
  for (int h = 0; h < g.stage[0].handles; ++h)
    reach = max(reach, up ? g.stage[0].use[h].hi[axis] : g.stage[0].use[h].lo[axis]);
  return (g.substeps - first) * reach;
}
}  // namespace cereus::sweep
