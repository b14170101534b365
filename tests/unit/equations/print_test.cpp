// The sources of a small thorn, line by line as they follow from its text. Weights: B. Fornberg, Math. Comp. 51 (1988)
// 699, and halves of (−1/4, −5/6, 3/2, −1/2, 1/12).
#include "equations/print.hpp"

#include <gtest/gtest.h>

#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
constexpr const char* text = R"(thorn T "t"
dimensions 2
parameter
  c = 1/2 in (0, 1] "a number"
  d = 1 in [0, inf) "another"
  order = 4 in {4} "order"
evolve s "s"
  u, v speed -c / 4
  F_[ij] axial
operators centred(order), upwind(order), dissipation(order + 1)
let
  w = u - v
rhs
  D_t u = -(u + v) + c^2 D_yy u - D_x v / w + 2^(c == d ? 1 : 0) F_zy
  D_t v = v upwind_x u + c dissipation v + 1/3 D_xy u - D_xxx v
  D_t F_ij = 0
)";
void expect_lines(const std::string& source, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_NE(source.find(line), source.npos) << line << "\nis not in\n" << source;
}
}  // namespace

TEST(Print, AKernelSaysWhatTheTextSays) {
  expect_lines(print_kernels(read_thorn({"T.edl"}, text)->program),
      {"Read<CalcRhsReadsS, box<order / 2 + 1>, Real> s_;", "    const Real w = u - v;  // line 12\n",
          "    p(s_rhs.u_rhs) = -u - v + c1 * second_derivative<order, 1>(p, s_.u)\n"
          "        - quotient<Real>(derivative<order, 0>(p, s_.v), w) - c2 * p(s_.F_yz);\n",
          "    p(s_rhs.v_rhs) = v * upwind<order, 0>(p, s_.u) + fabs<Real>(v) * upwind_even<order, 0>(p, s_.u)\n"
          "        + c * (dissipation<order + 1, 0>(p, s_.v) + dissipation<order + 1, 1>(p, s_.v))\n"
          "        + Real(1. / 3.) * mixed_derivative<order, 1, 1, 0>(p, s_.u) - derivative_3<order, 0>(p, s_.v);\n",
          "    p(s_rhs.F_xy_rhs) = Real(0);\n"});
}
TEST(Print, OperatorsHaveTheirWeights) {
  expect_lines(print_kernels(read_thorn({"T.edl"}, text)->program),
      {"(order == 4) return Real(p.inv_dx(axis)) * odd_difference<axis>(p, v, 7. / 8, -1. / 4, 1. / 24);",
          "(order == 4) return Real(p.inv_dx(axis)) * even_difference<axis>(p, v, -5. / 6, 5. / 8, -1. / 4, 1. / 24);",
          "(order == 5) return Real(p.inv_dx(axis)) * even_difference<axis>(p, v, -5. / 16, 15. / 64, -3. / 32, 1. / "
          "64);",
          "return Real(p.inv_h(axis) * p.inv_h2(axis)) * odd_difference<axis>(p, v, -13. / 8, 1., -1. / 8);"});
}
TEST(Print, SumsAndReachesOfASmallText) {
  const std::string small =
      "thorn T \"t\"\nparameter\n  order = 4 in {4} \"order\"\n  c = 1 in (0, inf) \"a number\"\nevolve s \"s\"\n"
      "  u, v, w, q speed -c\noperators centred(order), dissipation(order + 1)\n"
      "rhs\n  D_t u = dissipation v\n  D_t v = u v\n  D_t w = -w\n  D_t q = D_xx q\n";
  const auto thorn = read_thorn({"T.edl"}, small);
  expect_lines(print_kernels(thorn->program), {"Read<S, star<order / 2 + 1>, Real> s_;", "p(s_rhs.w_rhs) = -p(s_.w);",
                                                  "p(s_rhs.q_rhs) = second_derivative<order, 0>(p, s_.q);"});
  expect_lines(print_thorn(thorn->program), {"double(-p.real(\"c\"))"});
}
// δ⁶ has binomial weights.
TEST(Print, ALargeKernelHasTheDifferencesOfItsOperators) {
  std::string terms;
  for (int n = 1; n <= 250; ++n) terms += " + cos(" + std::to_string(n) + "/100 u)";
  const std::string large =
      "thorn T \"T\"\nevolve s \"s\"\n  u\noperators upwind(4)\nrhs\n  D_t u = u upwind_x u" + terms + "\n";
  expect_lines(print_kernels(read_thorn({"T.edl"}, large)->program),
      {"  if constexpr (order == 6) return Real(1) * even_difference<axis>(p, v, -20., 15., -6., 1.);"});
}
// Mutations: no #include of noise.hpp; a seed that is left out of the node (one noise for all seeds); a kernel of noise
// that is large.
TEST(Print, NoiseIsOfThePoint) {
  std::string terms;
  for (int n = 1; n <= 250; ++n) terms += " + cos(" + std::to_string(n) + "/100 u)";
  const std::string noisy =
      "thorn T \"T\"\nevolve s \"s\"\n  u\nderive d \"d\"\n  v, w\nlet\n  ripple = noise(7) - 1/2\ninitial\n"
      "  u = 1 + 1/8 ripple - noise(8) ripple\nrhs\n  D_t u = 0\nanalysis\n  v = noise(7)\n  w = noise(7)" +
      terms;
  const std::string kernels = print_kernels(read_thorn({"T.edl"}, noisy)->program);
  expect_lines(
      kernels, {"#include <cereus/kernel/noise.hpp>\n", "    const Real ripple = noise<Real>(p, 7) - Real(0.5);",
                   "    p(new_s.u) = Real(1) + Real(0.125) * ripple - noise<Real>(p, 8) * ripple;\n",
                   "    const Real noise_7 = noise<Real>(p, 7);\n",
                   "    p(new_d.v) = noise_7;\n    p(new_d.w) = noise_7 + cos<Real>("});
  EXPECT_EQ(kernels.find("slots"), kernels.npos);
  EXPECT_EQ(print_kernels(read_thorn({"T.edl"}, text)->program).find("noise"), std::string::npos);
}
// Mutation: Write for Modify in print_kernels.cpp.
TEST(Print, AnAdditionChangesWhatTheSectionAboveSets) {
  const auto thorn = read_thorn({"T.edl"}, text + std::string("foreign Other: q\nrhs with Other\n  D_t v: - 2 q\n"));
  expect_lines(print_kernels(thorn->program), {"  Modify<CalcRhsWithOtherWritesSRhs, interior, Real> s_rhs;\n",
                                                  "    p(s_rhs.v_rhs) += Real(-2) * p(Other.q);\n"});
  expect_lines(print_thorn(thorn->program),
      {"(\"rhs_with_Other\", \"Right-hand side: what Other adds\")\n", "      .with_thorn(\"Other\")\n"});
}
// Mutation: `step` read as `substep` in parse.cpp.
TEST(Print, WhatHoldsAfterStagesAndSteps) {
  const auto thorn = read_thorn({"T.edl"}, text + std::string("after substep\n  u = max(u, c)\nafter step\n  v = u\n"));
  expect_lines(print_thorn(thorn->program),
      {"(\"enforce\", \"What holds after each stage\")\n      .one_centring()\n      .set",
          "      .in(MoL::post_substep);\n", "(\"enforce_step\", \"What holds after each step\")\n",
          "      .at(bin::poststep);\n"});
}
TEST(Print, ADeclarationSaysWhatTheTextSays) {
  expect_lines(print_thorn(read_thorn({"T.edl"}, text)->program),
      {"d.parameter(\"c\", 0.5, between({0.0, false}, {1.0, true}), \"a number\");",
          "d.parameter(\"d\", 1.0, at_least(0.0), \"another\");",
          ".tensor(\"xy xz yz\", {\"F_xy\", \"F_xz\", \"F_yz\"}, true)",
          ".outgoing({\"v\"}, {.far = 0.0, .speed = [](const Parameters& p) { return (void)p, double((-1.0 / 4) * "
          "p.real(\"c\")); }})",
          "k.c1 = static_cast<decltype(k.c1)>(p.real(\"c\") * p.real(\"c\"));"});
}
// Seen to fail: `diffusivity` counted among the speeds.
TEST(Print, ADiffusivityLimitsTheStepAsASpeedDoes) {
  expect_lines(print_thorn(read_thorn({"T.edl"},
                   "thorn T \"t\"\nparameter\n  d = 1 in [0, inf) \"d\"\nevolve s \"s\"\n  u diffusivity 2 d, v "
                   "diffusivity 1/8 speed 3\nrhs\n  D_t u = 0\n  D_t v = 0\n")
                               ->program),
      {"{\"max_speed\"}", ".tag(\"Time::diffusivity\")",
          "c.values<double>(\"max_speed\")[0] = std::max({double(3.0)});",
          "c.values<double>(\"max_diffusivity\")[0] = std::max({double((2.0) * p.real(\"d\")), double(1.0 / 8)});"});
}
}  // namespace cereus::equations
