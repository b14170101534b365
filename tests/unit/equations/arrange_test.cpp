// Steps in random orders, with few and with many registers: each step must find the values that it needs.
#include "equations/arrange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace cereus::equations {
namespace {
constexpr int values = 60;

// Each value is made from earlier ones, some in several steps; the last step asks for a few.
std::vector<Step> random_steps(unsigned seed, const std::vector<bool>& in_memory) {
  std::mt19937 engine(seed);
  std::vector<Step> steps;
  std::vector<int> unfinished;  // to which later steps add
  const auto add = [&](int v, bool first) {
    Step s{.out = v, .room = static_cast<int>(engine() % 3), .first = first};
    for (unsigned n = engine() % 3 + 1; n > 0; --n) s.ins.push_back(static_cast<int>(engine() % v));
    std::ranges::sort(s.ins);
    s.ins.erase(std::unique(s.ins.begin(), s.ins.end()), s.ins.end());
    steps.push_back(std::move(s));
  };
  for (int v = 8; v < values; ++v) {
    if (in_memory[v]) continue;
    add(v, true);
    if (engine() % 3 == 0) unfinished.insert(unfinished.end(), {v, v});
    if (!unfinished.empty() && engine() % 2 == 0) {
      const auto some = unfinished.begin() + static_cast<std::ptrdiff_t>(engine() % unfinished.size());
      add(*some, false);
      unfinished.erase(some);
    }
  }
  steps.push_back({.ins = {values - 1, values - 7}, .result = 0});
  return steps;
}

// Follows the moves; a value is known by how many steps have made it.
void expect_found(const std::vector<Step>& steps, const std::vector<bool>& in_memory, int registers) {
  const Placed placed = place(steps, in_memory, registers);
  ASSERT_EQ(placed.before.size(), steps.size());
  std::map<int, int> made, held;             // by value: how often; and in a register
  std::map<int, std::pair<int, int>> slots;  // a value, and as it was then
  for (std::size_t t = 0; t < steps.size(); ++t) {
    for (const Move& m : placed.before[t]) {
      ASSERT_LT(m.slot, placed.slots);
      if (m.kind == Move::Kind::put) {
        ASSERT_TRUE(held.contains(m.value)) << "step " << t;
        slots[m.slot] = {m.value, held[m.value]};
        held.erase(m.value);
      } else if (m.kind == Move::Kind::read) {
        ASSERT_TRUE(in_memory[m.value]);
        held[m.value] = 0;
      } else {
        ASSERT_EQ(slots[m.slot], std::pair(m.value, made[m.value])) << "step " << t;
        held[m.value] = made[m.value];
      }
    }
    auto needed = steps[t].ins;
    if (steps[t].out >= 0 && !steps[t].first) needed.push_back(steps[t].out);
    for (const int v : needed) {
      ASSERT_TRUE(held.contains(v)) << "step " << t << " misses " << v << " with " << registers << " registers";
      ASSERT_EQ(held[v], made[v]);
    }
    if (steps[t].out >= 0) held[steps[t].out] = ++made[steps[t].out];
  }
}
}  // namespace

TEST(Arrange, EachStepFindsItsValues) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::vector<bool> in_memory(values);
    for (int v = 0; v < values; ++v) in_memory[v] = v < 8 || (v + seed) % 7 == 0;
    const auto steps = random_steps(seed, in_memory);
    for (const int registers : {8, 12, 20, 1000}) expect_found(steps, in_memory, registers);
  }
}

TEST(Arrange, NothingMovesWhereRegistersSuffice) {
  const std::vector<bool> in_memory(values);
  std::vector<Step> steps;
  for (int v = 0; v < 10; ++v) steps.push_back({.out = v});
  steps.push_back({.ins = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .result = 0});
  EXPECT_EQ(place(steps, in_memory, 11).cost, 0);
  EXPECT_GT(place(steps, in_memory, 9).slots, 0);
}
// By hand: two values and a result fill three registers, so one of three values waits, the one that is needed last.
TEST(Arrange, WhatIsNeededLastLeaves) {
  std::vector<Step> steps{{.out = 0}, {.out = 1}, {.out = 2}};
  for (const int v : {0, 1, 0, 1, 2}) steps.push_back({.ins = {v}, .result = static_cast<int>(steps.size())});
  const Placed placed = place(steps, std::vector(3, false), 3);
  EXPECT_EQ(placed.slots, 1);
  EXPECT_EQ(placed.cost, 2 + 0.5);
}
}  // namespace cereus::equations
