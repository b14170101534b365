// What small equations become, evaluated at made-up values: signs of upwinded terms, order of assignments, raised
// indices.
#include "equations/expand.hpp"

#include <gtest/gtest.h>

#include "equations/evaluate.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
// The right-hand side of u in a thorn with these `let` names; leaves have fixed values.
double rate(const std::string& right, const std::string& let = "") {
  const std::string text =
      "thorn T \"t\"\nevolve s \"s\"\n  u, v\n  b_i\n  g_(ij)\n  F_[ij]\nmetric g_ij\noperators centred(4), upwind(4), "
      "dissipation(5)\n" +
      (let.empty() ? "" : "let\n  " + let + "\n") + "rhs\n  D_t u = " + right +
      "\n  D_t v = 0\n  D_t b_i = 0\n  D_t g_ij = 0\n  D_t F_ij = 0\n";
  const auto thorn = read_thorn({"T.edl"}, text);
  const std::map<std::string, double> values{{"u", 2}, {"v", 3}, {"b_x", -1}, {"b_y", 2}, {"b_z", 5}, {"g_xx", 2},
      {"g_yy", 2}, {"g_zz", 2}, {"g_xy", 0}, {"g_xz", 0}, {"g_yz", 0}, {"F_xy", 7}, {"F_xz", 0}, {"F_yz", 0}};
  for (const Assignment& a : thorn->program.kernels[0].assignments.at(3))
    if (thorn->model.variables()[a.variable].name == "u")
      return evaluate(thorn->program.graph, a.value, [&](const Node& n) -> double {
        if (n.op == Op::upwind) return 10 + n.along[0];
        if (n.op == Op::upwind_even) return 100 + n.along[0];
        return values.at(thorn->model.variables()[n.variable].name);
      });
  return NAN;
}
}  // namespace

