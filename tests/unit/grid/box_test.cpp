// The algebra of boxes, which points a block owns, and how tensors change sign under reflections.
#include <gtest/gtest.h>

#include <set>

#include "cereus/declaration.hpp"
#include "cereus/grid.hpp"

using namespace cereus;

// Mutation: `>=` for `>` in contains, or extent without the difference.
TEST(Box, is_half_open) {
  const Box b{{1, 2, 3}, {4, 4, 4}};
  EXPECT_EQ(b.points(), 3 * 2 * 1);
  EXPECT_TRUE(b.contains({1, 2, 3}));
  EXPECT_TRUE(b.contains({3, 3, 3}));
  EXPECT_FALSE(b.contains({4, 3, 3}));
  EXPECT_FALSE(b.contains({0, 3, 3}));
}

// Mutation: points() of an inverted box multiplies two negative extents to a positive number.
TEST(Box, an_inverted_box_is_empty) {
  EXPECT_EQ((Box{{3, 3, 0}, {1, 1, 5}}).points(), 0);
  EXPECT_TRUE(intersect(Box{{0, 0, 0}, {2, 2, 2}}, Box{{2, 0, 0}, {4, 2, 2}}).empty());
}

// Mutation: points beyond 2³¹ counted with int.
TEST(Box, counts_beyond_31_bits) { EXPECT_EQ((Box{{0, 0, 0}, {2048, 2048, 2048}}).points(), std::int64_t{1} << 33); }

// Mutation: intersect takes the smaller lower corner; grow forgets `lo`; shift forgets `hi`.
TEST(Box, intersect_grow_shift) {
  const Box a{{0, 0, 0}, {4, 4, 4}}, b{{2, -1, 3}, {9, 2, 5}};
  EXPECT_EQ(intersect(a, b), (Box{{2, 0, 3}, {4, 2, 4}}));
  EXPECT_EQ(intersect(a, b), intersect(b, a));
  EXPECT_EQ(grow(a, {1, 2, -1}), (Box{{-1, -2, 1}, {5, 6, 3}}));
  EXPECT_EQ(shift(a, {1, 2, 3}), (Box{{1, 2, 3}, {5, 6, 7}}));
}

// Mutation: i outermost: every sum over rows and every output changes its order.
TEST(Box, points_come_with_i_fastest) {
  std::vector<Index> seen;
  for_each_point(Box{{0, 0, 0}, {2, 2, 2}}, [&](int i, int j, int k) { seen.push_back({i, j, k}); });
  ASSERT_EQ(seen.size(), 8u);
  EXPECT_EQ(seen[1], (Index{1, 0, 0}));
  EXPECT_EQ(seen[2], (Index{0, 1, 0}));
  EXPECT_EQ(seen[4], (Index{0, 0, 1}));
}

namespace {
// Two blocks side by side in x, periodic in y, bounded in x and z.
struct TwoBlocks {
  Grid grid;
  TwoBlocks() {
    grid.dim = 3, grid.ghosts = {2, 2, 2};
    Level l;
    l.space.cells.hi = {8, 6, 4};
    l.space.periodic = {0, 1, 0};
    grid.add(l, {{.number = 0, .cells = {{0, 0, 0}, {5, 6, 4}}}, {.number = 1, .cells = {{5, 0, 0}, {8, 6, 4}}}});
  }
};
constexpr std::array<Centre, 3> vertices{}, cells{Centre::cell, Centre::cell, Centre::cell};
}  // namespace

// Each vertex has one owner, the upper block, and the last vertex of a bounded axis has one too.
// Mutation: `++b.hi[d]` on every block, or on periodic axes, or never.
TEST(Grid, a_shared_vertex_belongs_to_the_upper_block) {
  const TwoBlocks t;
  std::set<Index> owned;
  for (const auto& b : t.grid.blocks)
    for_each_point(t.grid.points(b, vertices), [&](int i, int j, int k) {
      EXPECT_TRUE(owned.insert({i, j, k}).second) << i << " " << j << " " << k;
    });
  EXPECT_EQ(owned.size(), 9u * 6u * 5u);
  EXPECT_EQ(t.grid.points(t.grid.blocks[0], vertices).hi[0], 5);
  EXPECT_EQ(t.grid.points(t.grid.blocks[1], cells).hi[0], 8);
}

