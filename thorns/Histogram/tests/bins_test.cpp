// Which row counts a value: edges belong to the bin above them, the last one to the last bin.
// Mutations seen to fail: lower_bound (Edges); no rule for the last edge (LastEdge); lower + e (upper − lower) / bins
// for lerp (Ends).
#include "bins.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace Histogram;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST(Bins, Edges) {
  const auto edges = edges_of({-1, 1}, 4);
  ASSERT_EQ(edges, (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  for (int bin = 1; bin <= 4; ++bin) {
    EXPECT_EQ(row_of(edges, edges[bin - 1]), static_cast<std::size_t>(bin));
    EXPECT_EQ(row_of(edges, std::nextafter(edges[bin], -infinity)), static_cast<std::size_t>(bin));
  }
  EXPECT_EQ(row_of(edges, -0.0), 3U);
}

TEST(Bins, LastEdge) {
  EXPECT_EQ(row_of(edges_of({-1, 1}, 4), 1), 4U);
  EXPECT_EQ(row_of(edges_of({2, 2}, 4), 2), 4U);  // all values alike, and so all edges
}

TEST(Bins, Outside) {
  const auto edges = edges_of({-1, 1}, 4);
  for (double below : {-infinity, -1e300, std::nextafter(-1, -2)}) EXPECT_EQ(row_of(edges, below), 0U);
  for (double above : {infinity, 1e300, std::nextafter(1, 2)}) EXPECT_EQ(row_of(edges, above), 5U);
  EXPECT_EQ(row_of(edges, std::nan("")), 6U);
  EXPECT_EQ(rows_of(edges), 7U);
}

TEST(Bins, Ends) {  // exact, also where the width of the range overflows
  constexpr double largest = std::numeric_limits<double>::max();
  for (int bins : {1, 3, 7, 10, 1000})
    for (const Interval& range : {Interval{0.1, 0.7}, {-largest, largest}, {-1e-300, 3e-300}}) {
      const auto edges = edges_of(range, bins);
      ASSERT_EQ(edges.size(), static_cast<std::size_t>(bins) + 1);
      EXPECT_EQ(edges.front(), range.lower);
      EXPECT_EQ(edges.back(), range.upper);
      EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    }
}
