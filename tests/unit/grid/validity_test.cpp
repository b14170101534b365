// The rules of docs/concepts/validity-and-sync.md: what a write makes valid, and what it makes stale.
#include "cereus/validity.hpp"

#include <gtest/gtest.h>

using namespace cereus;

namespace {
constexpr Why why{7, 3}, other{1, 1};
constexpr std::uint8_t x_faces = 3, all_faces = 63;

// Everything valid, three layers deep, in both spaces: so that a test sees what a write takes away.
Validity all_valid() {
  Validity v;
  for (auto& r : v.in) {
    r.interior = true, r.boundary = all_faces;
    r.ghosts.fill({3, 3});
    r.why_interior = r.why_boundary = r.why_ghosts = other;
  }
  return v;
}
const GhostDepth& copied(const RegionValidity& r) { return r.ghosts[static_cast<int>(GhostKind::copied)]; }
bool no_ghosts(const RegionValidity& r) {
  for (const auto& g : r.ghosts)
    if (g.faces || g.full) return false;
  return true;
}
}  // namespace

// Mutation: RegionValidity::interior = true, or a default depth.
TEST(Validity, nothing_is_assumed_valid) {
  for (const auto& r : Validity{}.in) {
    EXPECT_FALSE(r.interior);
    EXPECT_EQ(r.boundary, 0);
    EXPECT_TRUE(no_ghosts(r));
  }
}

// Mutation: drop `drop_derived` in wrote_interior, or call it for the space that was written only.
TEST(Validity, a_write_of_the_interior_makes_stale_what_is_derived_in_every_space) {
  for (Space space : {Space::host, Space::device}) {
    auto v = all_valid();
    v.wrote_interior(space, why);
    for (const auto& r : v.in) {
      EXPECT_EQ(r.boundary, 0);
      EXPECT_TRUE(no_ghosts(r));
    }
  }
}

// Mutation: drop `r.interior = false`, which lost data in the Accelerator of 2012.
TEST(Validity, a_write_of_the_interior_is_valid_in_its_own_space_alone) {
  auto v = all_valid();
  v.wrote_interior(Space::device, why);
  EXPECT_TRUE(v[Space::device].interior);
  EXPECT_FALSE(v[Space::host].interior);
}

// Mutation: `boundary = faces` for `|= faces`, which forgets the other faces; drop_derived in wrote_boundary.
TEST(Validity, a_write_of_some_faces_keeps_the_rest) {
  Validity v;
  v.wrote_interior(Space::host, other);
  v.filled_ghosts(Space::host, only_copied, {2, 1}, other);
  v.wrote_boundary(Space::host, x_faces, why);
  v.wrote_boundary(Space::host, 12, why);
  const auto& r = v[Space::host];
  EXPECT_EQ(r.boundary, 15);
  EXPECT_TRUE(r.interior);
  EXPECT_EQ(copied(r).faces, 2);
}

// Mutation: leave other spaces alone in wrote_boundary; or clear all their faces.
TEST(Validity, a_write_of_some_faces_is_invalid_in_other_spaces) {
  auto v = all_valid();
  v.wrote_boundary(Space::host, x_faces, why);
  EXPECT_EQ(v[Space::host].boundary, all_faces);
  EXPECT_EQ(v[Space::device].boundary, all_faces & ~x_faces);
  EXPECT_TRUE(v[Space::device].interior);
}

// Mutation: all_layers in filled_boundary, so that a box reads what a condition made of stale ghost zones; or clear the
// other space there, as if it were a write.
TEST(Validity, a_condition_is_right_as_far_along_a_face_as_the_ghost_zones) {
  Validity v;
  v.wrote_interior(Space::host, other);
  v.filled_ghosts(Space::host, only_copied, {3, 1}, other);
  v[Space::device].boundary = all_faces;
  v.filled_boundary(Space::host, only_copied, all_faces, why);
  EXPECT_EQ(v[Space::host].boundary, all_faces);
  EXPECT_EQ(v[Space::host].along, 1);
  EXPECT_EQ(v[Space::host].why_boundary.routine, why.routine);
  EXPECT_EQ(v[Space::device].boundary, all_faces);
  v.wrote_boundary(Space::host, all_faces, why);
  EXPECT_EQ(v[Space::host].along, all_layers);
  v.wrote_interior(Space::host, why);
  EXPECT_EQ(v[Space::host].along, 0);
}

