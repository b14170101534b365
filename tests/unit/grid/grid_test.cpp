#include <cereus/grid.hpp>

#include <gtest/gtest.h>

using namespace cereus;

// Mutation: every face at an end of the index space becomes `outer`.
TEST(Grid, keeps_the_faces_that_its_maker_has_said) {
  Grid g;
  g.dim = 2, g.ghosts = {1, 1, 0};
  Level level;
  level.space.cells = {{0, 0, 0}, {8, 8, 1}};
  level.space.periodic = {0, 0, 0};
  Block left, right;
  left.cells = {{0, 0, 0}, {4, 8, 1}}, right.cells = {{4, 0, 0}, {8, 8, 1}};
  right.face[1] = Face::patch;
  g.add(level, {left, right});
  EXPECT_EQ(g.blocks[0].face[0], Face::outer);
  EXPECT_EQ(g.blocks[0].face[1], Face::neighbour);
  EXPECT_EQ(g.blocks[1].face[1], Face::patch);
  EXPECT_EQ(g.blocks[1].face[3], Face::outer);
}