// Mutation: boundary() not empty on inner faces or periodic axes; tangential ghosts left out.
TEST(Grid, the_outer_boundary_has_tangential_ghosts) {
  const TwoBlocks t;
  const auto& [left, right] = std::pair{t.grid.blocks[0], t.grid.blocks[1]};
  EXPECT_EQ(t.grid.boundary(left, vertices, 0, 0), (Box{{-2, -2, -2}, {0, 8, 7}}));
  EXPECT_TRUE(t.grid.boundary(left, vertices, 0, 1).empty());
  EXPECT_EQ(t.grid.boundary(right, vertices, 0, 1), (Box{{9, -2, -2}, {11, 8, 7}}));
  EXPECT_TRUE(t.grid.boundary(right, vertices, 1, 0).empty());
}

// Mutation: the half cell left out, or the domain's first index.
TEST(Patch, coordinates_come_from_the_global_index) {
  Patch l;
  l.cells = {{4, 0, 0}, {8, 1, 1}};
  l.lower = {-1, 0, 0}, l.spacing = {0.25, 1, 1};
  EXPECT_EQ(l.coordinate(0, Centre::vertex, 4), -1);
  EXPECT_EQ(l.coordinate(0, Centre::cell, 5), -1 + 1.5 * 0.25);
  const Geometry g = l.geometry({Centre::cell, Centre::vertex, Centre::vertex}, {});
  EXPECT_EQ(g.origin[0] + (5 + g.centre[0]) * g.spacing[0], l.coordinate(0, Centre::cell, 5));
  EXPECT_EQ(g.inv_spacing2[0], 16);
}

// Mutation: `==` for `!=` anywhere in parity(); xy as even under x → −x; the list of pairs in another order.
TEST(Parity, of_scalars_vectors_and_tensors) {
  const auto signs_of = [&](const Group& g, int axis) {
    std::vector<int> list;
    for (int c = 0; c < static_cast<int>(g.variables.size()); ++c) list.push_back(parity(g, c, axis));
    return list;
  };
  const auto declare = [](ThornRecord& r, int n) {
    std::vector<std::string> names;
    for (int c = 0; c < n; ++c) names.push_back("v" + std::to_string(c));
    return Declaration(r).group("g", names, "");
  };
  const auto signs = [&](Tensor tensor, int n, int axis) {
    ThornRecord r;
    declare(r, n).tensor(tensor);
    return signs_of(r.groups[0], axis);
  };
  using Signs = std::vector<int>;
  EXPECT_EQ(signs(Tensor::scalar, 2, 0), (Signs{1, 1}));
  EXPECT_EQ(signs(Tensor::vector, 3, 1), (Signs{1, -1, 1}));
  EXPECT_EQ(signs(Tensor::covector, 6, 2), (Signs{1, 1, -1, 1, 1, -1})) << "two covectors in one group";
  EXPECT_EQ(signs(Tensor::symmetric, 6, 0), (Signs{1, -1, -1, 1, 1, 1})) << "xx xy xz yy yz zz";
  EXPECT_EQ(signs(Tensor::symmetric, 6, 1), (Signs{1, -1, 1, 1, -1, 1}));
  EXPECT_EQ(signs(Tensor::symmetric_up, 6, 2), (Signs{1, 1, -1, 1, -1, 1}));

  ThornRecord r;
  declare(r, 5).tensor(Tensor::vector, {"v3", "v1", "v4"}, 1);
  EXPECT_EQ(signs_of(r.groups[0], 0), (Signs{1, 1, 1, -1, 1})) << "a vector among scalars";
  EXPECT_EQ(r.groups[0].characters[4].component, "Z");
  EXPECT_EQ(r.groups[0].characters[4].weight, 1);
  const auto named = [&](const char* components, int n, bool axial, int axis) {
    ThornRecord of;
    auto g = declare(of, n);
    g.tensor(components, of.groups[0].variables, axial);
    return signs_of(of.groups[0], axis);
  };
  EXPECT_EQ(named("xy xz yz", 3, false, 0), (Signs{-1, -1, 1})) << "an antisymmetric pair";
  EXPECT_EQ(named("X Y Z", 3, true, 0), (Signs{1, -1, -1})) << "an axial vector";
  EXPECT_EQ(named("", 2, true, 2), (Signs{-1, -1})) << "axial scalars";
  EXPECT_EQ(named("xxx xxY", 2, false, 0), (Signs{-1, 1}));
  EXPECT_THROW(declare(r, 4).tensor(Tensor::vector), Error);
  EXPECT_THROW(declare(r, 4).tensor(Tensor::vector, {"v0", "v1", "w"}), Error);
}
