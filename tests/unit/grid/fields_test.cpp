// Where variables lie in memory, and which buffer is which timelevel.
#include "cereus/fields.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "grid/poison.hpp"

using namespace cereus;

namespace {
Grid grid_of(Index cells, int dim, int ghosts) {
  Grid g;
  g.dim = dim;
  Level l;
  l.space.cells.hi = cells;
  for (int d = 0; d < dim; ++d) g.ghosts[d] = ghosts;
  g.add(l, {{.cells = l.space.cells}});
  return g;
}
Group group_of(ScalarType type, int variables = 2, int timelevels = 1) {
  Group g;
  g.thorn = "T", g.name = "state", g.type = type, g.timelevels = timelevels;
  for (int v = 0; v < variables; ++v) g.variables.push_back(std::string(1, static_cast<char>('a' + v)));
  return g;
}
std::uintptr_t number(const char* p) { return reinterpret_cast<std::uintptr_t>(p); }
}  // namespace

// Mutation: `l.before = front` without round_up; or the pitch not rounded; or 64 for 128 in alignment(), or 32 for 64.
TEST(Fields, rows_are_aligned_at_the_first_interior_point) {
  for (ScalarType type : {ScalarType::float64, ScalarType::float32, ScalarType::complex128, ScalarType::int32})
    for (int ghosts : {0, 1, 2, 3})
      for (Index cells : {Index{7, 5, 3}, Index{13, 4, 6}, Index{64, 3, 3}}) {
        const Grid grid = grid_of(cells, 3, ghosts);
        const Fields f({group_of(type)}, {2}, grid, ScalarType::float64, true);
        const auto& layout = f.layout(0);
        for (int c = 0; c < 2; ++c)
          for (int t = 0; t < 2; ++t)
            for (int k = 0; k < cells[2]; ++k)
              for (int j = 0; j < cells[1]; ++j)
                EXPECT_EQ(
                    (number(f.address(0, c, t, 0)) + layout.at(0, j, k) * size_of(type)) % (cells[0] > 24 ? 128 : 64),
                    0u);
      }
}

// Mutation: drop the line that adds to a power of two.
TEST(Fields, no_pitch_is_a_power_of_two_from_512_up) {
  for (int align : {16, 32})
    for (int n = 1; n < 5000; n += 3) {
      const Grid grid = grid_of({n, 4, 4}, 3, 2);
      const auto pitch = layout_of(grid, align).stride[1];
      EXPECT_FALSE(pitch >= 512 && (pitch & (pitch - 1)) == 0) << n;
      EXPECT_EQ(pitch % align, 0);
    }
}

// Each point of every variable has an element of its own inside the allocation; ASan watches the rest.
// Mutation: one row or layer less in layout_of; `n[d]` without the vertex beyond the last cell.
TEST(Fields, points_with_ghosts_do_not_overlap) {
  for (int dim : {1, 2, 3})
    for (int ghosts : {0, 1, 4}) {
      const Index cells{9, dim > 1 ? 6 : 1, dim > 2 ? 5 : 1};
      const Grid grid = grid_of(cells, dim, ghosts);
      const Fields f({group_of(ScalarType::float64)}, {1}, grid, ScalarType::float64, true);
      const Box box = grid.everywhere(grid.blocks[0], {});
      const auto& layout = f.layout(0);
      double n = 0;
      for (int c = 0; c < 2; ++c)
        for_each_point(box,
            [&](int i, int j, int k) { reinterpret_cast<double*>(f.address(0, c, 0, 0))[layout.at(i, j, k)] = n++; });
      n = 0;
      for (int c = 0; c < 2; ++c)
        for_each_point(box, [&](int i, int j, int k) {
          ASSERT_EQ(reinterpret_cast<double*>(f.address(0, c, 0, 0))[layout.at(i, j, k)], n++);
        });
    }
}

