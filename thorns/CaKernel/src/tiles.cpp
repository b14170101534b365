#include "tiles.hpp"

#include <algorithm>

#include "sweep/level_plan.hpp"
#include "sweep/stages.hpp"
namespace CaKernel {
namespace {
// Of an H200, and near enough for its kin: bytes a cycle and multiprocessor from memory; registers; shared memory.
constexpr double bytes_a_cycle = 18;
constexpr int all_registers = 65536, shared_memory = 227 * 1024;
constexpr std::size_t most_by_levels = 6;  // tiles

template <int... n> Facts dispatch(const sweep::Program& g, const TileShape& t, int bytes, detail::ints<n...>) {
  Facts f;
  ((t.steps * g.substeps == n + 1 ? void(f = sweep::facts_of<n + 1>(g, t, bytes)) : void()), ...);
  return f;
}
double ceiling(int n, int by) { return pieces(n, by); }
// Tiles along y, where so many faces of a block are outer ones.
double tiles_along_y(const sweep::Program& g, const Candidate& c, const Index& n, int outer) {
  int spare = 0;
  for (int side = 0; side < outer; ++side) spare += sweep::spare_rows(g, c.facts, side);
  return std::max(1.0, ceiling(n[1] - spare, c.facts.inner_y));
}

// Fitted to sweeps of 3, 5 and 7 points on an H200.
double cost_of(const sweep::Program& g, const Candidate& c, int bytes, const Index& n, int outer) {
  const double x = ceiling(n[0], c.facts.inner_x) * c.facts.width / n[0];
  const double y = g.dim == 3 ? tiles_along_y(g, c, n, outer) * c.facts.height / n[1] : 1;
  const double stream =
      g.dim > 1 ? 1 + (c.facts.lag + c.facts.lo[g.dim - 1]) / std::min(96.0, double(n[g.dim - 1])) : 1;
  const double memory = 32 * bytes * fields_moved(g) / bytes_a_cycle / c.tile.steps * (1 + 0.3 * (x * y - 1));
  const int warps = c.tile.warps * c.tile.blocks;
  const double work = (g.dim == 3 ? 0.22 : 0.11) * (reads_of(g) + 3 * g.stages) * g.substeps * bytes / 4 * x * y *
                      stream * (1 + 4.0 / warps) * (g.dim == 3 ? 1 + 1.3 / c.tile.rows : 1.3);
  return std::max(memory, work) + 0.5 * std::min(memory, work);
}

// Planes that are kept, and what a lane needs beside.
int registers_of(const sweep::Program& g, const Candidate& c, int bytes) {
  const int planes =
      g.dim == 1 ? 2 * g.fields : c.facts.planes;  // in 1D a step's points take the place of those before
  return planes * c.tile.rows * c.tile.lanes * bytes / 4 + (g.dim == 3 ? 48 : 27);
}

// What the second stage of a pass loads at a point: where it reads neighbours of a field, it makes the field's first
// stage anew at each of them, and that may read neighbours again.
int loads_of_pass(const sweep::Program& g) {
  const sweep::Stage& s = g.stage[0];
  const auto points = [&](int field) {
    int n = 0;
    for (int h = 0; h < s.handles; ++h)
      if (const sweep::Use& u = s.use[h]; u.mode == Mode::read && u.field == field)
        n = std::max(n, 1 + u.lo[0] + u.hi[0] + u.lo[1] + u.hi[1] + u.lo[2] + u.hi[2]);
    return n;
  };
  const auto loads = [&](unsigned near, const auto& at_a_point) {
    int sum = 0;
    for (int f = 0; f < g.fields; ++f)
      if (near >> f & 1) sum += points(f) * at_a_point(f);
    return sum;
  };
  const auto once = [](int) { return 1; };
  const auto anew = [&](int f) {
    const int o = sweep::output_of(g, f);
    return o < 0 ? 1 : std::max(1, loads(s.wants[o].near, once));
  };
  int all = 0;
  for (const sweep::Wants& w : s.wants) all += loads(w.near, anew);
  return all;
}

// Passes of two stages: in 3D, of one kernel of right-hand sides, where the integrator has a buffer for what lies
// between passes. Each reads what the step began with, and all but the first the state between.
std::vector<Candidate> passes_of_stages(const sweep::Program& g, int bytes) {
  constexpr int stages = 2, most_loads = 256;  // more of them would compile for minutes, and be slow
  if (loads_of_pass(g) > most_loads) return {};
  if (g.dim != 3 || g.stages != 1 || !g.stage[0].integrates || g.substeps < stages || g.substeps > 2 * stages ||
      (g.substeps > stages && !sweep::buffer_between(g)))
    return {};
  struct Shape {
    int rows, warps, blocks;
  };
  std::vector<Candidate> list;
  for (const auto& [rows, warps, blocks] : {Shape{4, 4, 3}, {2, 4, 4}, {4, 4, 2}, {1, 8, 3}}) {
    Candidate c;
    c.tile = {1, rows, warps, 1, 1, 1, blocks, stages};
    const Facts all = facts_of(g, {1, 1, 1, 1, 1, 1, 1}, bytes);
    std::copy_n(all.lo, 3, c.facts.lo), std::copy_n(all.hi, 3, c.facts.hi);
    c.facts.width = c.facts.inner_x = 32, c.facts.height = c.facts.inner_y = warps;
    const int passes = pieces(g.substeps, stages), out = fields_moved(g) / 2;
    c.cost = 1.5 * 32 * bytes * out * (4 * passes - 2 - (passes > 1)) / bytes_a_cycle + 0.01 * list.size();
    list.push_back(c);
  }
  return list;
}
// Whole steps by levels. A few tiles are tried, of those that shared memory holds: what is limited is how often it is
// asked, and how many warps there are.
std::vector<Candidate> steps_by_levels(const sweep::Program& g, int bytes, const Index& n) {
  const sweep::Levels plan = sweep::levels_of(g);
  if (!plan.possible || g.substeps < 2) return {};
  struct Shape {
    int rows, warps, columns;
  };
  std::vector<Candidate> list;
  for (const auto& [rows, warps, columns] : {Shape{2, 12, 24}, {2, 12, 32}, {3, 8, 24}, {3, 8, 32}, {2, 16, 32},
           {2, 12, 20}, {3, 8, 20}, {2, 12, 16}, {3, 8, 16}, {4, 8, 16}, {3, 6, 20}, {3, 6, 16}}) {
    Candidate c;
    c.tile = {1, rows, warps, columns, 1, 1, 1, 0, plan.levels};
    c.facts = facts_of(g, c.tile, bytes);
    bool reached = c.facts.inner_x > 0 && c.facts.inner_y > 0 && c.facts.shared_bytes <= shared_memory;
    for (int h = 0; h < g.stage[0].handles; ++h)
      reached = reached && std::max(g.stage[0].use[h].lo[1], g.stage[0].use[h].hi[1]) <= rows;
    if (!reached) continue;
    const double twice =
        ceiling(n[0], c.facts.inner_x) * c.facts.width / n[0] * ceiling(n[1], c.facts.inner_y) * c.facts.height / n[1];
    c.cost = 0.06 * bytes / 4 * (reads_of(g) + 3) * g.substeps * twice * (1 + 4.0 / warps);
    list.push_back(c);
  }
  std::ranges::stable_sort(list, {}, &Candidate::cost);
  if (list.size() > most_by_levels) list.resize(most_by_levels);
  return list;
}
}  // namespace

Facts facts_of(const sweep::Program& g, const TileShape& t, int bytes) {
  if (t.levels > 0) return sweep::level_facts(g, t, bytes);
  return dispatch(g, t, bytes, detail::count_up<sweep::most_steps>::type{});
}

std::string text_of(const TileShape& t) {
  std::string text;
  for (int n : {t.steps, t.rows, t.warps, t.lanes, t.ring, t.unroll, t.blocks, t.stages, t.levels})
    text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

int reads_of(const sweep::Program& g) {
  int n = 0;
  for (int s = 0; s < g.stages; ++s)
    for (int h = 0; h < g.stage[s].handles; ++h) {
      const auto& u = g.stage[s].use[h];
      int star = 1, box = 1;
      for (int d = 0; d < g.dim; ++d) star += u.lo[d] + u.hi[d], box *= 1 + u.lo[d] + u.hi[d];
      n += u.corners ? box : star;
    }
  return n;
}
int fields_moved(const sweep::Program& g) {
  const auto plan = sweep::make_plan<sweep::most_substeps>(g, 1);
  int n = plan.loaded;
  for (int f = 0; f < g.fields; ++f) n += g.stored[f];
  return n;
}

std::vector<Candidate> device_tiles(
    const sweep::Program& g, int bytes, const Index& extent, int outer, int most_steps) {
  struct Block {
    int warps, blocks;
  };
  constexpr Block blocks_3d[] = {{8, 1}, {12, 1}, {16, 1}, {8, 2}, {4, 4}},
                  blocks_2d[] = {{2, 8}, {4, 4}, {4, 3}, {4, 2}, {2, 6}, {4, 5}};
  const std::span<const Block> blocks =
      g.dim == 3 ? std::span<const Block>(blocks_3d) : std::span<const Block>(blocks_2d);
  int depth = 1;
  for (int s = 0; s < g.stages && g.dim > 1; ++s)
    for (int h = 0; h < g.stage[s].handles; ++h)
      depth = std::max(depth, 1 + g.stage[s].use[h].lo[g.dim - 1] + g.stage[s].use[h].hi[g.dim - 1]);
  std::vector<Candidate> list;
  for (int steps = 1; steps <= std::min(most_steps, sweep::most_steps / g.substeps);
       steps += g.dim == 1 && steps >= 8 ? 8 : 1)
    for (int rows = 1; rows <= (g.dim == 3 ? 6 : 1); ++rows)
      for (int lanes : {2, 4, 8, 16})
        for (const Block& b : blocks) {
          if ((g.dim == 3 && (lanes > 4 || rows < 2)) || (g.dim == 2 && lanes > 8) || (g.dim == 1 && lanes < 8))
            continue;
          Candidate c;
          c.tile = {steps, rows, b.warps, lanes, g.dim == 3 ? 4 : g.dim == 2 ? 8 : 1, std::min(depth, 5), b.blocks};
          c.facts = facts_of(g, c.tile, bytes);
          bool reached = true;  // neighbours lie in the next lane, and in the next warp
          for (int s = 0; s < g.stages; ++s)
            for (int h = 0; h < g.stage[s].handles; ++h) {
              const auto& u = g.stage[s].use[h];
              reached =
                  reached && std::max(u.lo[0], u.hi[0]) <= lanes && (g.dim < 3 || std::max(u.lo[1], u.hi[1]) <= rows);
            }
          if (!reached || c.facts.inner_x < 16 || (g.dim == 3 && c.facts.inner_y < 4) ||
              c.facts.shared_bytes * b.blocks > shared_memory - 1024 * b.blocks)
            continue;
          if (registers_of(g, c, bytes) > std::min(255, all_registers / (32 * b.warps * b.blocks) / 8 * 8)) continue;
          c.cost = cost_of(g, c, bytes, extent, outer);
          list.push_back(c);
        }
  for (const auto& more : {passes_of_stages(g, bytes), steps_by_levels(g, bytes, extent)})
    list.insert(list.end(), more.begin(), more.end());
  std::ranges::stable_sort(list, {}, &Candidate::cost);
  return list;
}

int device_columns(const sweep::Program& g, const Candidate& c, const Index& n, int outer) {
  return g.dim == 3 ? pieces(n[0], c.facts.inner_x) * static_cast<int>(tiles_along_y(g, c, n, outer))
                    : pieces(n[0], c.facts.inner_x * c.tile.warps);
}
}  // namespace CaKernel
