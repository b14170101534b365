// Factors of states add up to 1 exactly, in both scalar types: else each step would add to what is conserved. What
// finer levels see of a step agrees with the stages of two steps of half the length. Mutations that make it fail: 1. /
// 3 in place of `third`; in_float() without its last factor; 3. / 8 for 1. / 8 in the last row of RK4; keeping_start()
// that leaves the last stage in R0.
#include "method.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace MoL {
TEST(Method, FactorsOfStatesAddUpToOne) {
  for (const char* name : {"Euler", "RK2", "SSPRK2", "RK3", "SSPRK3", "RK4"}) {
    const Method method = make_method(name);
    const Method single = in_float(method);
    for (std::size_t n = 0; n < method.stages.size(); ++n) {
      double sum = 0;
      float sum_in_float = 0;
      for (const Term& t : method.stages[n].terms) sum += t.factor;
      for (const Term& t : single.stages[n].terms) {
        EXPECT_EQ(t.factor, static_cast<float>(t.factor)) << name;
        sum_in_float += static_cast<float>(t.factor);
      }
      EXPECT_EQ(sum, 1) << name << ", stage " << n;
      EXPECT_EQ(sum_in_float, 1) << name << ", stage " << n;
    }
  }
}

namespace {
using State = std::array<double, 2>;
State rhs(const State& y) { return {y[1] + 0.3 * y[0] * y[1], -std::sin(y[0]) - 0.1 * y[1] * y[1]}; }

// The registers after a step; `stages`: what each stage begins with, too.
std::vector<State> step(const Method& m, const State& y, double dt, std::vector<State>* stages = nullptr) {
  std::vector<State> r(static_cast<std::size_t>(m.registers));
  r[0] = y;
  int current = 0;
  for (const Stage& stage : m.stages) {
    if (stages) stages->push_back(r[current]);
    const State k = rhs(r[current]);
    State sum{};
    for (int d = 0; d < 2; ++d) {
      for (const Term& t : stage.terms) sum[d] += t.factor * r[t.source][d];
      sum[d] += stage.weight * dt * k[d];
    }
    r[stage.target] = sum;
    current = stage.current;
  }
  return r;
}

// The largest difference between what is seen and the stages of two steps of dt / 2.
double difference(const std::string& name, double dt) {
  const Method method = make_method(name), kept = keeping_start(method);
  const State y{0.7, 0.4};
  const auto coarse = step(kept, y, dt);
  std::vector<State> fine;
  State half = y;
  for (int n = 0; n < 2; ++n) half = step(method, half, dt / 2, &fine)[method.stages.back().current];
  double most = 0;
  for (std::size_t n = 0; n < fine.size(); ++n)
    for (int d = 0; d < 2; ++d) {
      double seen = 0;
      for (std::size_t r = 0; r < coarse.size(); ++r) seen += kept.seen_by_finer[n][r] * coarse[r][d];
      most = std::max(most, std::abs(seen - fine[n][d]));
    }
  return most;
}
}  // namespace

TEST(Method, FinerLevelsSeeStagesOfTheirOwnSteps) {
  for (const char* name : {"Euler", "RK2", "SSPRK2", "RK3", "SSPRK3", "RK4"}) {
    const Method m = make_method(name);
    ASSERT_EQ(m.seen_by_finer.size(), 2 * m.stages.size());
    for (const auto& sum : m.seen_by_finer) ASSERT_EQ(static_cast<int>(sum.size()), keeping_start(m).registers) << name;
    const double coarse = difference(name, 0.02), fine = difference(name, 0.01);
    EXPECT_LT(fine, std::max(1e-15, coarse / std::exp2(m.order - 0.1))) << name;  // Euler's agree but for rounding
    EXPECT_EQ(step(keeping_start(m), {1, 0}, 0.1)[0], (State{1, 0})) << name;
  }
  for (const char* name : {"RK45", "RKF78", "DP87"}) EXPECT_TRUE(make_method(name).seen_by_finer.empty());
}
}  // namespace MoL
