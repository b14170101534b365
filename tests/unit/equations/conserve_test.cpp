// Which right-hand sides lose a sum. Mutation seen to fail: a stored name looked into.
#include "equations/conserve.hpp"

#include <gtest/gtest.h>
namespace cereus::equations {
namespace {
std::vector<std::string> of(const std::string& rhs, const std::string& let = "") {
  const Source source({"e.edl", 0, 0},
      "thorn E \"e\"\nparameter\n  M = 1 in (0, inf) \"m\"\nevolve state \"s\"\n  c, v_i\noperators centred(2)\nlet\n  "
      "k = c\n" +
          let + "initial\n  c = x\n  v_i = 0\nrhs\n  D_t c = " + rhs + "\n  D_t v_i = 0\n");
  const ThornText text = parse(source);
  EXPECT_TRUE(source.problems().empty());
  return lost_sums(text, source);
}
TEST(Conserve, LinearFluxesKeepTheSum) {
  for (const char* rhs : {"D_ii c", "M D_ii c", "-D_i v_i", "D_ii (M c / 2 - 3 k)", "c^2 + c v_i v_i"})
    EXPECT_TRUE(of(rhs).empty()) << rhs;
  EXPECT_TRUE(of("M D_ii mu", "  store mu = c^3 - c\n").empty());
}
TEST(Conserve, ExpandedProductsDoNot) {
  for (const char* rhs : {"D_ii (c^3)", "-D_i (c v_i)", "D_i (sin(c) v_i)", "D_ii (c / k)"})
    EXPECT_EQ(of(rhs).size(), 1U) << rhs;
  const auto lines = of("M D_ii mu", "  mu = c^3 - c\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("line 14: the sum of c ")) << lines[0];
}
}  // namespace
}  // namespace cereus::equations