// Mutation: fill_poison with `false`, or over half of the elements.
TEST(Fields, new_memory_is_poison) {
  for (ScalarType type :
      {ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128, ScalarType::int32}) {
    const Grid grid = grid_of({5, 4, 3}, 3, 1);
    const Fields f({group_of(type)}, {1}, grid, ScalarType::float64, true);
    for (int c = 0; c < 2; ++c)
      for_each_point(grid.everywhere(grid.blocks[0], {}), [&](int i, int j, int k) {
        EXPECT_TRUE(
            is_poison(f.address(0, c, 0, 0) + f.layout(0).at(i, j, k) * static_cast<Offset>(size_of(type)), type));
      });
  }
}

// Mutation: bytes_needed forgets buffers, components or padding: what `check` prints is no longer what a run takes.
TEST(Fields, the_memory_foretold_is_the_memory_taken) {
  const Grid grid = grid_of({21, 10, 8}, 3, 2);
  const std::vector<Group> groups{group_of(ScalarType::float64, 3), group_of(ScalarType::float32, 1)};
  const Fields f(groups, {4, 2}, grid, ScalarType::float64, true);
  EXPECT_EQ(f.bytes(), Fields::bytes_needed(groups, {4, 2}, grid, ScalarType::float64));
  EXPECT_GE(f.bytes(), (25 * 14 * 12) * (3 * 4 * 8 + 2 * 4));
}

// Mutation: cycle() shifts the other way; or does not invalidate; or validity is indexed by timelevel, not by buffer.
TEST(Fields, cycle_moves_buffers_with_their_validity) {
  const Grid grid = grid_of({4, 4, 4}, 3, 1);
  Fields f({group_of(ScalarType::float64, 1, 3)}, {4}, grid, ScalarType::float64, true);
  std::vector<char*> at;
  for (int t = 0; t < 4; ++t) at.push_back(f.address(0, 0, t, 0));
  f.validity(0, 0, 0, 0).wrote_interior(Space::host, {5, 0});
  f.validity(0, 0, 1, 0).wrote_interior(Space::host, {4, 0});
  f.cycle(0, 0, 3);
  EXPECT_EQ(f.address(0, 0, 1, 0), at[0]);
  EXPECT_EQ(f.address(0, 0, 2, 0), at[1]);
  EXPECT_EQ(f.address(0, 0, 0, 0), at[2]);
  EXPECT_EQ(f.address(0, 0, 3, 0), at[3]) << "a stage is no timelevel";
  EXPECT_FALSE(f.validity(0, 0, 0, 0)[Space::host].interior);
  EXPECT_EQ(f.validity(0, 0, 1, 0)[Space::host].why_interior.iteration, 5);
  EXPECT_EQ(f.validity(0, 0, 2, 0)[Space::host].why_interior.iteration, 4);
}

// Mutation: cycle() without its early return: the only timelevel would become invalid.
TEST(Fields, one_timelevel_does_not_cycle) {
  const Grid grid = grid_of({4, 4, 4}, 3, 1);
  Fields f({group_of(ScalarType::float64, 1)}, {2}, grid, ScalarType::float64, true);
  f.validity(0, 0, 0, 0).wrote_interior(Space::host, {5, 0});
  const char* at = f.address(0, 0, 0, 0);
  f.cycle(0, 0, 1);
  EXPECT_EQ(f.address(0, 0, 0, 0), at);
  EXPECT_TRUE(f.validity(0, 0, 0, 0)[Space::host].interior);
}

// Mutation: swap() moves addresses but not validity.
TEST(Fields, swap_moves_buffers_with_their_validity) {
  const Grid grid = grid_of({4, 4, 4}, 3, 1);
  Fields f({group_of(ScalarType::float64, 1)}, {3}, grid, ScalarType::float64, true);
  const char *a = f.address(0, 0, 0, 0), *b = f.address(0, 0, 2, 0);
  f.validity(0, 0, 2, 0).wrote_interior(Space::host, {5, 0});
  f.swap(0, 0, 0, 2);
  EXPECT_EQ(f.address(0, 0, 0, 0), b);
  EXPECT_EQ(f.address(0, 0, 2, 0), a);
  EXPECT_TRUE(f.validity(0, 0, 0, 0)[Space::host].interior);
  EXPECT_FALSE(f.validity(0, 0, 2, 0)[Space::host].interior);
}
