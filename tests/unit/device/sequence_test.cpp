// Which launches count as a repetition of earlier ones.
#include "../../../thorns/AcceleratorCUDA/src/sequence.hpp"

#include <gtest/gtest.h>

using namespace AcceleratorCUDA;
namespace {
const char kernel_a = 0, kernel_b = 0;
Sequence sequence(std::initializer_list<std::pair<const void*, double>> calls, unsigned grid = 7) {
  Sequence s;
  char odd = 'x';
  for (const auto& [function, value] : calls)
    s.add({function, {grid, 1, 1}, {128, 1, 1}, 2, {&odd, &value}, {1, sizeof value}}, "test");
  return s;
}
struct Made {
  int times = 0;
};

TEST(Sequence, KeepsArguments) {
  const Sequence s = sequence({{&kernel_a, 1.5}, {&kernel_b, 2.5}});
  const DeviceCall c = s.call(1);
  EXPECT_EQ(c.function, &kernel_b);
  EXPECT_EQ(*static_cast<const char*>(c.argument[0]), 'x');
  EXPECT_EQ(*static_cast<const double*>(c.argument[1]), 2.5);
  EXPECT_EQ(reinterpret_cast<std::size_t>(c.argument[1]) % alignof(double), 0U);
}
TEST(Sequence, ShapeIsKernelsAndGrids) {
  const Sequence s = sequence({{&kernel_a, 1}, {&kernel_b, 2}});
  EXPECT_TRUE(s.same_shape(sequence({{&kernel_a, 3}, {&kernel_b, 4}})));
  EXPECT_FALSE(s.same_shape(sequence({{&kernel_a, 1}, {&kernel_a, 2}})));
  EXPECT_FALSE(s.same_shape(sequence({{&kernel_a, 1}})));
  EXPECT_FALSE(s.same_shape(sequence({{&kernel_a, 1}, {&kernel_b, 2}}, 8)));
}
TEST(Sequence, ArgumentsAreComparedOneCallAtATime) {
  const Sequence s = sequence({{&kernel_a, 1}, {&kernel_b, 2}}), t = sequence({{&kernel_a, 1}, {&kernel_b, 3}});
  EXPECT_FALSE(s.same_arguments(t));
  EXPECT_TRUE(s.same_arguments(t, 0));
  EXPECT_FALSE(s.same_arguments(t, 1));
}
TEST(Sequence, ForgetsWhenCleared) {
  Sequence s = sequence({{&kernel_a, 1}, {&kernel_b, 2}});
  s.clear();
  EXPECT_EQ(s.size(), 0U);
  const double two = 2;
  s.add({&kernel_b, {1, 1, 1}, {1, 1, 1}, 1, {&two}, {sizeof two}}, "again");
  EXPECT_EQ(*static_cast<const double*>(s.call(0).argument[0]), 2);
  EXPECT_EQ(s.who(0), "again");
}
TEST(Repeats, FindsTheOneWithTheSameArguments) {
  Repeats<Made> known;
  for (double value : {1.0, 2.0}) known.find(sequence({{&kernel_a, value}}));
  for (int n = 1; n < 5; ++n)
    for (double value : {1.0, 2.0}) {
      auto& e = known.find(sequence({{&kernel_a, value}}));
      EXPECT_EQ(e.seen, n);
      EXPECT_TRUE(e.sequence.same_arguments(sequence({{&kernel_a, value}})));
    }
}
TEST(Repeats, UsesTheOldestAgainWhereArgumentsKeepChanging) {
  Repeats<Made> known;
  for (int n = 0; n < 10 * known.a_shape; ++n) {
    auto& e = known.find(sequence({{&kernel_a, n}}));
    EXPECT_EQ(e.seen, n / known.a_shape);
    EXPECT_TRUE(e.sequence.same_arguments(sequence({{&kernel_a, n < known.a_shape ? n : n - known.a_shape}})));
    e.sequence = sequence({{&kernel_a, n}});
  }
}
TEST(Repeats, ForgetsWhatWasNotUsedForLong) {
  Repeats<Made> known;
  for (unsigned n = 1; n <= 2 * known.in_all; ++n) {
    EXPECT_EQ(known.find(sequence({{&kernel_a, 1}}, n + 1)).seen, 0);
    EXPECT_GE(known.find(sequence({{&kernel_b, 1}}, 1)).seen, n > 1 ? 1 : 0);
  }
  EXPECT_EQ(known.find(sequence({{&kernel_a, 1}}, 2)).seen, 0);
}
}  // namespace
