// Kernels that read several variables before they write one, as a device does, against one after another: at a point,
// for each number of variables, all memory has the same bits afterwards.
// Mutations seen to fail, in kernels.hpp: `min(first + n, end - 1)` → `min(n, end - 1)`; in Mirror
// `first + n < end` left out; `sign.of[v]` → `sign.of[n]`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels.hpp"

namespace Boundary {
namespace {
constexpr int side = 7, middle = side / 2, points = side * side * side;

// The variables of a launch, and their right-hand sides, on a cube of points.
struct Memory {
  std::vector<double> values = std::vector<double>(2 * together * points);
  std::vector<char*> address;
  Geometry geometry{};
  Memory() {
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = std::sin(12.9898 * static_cast<double>(n));
    for (int v = 0; v < 2 * together; ++v) address.push_back(reinterpret_cast<char*>(&values[v * points]));
    for (int d = 0; d < 3; ++d) geometry.origin[d] = 0.3 + d, geometry.spacing[d] = 0.5, geometry.inv_spacing[d] = 2;
  }
  DirectPoint<3> point() { return {{geometry, middle, middle, middle}, address.data(), points / 2, side, side * side}; }
};

// Of fewer variables the last one repeats.
void number(auto& handles, int first, int count) {
  for (int n = 0; n < together; ++n) handles.v[n].n = first + std::min(n, count - 1);
}
void expect_same(const auto& kernel, const char* what) {
  Memory one, eight;
  auto p = one.point(), q = eight.point();
  kernel(p);
  constexpr int many = std::remove_cvref_t<decltype(kernel)>::at_once;
  for (int first = 0; first < kernel.picks(); first += many)
    kernel.template by_groups<many>(q, first, std::min(first + many, kernel.picks()));
  EXPECT_EQ(std::memcmp(one.values.data(), eight.values.data(), one.values.size() * sizeof(double)), 0)
      << what << ", " << kernel.face.count << " variables";
}
// The face across x is one point inwards, or here.
template <class K> void set_face(K& k, int count, bool upper, int away) {
  k.face.axis = 0, k.face.count = count;
  k.face.first = upper ? -100 : middle + away, k.face.last = upper ? middle - away : 100;
  for (int n = 0; n < together; ++n) k.face.value[n][0] = n + 0.25, k.face.value[n][1] = -n - 0.75;
}

TEST(Groups, OfMirrorImages) {
  for (int count = 1; count <= together; ++count)
    for (const bool upper : {false, true})
      for (const bool shifted : {false, true}) {
        Mirror<3, double> k{};
        number(k.to, 0, count), set_face(k, count, upper, 1);
        k.low = 2 * middle + 1, k.high = 2 * middle - 1, k.shifted = shifted;
        for (int n = 0; n < together; ++n) k.sign.of[n] = n % 2 ? -1 - n : 1 + n;
        expect_same(k, "Mirror");
      }
}
TEST(Groups, OfPolynomials) {
  for (int count = 1; count <= together; ++count)
    for (const bool upper : {false, true}) {
      Extrapolate<3, double> k{};
      number(k.to, 0, count), set_face(k, count, upper, 1);
      k.order = 2;
      for (int j = 0; j <= k.order; ++j) k.weights.of[0][j] = extrapolation_weight(k.order, 1, j);
      expect_same(k, "Extrapolate");
    }
}
TEST(Groups, OfWaves) {
  for (int count = 1; count <= together; ++count)
    for (const bool upper : {false, true}) {
      Radiate<3, double> k{};
      number(k.s, 0, count), number(k.r, together, count), set_face(k, count, upper, 0);
      for (int d = 0; d < 3; ++d) k.waves.first[d] = k.waves.last[d] = Waves<double>::nowhere;
      (upper ? k.waves.last : k.waves.first)[0] = middle, k.power = 2;
      for (int n = 0; n < together; ++n) k.waves.speed[n][0] = 1 + n, k.waves.speed[n][1] = 2 + n;
      expect_same(k, "Radiate");
    }
}
}  // namespace
}  // namespace Boundary