// Mutation: depth − 1 in wrote_everywhere; or `full` left at 0; or the other space left as it was.
TEST(Validity, a_write_everywhere_leaves_full_depth) {
  auto v = all_valid();
  v.wrote_everywhere(Space::device, x_faces, 4, why);
  const auto& r = v[Space::device];
  EXPECT_TRUE(r.interior);
  EXPECT_EQ(r.boundary, x_faces);
  for (const auto& g : r.ghosts) {
    EXPECT_EQ(g.faces, 4);
    EXPECT_EQ(g.full, 4);
  }
  const auto& h = v[Space::host];
  EXPECT_FALSE(h.interior);
  EXPECT_EQ(h.boundary, 0);
  EXPECT_TRUE(no_ghosts(h));
}

// Mutation: filled_ghosts writes to all kinds, or to all spaces, or stores `faces` in `full`.
TEST(Validity, ghosts_are_counted_by_kind_and_twice) {
  Validity v;
  v.filled_ghosts(Space::host, only_copied, {3, 1}, why);
  EXPECT_EQ(copied(v[Space::host]).faces, 3);
  EXPECT_EQ(copied(v[Space::host]).full, 1);
  EXPECT_EQ(v[Space::host].ghosts[static_cast<int>(GhostKind::symmetry)].faces, 0);
  EXPECT_EQ(v[Space::host].ghosts[static_cast<int>(GhostKind::interpolated)].faces, 0);
  EXPECT_TRUE(no_ghosts(v[Space::device]));
  EXPECT_FALSE(v[Space::host].interior);
}

// Mutation: invalidate() forgets one of the three regions or one of the spaces.
TEST(Validity, invalidate_takes_everything) {
  auto v = all_valid();
  v.invalidate(why);
  for (const auto& r : v.in) {
    EXPECT_FALSE(r.interior);
    EXPECT_EQ(r.boundary, 0);
    EXPECT_TRUE(no_ghosts(r));
    EXPECT_EQ(r.why_interior.routine, why.routine);
  }
}

// Mutation: any `why_… = why` dropped.
TEST(Validity, every_change_says_why) {
  auto v = all_valid();
  v.wrote_interior(Space::host, why);
  for (const auto& r : v.in)
    for (const Why& w : {r.why_interior, r.why_boundary, r.why_ghosts}) EXPECT_EQ(w.iteration, why.iteration);
  v = all_valid();
  v.wrote_boundary(Space::host, x_faces, why);
  EXPECT_EQ(v[Space::host].why_boundary.routine, why.routine);
  EXPECT_EQ(v[Space::host].why_interior.routine, other.routine);
  v.filled_ghosts(Space::host, only_copied, {1, 1}, why);
  EXPECT_EQ(v[Space::host].why_ghosts.iteration, why.iteration);
}

// Mutation: `along` stays, so that corners beside stale ghost zones count as valid; or goes always.
TEST(Validity, stale_ghost_zones_take_the_boundary_made_from_them_along) {
  constexpr GhostKinds kinds = only_copied | interpolated_ghosts;
  Validity v;
  v.wrote_interior(Space::host, why);
  v.filled_ghosts(Space::host, kinds, {3, 3}, why);
  v.filled_boundary(Space::host, kinds, x_faces, why);
  EXPECT_EQ(v[Space::host].along, 3);
  v.drop_interpolated(why);
  EXPECT_EQ(v[Space::host].along, 0);
  EXPECT_EQ(v[Space::host].boundary, x_faces);
  v.wrote_everywhere(Space::host, all_faces, 3, why);
  v.drop_interpolated(why);
  EXPECT_EQ(v[Space::host].along, all_layers) << "a routine gave these values itself";
}

// Mutation: drop `boundary &= constant`, so that it is filled again in each step; or keep it when everything is written
// anew.
TEST(Validity, a_boundary_that_never_changes_outlives_writes_of_the_interior) {
  Validity v;
  v.wrote_interior(Space::device, why);
  v.filled_boundary(Space::device, only_copied, all_faces, why, true);
  v.wrote_interior(Space::device, why);
  EXPECT_EQ(v[Space::device].boundary, all_faces);
  EXPECT_EQ(v[Space::device].along, all_layers);
  v.invalidate(why);  // a cycle of timelevels
  EXPECT_EQ(v[Space::device].boundary, all_faces);
  v.wrote_boundary(Space::device, x_faces, why);
  v.wrote_interior(Space::device, why);
  EXPECT_EQ(v[Space::device].boundary, all_faces & ~x_faces);
  v.wrote_everywhere(Space::host, all_faces, 2, why);
  EXPECT_EQ(v[Space::device].boundary, 0);
}
