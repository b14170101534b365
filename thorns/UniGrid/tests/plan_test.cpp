// Which points come from where into the ghost zones of blocks that several processes have.
#include <Exchange/pieces.hpp>

#include <gtest/gtest.h>

namespace exchange {
namespace {
using cereus::BlockHome;
constexpr int depth = 2, cells = 8;

// A periodic box of two blocks, one above the other, each of a process of its own.
std::vector<Piece> pieces(bool corners, unsigned axes) {
  cereus::Patch space;
  space.cells.hi = {cells, cells, 2 * cells};
  space.periodic = {1, 1, 1};
  std::vector<BlockHome> blocks;
  for (int n = 0; n < 2; ++n) blocks.push_back({n, n, {{0, 0, n * cells}, {cells, cells, (n + 1) * cells}}});
  return ghost_pieces(space, 3, cereus::BlockIndex(blocks), 0, {}, depth, corners, axes);
}
std::int64_t points_of_first_block(const std::vector<Piece>& all) {
  std::int64_t points = 0;
  for (const Piece& p : all) points += p.target == 0 ? p.to.points() : 0;
  return points;
}
}  // namespace

TEST(GhostPieces, FillAllGhostZones) {
  constexpr std::int64_t wide = cells + 2 * depth;
  EXPECT_EQ(points_of_first_block(pieces(true, cereus::all_axes)), wide * wide * wide - cells * cells * cells);
  EXPECT_EQ(points_of_first_block(pieces(false, cereus::all_axes)), 6 * depth * cells * cells);
}

// Mutation seen to fail: all directions along the axes that are left out.
TEST(GhostPieces, FillThoseAcrossSomeAxesAlone) {
  for (const bool corners : {false, true}) {
    const auto across_z = pieces(corners, 1U << 2);
    EXPECT_EQ(points_of_first_block(across_z), 2 * depth * cells * cells);
    for (const Piece& p : across_z) {
      EXPECT_EQ(p.axis(), 2);
      EXPECT_NE(p.source, p.target);
    }
  }
  const auto across_xz = pieces(true, 1U << 0 | 1U << 2);
  EXPECT_EQ(points_of_first_block(across_xz), ((cells + 2 * depth) * (cells + 2 * depth) - cells * cells) * cells);
  EXPECT_TRUE(pieces(true, 0).empty());
}
}  // namespace exchange
