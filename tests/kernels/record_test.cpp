// What a recording point sees of a kernel, and what it allows for where it cannot see all.
#include <gtest/gtest.h>

#include "cereus/make_table.hpp"

using namespace cereus;

namespace {
template <class F> struct State { F u, v; };
template <class F> struct Rhs { F r; };

template <int dim, class Real> struct Plain {
  Read<State, star<2>, Real> s;
  Write<Rhs, interior, Real> w;
  CEREUS_KERNEL void operator()(auto& p) const { p(w.r) = p(s.v) + at<0, 2, 0>(p, s.u); }
};
// Upwind differences: the neighbour depends on the sign.
template <int dim, class Real> struct Upwind {
  Read<State, star<2>, Real> s;
  Write<Rhs, interior, Real> w;
  CEREUS_KERNEL void operator()(auto& p) const {
    if (p(s.v) > 0) p(w.r) = at<-1, 0, 0>(p, s.u);
    else p(w.r) = at<2, 0, 0>(p, s.u);
  }
};
template <int dim, class Real> struct Around {
  Read<State, box<1>, Real> s;
  Write<Rhs, interior, Real> w;
  CEREUS_KERNEL void operator()(auto& p) const { p(w.r) = at<1, 1, 0>(p, s.v); }
};

template <class K> std::vector<Recording> recorded() {
  std::vector<Recording> seen(static_cast<std::size_t>(detail::handle_count<K>.all));
  const K k{};
  detail::record<K, 3>(&k, seen.data());
  return seen;
}
}  // namespace

// Mutation: `max(list[v.n].reach, o)` -> `o`.
TEST(Record, sees_what_is_read_at_an_offset) {
  const auto seen = recorded<Plain<3, double>>();
  EXPECT_EQ(seen[0].reach, 2);
  EXPECT_FALSE(seen[0].corners);
  EXPECT_EQ(seen[1].reach, 0);
}
TEST(Record, sees_corners) {
  const auto seen = recorded<Around<3, float>>();
  EXPECT_EQ(seen[0].reach, 0);
  EXPECT_TRUE(seen[1].reach == 1 && seen[1].corners);
}
// Mutation: `varies` never set: v would count as read at the point alone, which is right here, but not known.
TEST(Record, allows_for_all_where_reads_depend_on_data) {
  const auto seen = recorded<Upwind<3, double>>();
  EXPECT_EQ(seen[0].reach, 2);
  EXPECT_EQ(seen[1].reach, 2);
}
