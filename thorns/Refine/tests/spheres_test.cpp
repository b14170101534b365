// Which boxes meet a ball, and what a sphere is written like.
// Mutations seen to fail: distances along x alone; no images across the ends of periodic axes; no images some periods
// off.
#include "spheres.hpp"

#include <gtest/gtest.h>

using namespace cereus;
using namespace Refine;

namespace {
Patch unit(bool periodic) {
  Patch p;
  p.cells = {{0, 0, 0}, {10, 10, 1}};
  p.periodic = {periodic, periodic, false};
  p.spacing = {0.1, 0.1, 1};
  return p;
}
bool meets_corner(bool periodic, std::array<double, 2> centre, double radius) {
  return meets(unit(periodic), {{0, 0, 0}, {2, 2, 1}}, 2, centre, radius);  // from 0 to 0.2 along both axes
}
}  // namespace

TEST(Spheres, MeetBoxes) {
  EXPECT_TRUE(meets_corner(false, {0.1, 0.1}, 1e-9));
  EXPECT_TRUE(meets_corner(false, {0.5, 0.1}, 0.31));
  EXPECT_FALSE(meets_corner(false, {0.5, 0.1}, 0.29));
  EXPECT_FALSE(meets_corner(false, {0.5, 0.6}, 0.49));  // 0.3 and 0.4 off a corner
  EXPECT_TRUE(meets_corner(false, {0.5, 0.6}, 0.51));
  EXPECT_FALSE(meets_corner(false, {0.95, 0.1}, 0.1));
  EXPECT_TRUE(meets_corner(true, {0.95, 0.1}, 0.1));
  EXPECT_TRUE(meets_corner(true, {0.95, 0.95}, 0.08));
  EXPECT_FALSE(meets_corner(true, {0.95, 0.95}, 0.07));
  EXPECT_TRUE(meets_corner(true, {5.1, -3.9}, 0.01));  // some periods off
}

TEST(Spheres, AreWrittenAsOneLine) {
  const Sphere at = sphere_of("3 0.5 at 1 -2 3e-1", {}), around = sphere_of(" 4  .25 around PunctureTracker 2 ", {});
  EXPECT_EQ(at.level, 3);
  EXPECT_EQ(at.at, (std::vector<double>{1, -2, 0.3}));
  EXPECT_EQ(around.thorn, "PunctureTracker");
  EXPECT_EQ(around.n, 2);
  EXPECT_EQ(around.arrays()[2], "PunctureTracker::z");
  for (const char* wrong : {"", "3", "3 0.5", "3 0.5 at", "3 0.5 at 1", "3 0.5 at 1 2 3 4", "3 0.5 at 1 2 x",
           "x 0.5 at 0 0", "3 nan at 0 0", "3 0 at 0 0", "3 0.5 around", "3 0.5 around P", "3 0.5 around P 0",
           "3 0.5 around P 1 2", "3 0.5 near 0 0", "3.5 1 at 0 0"})
    EXPECT_THROW(sphere_of(wrong, {}), Error) << wrong;
}
