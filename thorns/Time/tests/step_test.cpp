// The arithmetic of the time step. Mutation: let land() return dt always, or drop the factor 2 dim.
#include "step.hpp"

#include <gtest/gtest.h>

namespace {
using namespace Time;

TEST(Limits, FollowTheirFormulas) {
  EXPECT_DOUBLE_EQ(advective_limit(0.4, 0.1, 2), 0.02);
  EXPECT_EQ(advective_limit(0.4, 0.1, 0), unlimited);
  EXPECT_DOUBLE_EQ(diffusive_limit(0.5, 0.1, 3, 2), 0.5 * 0.01 / 12);
  EXPECT_EQ(diffusive_limit(0.5, 0.1, 3, 0), unlimited);
}

// Steps as a run does; returns their number, and checks that none is longer than dt or much shorter than half.
int run(double dt, double final_time, std::vector<double> intervals, std::vector<double>& times) {
  double t = 0;
  int n = 0;
  for (; t < final_time - 1e-9 * dt && n < 100000; ++n) {
    const double step = land(t, dt, next_landing(t, dt, final_time, intervals));
    EXPECT_LE(step, dt * (1 + 1e-9));
    EXPECT_GE(step, 1e-3 * dt);
    times.push_back(t += step);
  }
  return n;
}
bool visited(const std::vector<double>& times, double t) {
  for (double x : times)
    if (std::fabs(x - t) < 1e-12) return true;
  return false;
}

TEST(Landing, HitsTheFinalTime) {
  for (double dt : {0.1, 0.07, 0.3, 0.999, 2.0}) {
    std::vector<double> times;
    run(dt, 1, {}, times);
    EXPECT_NEAR(times.back(), 1, 1e-14) << dt;
  }
}
TEST(Landing, KeepsAStepThatFits) {
  std::vector<double> times;
  EXPECT_EQ(run(0.125, 1.25, {}, times), 10);
  for (int n = 0; n < 10; ++n) EXPECT_EQ(times[n], 0.125 * (n + 1));
  times.clear();
  EXPECT_EQ(run(0.1, 3, {1.0}, times), 30);  // rounding adds no step
}
TEST(Landing, HitsMultiplesOfAllIntervals) {
  std::vector<double> times;
  run(0.034, 2, {0.1, 0.25}, times);
  for (int n = 1; n <= 20; ++n) EXPECT_TRUE(visited(times, 0.1 * n)) << n;
  for (int n = 1; n <= 8; ++n) EXPECT_TRUE(visited(times, 0.25 * n)) << n;
}
TEST(Landing, NoFinalTimeNoLimit) {
  EXPECT_EQ(next_landing(5, 0.1, -1, {}), unlimited);
  EXPECT_EQ(land(5, 0.1, unlimited), 0.1);
}
}  // namespace
