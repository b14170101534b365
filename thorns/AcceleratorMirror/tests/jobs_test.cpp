// In which order jobs may come. Mutations, each seen to fail: a writer does not wait for readers; a reader does not
// wait for the writer; a later writer is forgotten; what is alone does not wait, or nobody waits for it; jobs come as
// they were asked for.
#include "jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {
using namespace AcceleratorMirror;

const char memory[3] = {};
Job touching(std::initializer_list<std::pair<int, bool>> where) {
  Job job;
  for (auto [n, written] : where) job.touches[memory + n] = written;
  return job;
}
Job reads(int n) { return touching({{n, false}}); }
Job writes(int n) { return touching({{n, true}}); }
Job alone() { return {{}, true, {}}; }

// All orders that 200 seeds give.
std::set<std::vector<int>> orders(const std::vector<Job>& jobs) {
  std::set<std::vector<int>> found;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    found.insert(some_order(jobs, random));
  }
  return found;
}
using Orders = std::set<std::vector<int>>;

TEST(Jobs, that_touch_nothing_in_common_come_in_any_order) {
  EXPECT_EQ(orders({writes(0), writes(1), writes(2)}).size(), 6u);
  EXPECT_EQ(orders({reads(0), reads(0), reads(0)}).size(), 6u);
}

TEST(Jobs, that_write_what_others_touch_stay_in_order) {
  EXPECT_EQ(orders({writes(0), reads(0)}), (Orders{{0, 1}}));
  EXPECT_EQ(orders({reads(0), writes(0)}), (Orders{{0, 1}}));
  EXPECT_EQ(orders({writes(0), writes(0), writes(0)}), (Orders{{0, 1, 2}}));
  EXPECT_EQ(orders({writes(0), reads(0), reads(0), writes(0)}), (Orders{{0, 1, 2, 3}, {0, 2, 1, 3}}));
  EXPECT_EQ(orders({writes(0), touching({{0, false}, {1, true}}), reads(1)}), (Orders{{0, 1, 2}}));
  EXPECT_EQ(orders({writes(0), writes(1), reads(0)}), (Orders{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}}));
}

TEST(Jobs, of_which_nothing_is_known_stay_in_order_with_all) {
  EXPECT_EQ(orders({writes(0), alone(), writes(1), writes(2), alone(), reads(0)}),
      (Orders{{0, 1, 2, 3, 4, 5}, {0, 1, 3, 2, 4, 5}}));
}
}  // namespace
