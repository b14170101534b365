// The boxes of time tiles: those of J. Holewinski, L.-N. Pouchet and P. Sadayappan, report OSU-CISRC-5/12-TR09.
#include "sweep/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tiles.hpp"

namespace cereus::sweep {
namespace {
Use reads(int field, int lo, int hi) {
  Use u;
  u.field = field, u.lo[0] = lo, u.hi[0] = hi;
  return u;
}
Use writes(int field) {
  Use u;
  u.field = field, u.mode = Mode::write;
  return u;
}
// f_A(B_G)[1..N-2] = B[-1] + B[0] and f_B(A_G)[1..N-2] = A[0] + A[1].
enum { a, b };
constexpr int steps = 3;
Plan<steps> plan_of_listing() {
  Program p;
  p.dim = 1, p.fields = 2, p.stages = 2;
  p.stage[0] = {2, {reads(b, 1, 0), writes(a)}};
  p.stage[1] = {2, {reads(a, 0, 1), writes(b)}};
  p.stored[a] = p.stored[b] = true;
  return make_plan<steps>(p, steps);
}
// Of a version, where a tile has the points x₀ to x₀ + l₀ of its own: first point − x₀, and number − l₀.
std::pair<int, int> box(const Plan<steps>& p, int version) {
  const Version& v = p.version[version];
  return {v.lo[0] - p.lo[0], p.lo[0] + p.hi[0] - v.lo[0] - v.hi[0]};
}
}  // namespace

// Mutations seen to fail: a margin without that of what is read; the margin of a tile taken from the smallest.
TEST(Plan, BoxesAreThoseOfTheReport) {
  const auto p = plan_of_listing();
  ASSERT_EQ(p.loaded, 1);
  EXPECT_EQ(p.version[0].field, b);
  EXPECT_EQ(box(p, 0), std::pair(-3, 6)) << "B as it is loaded: one function further than what is computed";
  EXPECT_EQ(box(p, p.node[0].writes[1]), std::pair(-2, 5)) << "A, largest";
  EXPECT_EQ(box(p, p.node[1].writes[1]), std::pair(-2, 4)) << "B, largest";
}
TEST(Plan, EachStepTakesOnePointAtEachEnd) {
  const auto p = plan_of_listing();
  for (int t = 0; t < steps; ++t) {
    EXPECT_EQ(box(p, p.node[2 * t].writes[1]), std::pair(t - 2, 5 - 2 * t));
    EXPECT_EQ(box(p, p.node[2 * t + 1].writes[1]), std::pair(t - 2, 4 - 2 * t));
  }
}

// Two stages of u' = ρ, ρ' = Δu: y₁ = y + b k(y), y' = a₀ y + a₁ y₁ + b k(y₁), as the midpoint rule has them, with a
// source more. Mutations seen to fail: the margin, lag or planes of a source left out; buffers not exchanged after a
// stage.
TEST(Plan, StagesOfAnIntegrator) {
  enum { u, rho };
  Program p;
  p.dim = 2, p.fields = 2, p.stages = 1, p.substeps = 2;
  Use around = reads(u, 1, 1), here = reads(rho, 0, 0);
  around.lo[1] = around.hi[1] = 1;
  around.past = here.past = true;
  p.stage[0] = {4, {around, here, writes(u), writes(rho)}, true};
  p.substep[0] = {1, 1, {0}};
  p.substep[1] = {1, 2, {1, 0}};  // y lies where y₁ was made
  p.stored[u] = p.stored[rho] = true;
  const auto plan = make_plan<2>(p, 1);
  ASSERT_EQ(plan.loaded, 2);
  ASSERT_EQ(plan.nodes, 2);
  const Node &first = plan.node[0], &second = plan.node[1];
  EXPECT_EQ(first.sources[2][0], 0) << "y.u";
  EXPECT_EQ(second.sources[2][0], 0) << "y.u, after the exchange";
  EXPECT_EQ(second.sources[2][1], first.writes[2]) << "y₁.u";
  EXPECT_EQ(second.sources[3][1], first.writes[3]) << "y₁.ρ";
  EXPECT_EQ(second.reads[0], first.writes[2]) << "neighbours of y₁.u";
  EXPECT_EQ(first.lag, 1);
  EXPECT_EQ(second.lag, 2);
  EXPECT_EQ(plan.version[1].keep, 2) << "y.ρ is a source to the end";
  EXPECT_EQ(plan.version[first.writes[3]].keep, 1);
  EXPECT_EQ(plan.lo[0], 2);
  EXPECT_TRUE(plan.version[second.writes[3]].last);
}

// A pass of two stages makes a field's first stage anew wherever the second reads its neighbours. For a wave that costs
// one load at each; where each of two fields reads its own neighbours, at order 4, 2 · 13 · 13 loads, which a compiler
// does not end with. Mutation seen to fail: `loads(s.wants[o].near, once)` → `1`.
TEST(Tiles, PassesAreOfferedWhereTheirCodeIsSmall) {
  const auto passes = [](int reach, Wants first, Wants second) {
    Program p;
    p.fields = 2, p.stages = 1, p.substeps = 2;
    Use one, other;
    for (int d = 0; d < 3; ++d) one.lo[d] = one.hi[d] = other.lo[d] = other.hi[d] = reach;
    one.field = a, other.field = b, one.past = other.past = true;
    p.stage[0] = {4, {one, other, writes(a), writes(b)}, true};
    p.stage[0].wants[2] = first, p.stage[0].wants[3] = second;
    p.substep[0] = {1, 1, {0}}, p.substep[1] = {1, 2, {1, 0}};
    p.stored[a] = p.stored[b] = true;
    const auto tiles = CaKernel::device_tiles(p, 8, {64, 64, 64}, 0, 1);
    return std::ranges::any_of(tiles, [](const auto& c) { return c.tile.stages > 0; });
  };
  EXPECT_TRUE(passes(2, {1U << b, 0}, {0, 1U << a})) << "a wave";
  EXPECT_TRUE(passes(1, {1U << a, 1U << a}, {1U << b, 1U << b})) << "order 2: 2 · 7 · 7 loads";
  EXPECT_FALSE(passes(2, {1U << a, 1U << a}, {1U << b, 1U << b}));
}
}  // namespace cereus::sweep
