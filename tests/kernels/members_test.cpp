// Kernels of many members and outputs, and handles in any order.
// Mutations seen to fail: see each test.
#include <gtest/gtest.h>

#include "cereus/make_table.hpp"

using namespace cereus;

namespace {
template <class F> struct One { F v; };
template <class F> struct Two { F a, b; };

// Twenty members, outputs before inputs and parameters between them.
struct Twenty {
  Write<Two, interior, double> w;
  double p1, p2, p3, p4, p5, p6, p7, p8, p9;
  Read<One, star<1>, double> r;
  int q1, q2, q3, q4, q5, q6;
  Read<Two, pointwise, double> s;
  float last1, last2;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(w.a) = p(s.a) + p1 + q6;
    p(w.b) = at<1, 0, 0>(p, r.v) * last2;
  }
};
struct Forgetful {
  Read<One, pointwise, double> r;
  Write<Two, interior, double> w;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(w.a) = p(r.v);
    if (p(r.v) > 0) p(w.b) = 1;
  }
};
struct Careful {  // would not end on made-up numbers
  static constexpr bool record = false;
  Read<One, star<2>, double> r;
  Write<One, interior, double> w;
  CEREUS_KERNEL void operator()(auto& p) const {
    double x = p(r.v);
    while (x != 0) x = x * x;
    p(w.v) = x;
  }
};
template <class K> std::vector<Recording> recorded() {
  const KernelTable table = detail::make_table<K, 3, double>();
  std::vector<Recording> seen(static_cast<std::size_t>(table.handles));
  table.loops().record(table.kernel.get(), seen.data());
  return seen;
}
}  // namespace

// Mutation: for_each_member in place of for_each_handle in number_handles, or the two calls in it exchanged.
TEST(Members, inputs_are_numbered_before_outputs) {
  const Kernel<Twenty, 3, double> k;
  EXPECT_EQ(detail::member_count<Twenty>(), 20);
  EXPECT_EQ(k.table().handles, 5);
  EXPECT_EQ(k.table().outputs, 2);
  ASSERT_EQ(k.table().accesses.size(), 3u);
  EXPECT_EQ(k.table().accesses[0].key, group_key<One>());
  EXPECT_EQ(k.table().accesses[1].mode, Mode::read);
  EXPECT_EQ(k.table().accesses[2].mode, Mode::write);
  EXPECT_TRUE(k.table().fusable) << "an update can be fused in, whatever the order of the members";
  const auto seen = recorded<Twenty>();
  EXPECT_EQ(seen[0].reach, 1);
  EXPECT_EQ(seen[1].reach, 0);
}

// Mutation: `written[h] || …` in record().
TEST(Members, an_output_that_is_left_out_at_some_points_shows) {
  const auto seen = recorded<Forgetful>();
  EXPECT_TRUE(seen[1].written);
  EXPECT_FALSE(seen[2].written);
}

// Mutation: may_record() always true: the test does not end.
TEST(Members, a_kernel_may_refuse_made_up_numbers) {
  const auto seen = recorded<Careful>();
  EXPECT_EQ(seen[0].reach, 2);
  EXPECT_TRUE(seen[1].written);
}
