// The random schedules find what is wrong: each broken Accelerator within its first seeds, and nothing with the real
// one. (The 25 are found by 13 seeds at most.)
//
// Mutations of the test, each seen to fail: a defect that does nothing; the bytes that move compared neither where they
// move nor in the forecast (CopiesAgain, AllComesBackEachIteration); the forecast not compared; values not compared
// (HostDoesNotWait); nobody refused at the end (UnknownIsOnHost); the real Accelerator without copies of ghost zones
// (RealAccelerator). CEREUS_TRACE=1 names each routine before it runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "accelerator/broken_accelerators.hpp"

namespace {
constexpr int seeds = 30;

std::string first_finding(int seed, const Schedules::Replace& replace) {
  Schedules one(static_cast<std::uint64_t>(seed), replace);
  one.run();
  return one.findings.count() ? one.findings.first() : "";
}
class BrokenAccelerators : public ::testing::TestWithParam<BrokenAccelerator> {};
}  // namespace

TEST_P(BrokenAccelerators, are_found) {
  for (int seed = 1; seed <= seeds; ++seed)
    if (const auto found = first_finding(seed, GetParam().make); !found.empty()) {
      fmt::print("{}: seed {}: {}\n", GetParam().name, seed, found);
      return;
    }
  ADD_FAILURE() << GetParam().name << " is not found by " << seeds << " seeds";
}
INSTANTIATE_TEST_SUITE_P(
    , BrokenAccelerators, ::testing::ValuesIn(broken_accelerators()), [](const auto& info) { return info.param.name; });

TEST(RealAccelerator, is_found_right) {
  for (int seed = 1; seed <= seeds; ++seed) EXPECT_EQ(first_finding(seed, faithful()), "") << "seed " << seed;
}
