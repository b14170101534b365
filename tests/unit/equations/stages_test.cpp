// What becomes of a text for readers: its graph, and what its kernels cost.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "equations/cost.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
std::string text_of(const std::string& thorn) {
  std::ifstream in(std::string(std::getenv("CEREUS_SOURCE")) + "/thorns/" + thorn + "/equations.edl");
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}
std::unique_ptr<Thorn> read(const std::string& thorn, Target target = {}) {
  return read_thorn({thorn + ".edl"}, text_of(thorn), target);
}
bool has(const std::string& text, const std::string& line) { return text.find(line + "\n") != std::string::npos; }
std::string message(const std::string& thorn, Target target) {
  try {
    read(thorn, target);
  } catch (const Error& e) { return e.what(); }
  return "";
}
}  // namespace

TEST(Stages, AGraphHasANodeALine) {
  const std::string text = print_graph(read("Wave")->program);
  EXPECT_TRUE(has(text,
      "CalcRhs\n  #43 = rho\n  #1 = c\n  #45 = #1 #1\n  #47 = D_xx u\n  #49 = D_yy u\n  #51 = D_zz u\n"
      "  #52 = #47 + #49 + #51\n  #53 = #45 #52\n  D_t u = #43\n  D_t rho = #53"))
      << text;
  EXPECT_TRUE(has(text, "  #14 = 2 #13  # f, line 17"));
  EXPECT_TRUE(has(text, "  e = 1/2 #60"));
}

TEST(Stages, AGraphHasNeighbours) {
  const auto thorn = read_thorn({"T.edl"},
      "thorn T \"T\"\nevolve s \"S\"\n  u\noperator ahead(u) = (u(+1) - u(-2)) / h\nrhs\n  D_t u = ahead_y u\n",
      Target{});
  EXPECT_TRUE(has(print_graph(thorn->program), "  #2 = u(+0, +1, +0)\n  #3 = u(+0, -2, +0)"))
      << print_graph(thorn->program);
}

// By hand: a second derivative of order n has n/2 pairs (a sum and a product each), the point itself, n/2 sums of
// those, and the spacing.
TEST(Stages, Costs) {
  for (const int order : {2, 8}) {
    const auto wave = read("Wave", {3, order});
    const Cost rhs = cost_of(wave->program, wave->program.kernels[1]);
    const int second = 2 * (order / 2) + 1 + order / 2 + 1;
    EXPECT_EQ(rhs.operations, 3 * second + 2 + 1);
    EXPECT_EQ(rhs.bytes(), 32);
  }
  const auto mixed = read_thorn({"T.edl"},
      "thorn T \"T\"\ndimensions 2\nevolve s \"S\"\n  u\noperators centred(2)\nrhs\n"
      "  D_t u = 3 D_xy u + 3 u\n",
      Target{});
  EXPECT_EQ(cost_of(mixed->program, mixed->program.kernels[0]).operations, 7 + 2);
}

TEST(Stages, ATargetIsOneOfTheThorns) {
  EXPECT_NE(message("Wave", {3, 5}).find("Wave.edl:14:11: order 5 is not in the list of 'order'"), std::string::npos)
      << message("Wave", {3, 5});
  EXPECT_NE(message("BSSN", {2, 4}).find("BSSN is not for 2 dimensions"), std::string::npos);
  EXPECT_EQ(message("BSSN", {3, 4}), "");
}
}  // namespace cereus::equations
