// Operators of a text's own, and those from one side: exact on the polynomials that their formulas are exact on, along
// each axis.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "equations/evaluate.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
std::unique_ptr<Thorn> thorn_of(const std::string& right, const std::string& operators) {
  return read_thorn({"T.edl"}, "thorn T \"t\"\nparameter\n  a = 3 \"a number\"\nevolve s \"s\"\n  u, v\n" + operators +
                                   "operators centred(2)\nrhs\n  D_t u = " + right + "\n  D_t v = 0\n");
}
constexpr double h[] = {0.5, 0.25, 0.125}, at[] = {0.75, -0.5, 1.25};

// The right-hand side at a point where u = u(x, y, z) and v = 2 on a grid of `dim` dimensions.
template <class U> double rate(const std::string& right, const std::string& operators, U u, int dim = 3) {
  const auto thorn = thorn_of(right, operators);
  const Graph& g = thorn->program.graph;
  return evaluate(g, thorn->program.kernels[0].assignments.at(dim)[0].value, [&](const Node& n) -> double {
    const auto x = [&](int axis) {
      const int offset = n.op == Op::neighbour ? n.along[axis] : 0;
      return at[axis] + offset * h[axis];
    };
    if (n.op == Op::parameter) return 3;
    if (n.op == Op::coordinate) return at[n.along[0]];
    if (n.op == Op::spacing) return h[n.along[0]];
    if (n.op == Op::inverse_spacing) return 1 / h[n.along[0]];
    return thorn->model.variables()[n.variable].name == "v" ? 2 : u(x(0), x(1), x(2));
  });
}
const std::string ahead = "operator ahead(u) = (u(+1) - u(0)) / h\n",
                  behind = "operator behind(u) = (u(0) - u(-1)) / h\n",
                  fourth = "operator fourth(w) = (w(-2) - 8 w(-1) + 8 w(+1) - w(+2)) / (12 h)\n",
                  mean = "operator mean(u) = 1/2 (u(+1) + u(-1))\n";
}  // namespace

TEST(Operator, IsExactOnPolynomials) {
  const auto line = [](double x, double y, double z) { return 3 * x - 5 * y + 7 * z; };
  EXPECT_DOUBLE_EQ(rate("ahead_x u", ahead, line), 3);
  EXPECT_DOUBLE_EQ(rate("behind_y u", behind, line), -5);
  const auto cubic = [](double x, double y, double z) { return x * x * x * x + y * y * y + x * z; };
  EXPECT_NEAR(rate("fourth_x u", fourth, cubic), 4 * at[0] * at[0] * at[0] + at[2], 1e-12);
  EXPECT_NEAR(rate("fourth_y u", fourth, cubic), 3 * at[1] * at[1], 1e-12);
  const auto square = [](double x, double y, double) { return x * x - 3 * y * y; };
  EXPECT_NEAR(rate("ahead_i behind_i u", ahead + behind, square), 2 - 6, 1e-12);
  EXPECT_NEAR(rate("ahead_x u", ahead, square), 2 * at[0] + h[0], 1e-12);
  const auto product = [](double x, double y, double z) { return x * y * z; };
  EXPECT_NEAR(rate("ahead_x behind_y u", ahead + behind, product), at[2], 1e-12);
  EXPECT_NEAR(rate("ahead_xy u", ahead, product), at[2], 1e-12);
}
// Mutation: fornberg(1, 1 - order, 1) for `backward` in one_sided.cpp (its reach is then one less).
TEST(Operator, FromOneSideIsExactToItsOrder) {
  for (const int n : {1, 2, 3, 6, 16}) {
    const std::string operators = fmt::format("operators forward({0}), backward({0})\n", n);
    for (const auto& [name, axis] : {std::pair("forward_x u", 0), std::pair("backward_z u", 2)}) {
      const auto power = [&, axis = axis](int k) {  // of the distance, which is 1 at the farthest neighbour
        return [=](double x, double y, double z) {
          const double s = (std::array{x, y, z}[axis] - at[axis]) / (n * h[axis]);
          return 2 + 3 * s + std::pow(s, k);
        };
      };
      const double exact = 3 / (n * h[axis]);
      EXPECT_NEAR(rate(name, operators, power(n)), exact * (n == 1 ? 4. / 3 : 1), 1e-10) << name << n;
      EXPECT_GT(std::abs(rate(name, operators, power(n + 1)) - exact), 1e-8) << name << n;
    }
  }
}
TEST(Operator, IsOfExpressions) {
  const auto x_alone = [](double x, double, double) { return x; };
  EXPECT_NEAR(rate("ahead_x (u v x)", ahead, x_alone), 2 * (2 * at[0] + h[0]), 1e-12);
  EXPECT_NEAR(rate("mean_x sin(u)", mean, x_alone), std::sin(at[0]) * std::cos(h[0]), 1e-12);
  EXPECT_NEAR(rate("up_x u", "operator up(u) = max(0, u(+1)) a\n", x_alone), 3 * (at[0] + h[0]), 1e-12);
}
TEST(Operator, AlongAnAxisThatTheGridLacksAllIsTheSame) {
  const auto plane = [](double x, double y, double) { return x + y; };
  EXPECT_DOUBLE_EQ(rate("ahead_x u + ahead_y u + ahead_z u", ahead, plane, 1), 1);
  EXPECT_DOUBLE_EQ(rate("mean_y u", mean, plane, 1), at[0] + at[1]);
}
TEST(Operator, SaysHowFarItReads) {
  const auto reach = [](const std::string& right) {
    const std::string operators = ahead + behind + fourth + "operators forward(3), backward(4)\n";
    const std::string text = print_kernels(thorn_of(right, operators)->program);
    const auto begin = text.find("Read<");
    return text.substr(begin, text.find(';', begin) - begin);
  };
  EXPECT_EQ(reach("ahead_x u + ahead_y u"), "Read<CalcRhsReadsS, star<1>, Real> s_");
  EXPECT_EQ(reach("fourth_z u + v"), "Read<S, star<2>, Real> s_");
  EXPECT_EQ(reach("ahead_x behind_y u"), "Read<CalcRhsReadsS, box<1>, Real> s_");
  EXPECT_EQ(reach("fourth_xx u"), "Read<CalcRhsReadsS, star<4>, Real> s_");
  EXPECT_EQ(reach("behind_x u + D_x v"), "Read<S, star<1>, Real> s_");
  EXPECT_EQ(reach("forward_x u"), "Read<CalcRhsReadsS, star<3>, Real> s_");
  EXPECT_EQ(reach("backward_y u"), "Read<CalcRhsReadsS, star<4>, Real> s_");
}
}  // namespace cereus::equations