TEST(Expand, UpwindTakesTheSignOfAllThatStandsBefore) {
  const double odd = -1 * 10 + 2 * 11 + 5 * 12, even = 1 * 100 + 2 * 101 + 5 * 102;
  const std::string b = "g^kl b_l";  // half of b
  EXPECT_DOUBLE_EQ(rate(b + " upwind_k u"), (odd + even) / 2);
  EXPECT_DOUBLE_EQ(rate("-g^kl b_l upwind_k u"), (-odd + even) / 2);
  EXPECT_DOUBLE_EQ(rate("-2 g^kl b_l upwind_k u"), -odd + even);
  EXPECT_DOUBLE_EQ(rate("-(v - 3 + g^kl b_l upwind_k u)"), (-odd + even) / 2);
  EXPECT_DOUBLE_EQ(rate("b_x upwind_x u"), -10 + 100);
  EXPECT_DOUBLE_EQ(rate("v b_x upwind_x u"), 3 * (-10 + 100));
}
TEST(Expand, SumsOverIndices) {
  EXPECT_DOUBLE_EQ(rate("g^ij b_i b_j"), 15);
  EXPECT_DOUBLE_EQ(rate("b^i b_i"), 15);
  EXPECT_DOUBLE_EQ(rate("F_xy + F_yx"), 0);
  EXPECT_DOUBLE_EQ(rate("F_xx"), 0);
  EXPECT_DOUBLE_EQ(rate("det(g)"), 8);
  EXPECT_DOUBLE_EQ(rate("eps_xyz + eps_zyx"), 0);
  EXPECT_DOUBLE_EQ(rate("eps_yzx + 2 eps_xyz"), 3);
  EXPECT_DOUBLE_EQ(rate("delta_ij b^i b^j"), 30. / 4);
}
TEST(Expand, NamesOfParts) {
  EXPECT_DOUBLE_EQ(rate("twice(b)_x", "twice(T)_i = 2 T_i"), -2);
  EXPECT_DOUBLE_EQ(rate("M_xy + M_yx", "M_(ij) = b_i b_j"), -4);
  EXPECT_DOUBLE_EQ(rate("sym(M)_xy", "M_ij = b_i b_j + F_ij"), -2);
  EXPECT_DOUBLE_EQ(rate("det(M)", "M_ij = g_ij + F_ij"), 2 * (2 * 2 + 7 * 7));
  EXPECT_DOUBLE_EQ(rate("inverse(M)^xy", "M_ij = g_ij + F_ij"), -7. / (2 * 2 + 7 * 7));
  EXPECT_DOUBLE_EQ(rate("inverse(M)^yz", "M_(ij) = g_ij + b_i b_j"), rate("inverse(M)^zy", "M_(ij) = g_ij + b_i b_j"));
  for (const char* right :
      {"M_xi inverse(M)^iy + inverse(M)^yi M_ix", "M_xi inverse(M)^ix - 1", "inverse(M)^yi M_iy - 1"})
    EXPECT_NEAR(rate(right, "M_ij = u b_i delta_jx + v delta_iy b_j + F_ij + g_ij"), 0, 1e-14) << right;
  EXPECT_DOUBLE_EQ(rate("inverse(g)^xx + inverse(F2)^x_x", "F2^i_j = g^ik F_kj + v delta^i_j"), 0.5 + 3 / (9 + 12.25));
  EXPECT_DOUBLE_EQ(rate("of(g)^xx", "of(T)^(ij) = inverse(T)^ij + inverse(T)^ji"), 1);
  EXPECT_DOUBLE_EQ(rate("tracefree(M)^x_x", "M_(ij) = b_i b_j"), 0.5 - 5.0);
}
TEST(Expand, MistakesThatWouldBeSilent) {
  std::string many;  // factors: the reader calls itself for each
  for (int n = 0; n < 100'000; ++n) many += "u ";
  for (const char* wrong : {"b_i b_i", "(b^i b_i) (b^i b_i)", "b^i b_i b^i b_i", "upwind_x u", "v (b_x upwind_x u + u)",
           many.c_str(), "1 ? u : v", "b^i sqrt(b^i b_i)"})
    EXPECT_THROW(rate(wrong), Error) << wrong;
}
TEST(Expand, WhatIsDeclaredSymmetricIs) {
  const auto has = [](const std::string& let) { return rate("M_xy", let); };
  EXPECT_NO_THROW(has("M_(ij) = b_i b_j"));
  EXPECT_NO_THROW(has("M_(ij) = D_i b_j + D_j b_i + g_ij exp(b_k b_l g^kl)"));
  EXPECT_NO_THROW(has("M_[ij] = (u + v) (D_i b_j - D_j b_i)"));
  EXPECT_NO_THROW(has("M_(ij) = 1e30 (u^2 - v^2) b_i b_j - 1e30 (u - v) (u + v) b_j b_i + g_ij")) << "round-off";
  EXPECT_THROW(has("M_(ij) = D_i b_j"), Error);
  EXPECT_THROW(has("M_(ij) = g_ij + 1e-6 D_i b_j"), Error);
  EXPECT_THROW(has("M_[ij] = b_i b_j"), Error);
  EXPECT_THROW(has("M_[ij] = D_i b_j - D_j b_i + u delta_ij"), Error) << "its diagonal";
  EXPECT_NO_THROW(rate("twist(b)_xy", "twist(T)_[ij] = D_i T_j - D_j T_i"));
  EXPECT_THROW(rate("twist(b)_xy", "twist(T)_(ij) = T_i D_j u"), Error);
}
TEST(Expand, NumbersAreWrittenAsTheyAre) {
  EXPECT_EQ(print_number(Rational(3)), "Real(3)");
  EXPECT_EQ(print_number(Rational(1, 3)), "Real(1. / 3.)");
  EXPECT_EQ(print_number(Rational("602000000000000000000000")), "Real(602000000000000000000000.)");
}
}  // namespace cereus::equations
