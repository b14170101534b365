// What becomes of a text for readers: its graph, its formulas, and what its kernels cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
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
// What is right of a formula's `&=`.
std::string formula(const std::string& expression) {
  const std::string text =
      "thorn T \"T\"\nparameter\n  rho = 1 in (0, inf) \"R\"\nevolve s \"S\"\n  u, v, w_i\n"
      "operators centred(2)\noperator ahead(u) = (u(+1) - u(0)) / h\nrhs\n  D_t u = " +
      expression + "\n  D_t v = 0\n  D_t w_i = 0 w_i\n";
  const std::string latex = print_latex(read_thorn({"T.edl"}, text, Target{})->program);
  const auto begin = latex.find("\\partial_{t} u &= ") + 18;
  return latex.substr(begin, latex.find(" \\\\\n", begin) - begin);
}
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
      "CalcRhs\n  #40 = rho\n  #1 = c\n  #42 = #1 #1\n  #44 = D_xx u\n  #46 = D_yy u\n  #48 = D_zz u\n"
      "  #49 = #44 + #46 + #48\n  #50 = #42 #49\n  D_t u = #40\n  D_t rho = #50"))
      << text;
  EXPECT_TRUE(has(text, "  #14 = 2 #13  # f, line 17"));
  EXPECT_TRUE(has(text, "  e = 1/2 #57"));
}

TEST(Stages, AGraphHasNeighbours) {
  const auto thorn = read_thorn({"T.edl"},
      "thorn T \"T\"\nevolve s \"S\"\n  u\noperator ahead(u) = (u(+1) - u(-2)) / h\nrhs\n  D_t u = ahead_y u\n",
      Target{});
  EXPECT_TRUE(has(print_graph(thorn->program), "  #2 = u(+0, +1, +0)\n  #3 = u(+0, -2, +0)"))
      << print_graph(thorn->program);
}

TEST(Stages, Formulas) {
  EXPECT_EQ(formula("1/2 rho u^2 - (u + v) D_i u D_i u"),
      "\\frac{1}{2}\\,\\rho \\,u^{2} - \\left(u + v\\right)\\,\\partial_{i}\\,u\\,\\partial_{i}\\,u");
  EXPECT_EQ(formula("u > 0 ? sqrt(u) / v : v < 1 ? abs(v)^(1/3) : pi"),
      "\\begin{cases} \\frac{\\sqrt{u}}{v} & \\text{if } u > 0 \\\\ \\left(\\left|v\\right|\\right)^{1/3} & "
      "\\text{if } v < 1 \\\\ \\pi  & \\text{otherwise} \\end{cases}");
  EXPECT_EQ(formula("u - (v + rho) + (u - v) - 3"), "u - \\left(v + \\rho \\right) + u - v - 3");
  EXPECT_EQ(formula("2 ahead_x u + sqrt(u + v + rho)"), "2\\,\\mathrm{ahead}_{x}\\,u + \\sqrt{u + v + \\rho }");
  EXPECT_EQ(formula("-2e-5 (u - v) w_i w_i"), "-2\\times 10^{-5}\\,\\left(u - v\\right)\\,w_{i}\\,w_{i}");
}

TEST(Stages, DocumentsAreWhole) {
  const auto folder = std::filesystem::temp_directory_path() / ("cereus-" + std::to_string(getpid()));
  const bool compiles = std::system("pdflatex --version > /dev/null 2>&1") == 0;
  for (const char* thorn : {"Wave", "Maxwell", "BSSN", "ExactMetrics"}) {
    const std::string latex = print_latex(read(thorn)->program);
    EXPECT_EQ(std::ranges::count(latex, '{'), std::ranges::count(latex, '}')) << thorn;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "thorn.tex") << latex;
    const std::string command = "cd " + folder.string() + " && pdflatex -halt-on-error thorn.tex > log 2>&1";
    EXPECT_EQ(compiles ? std::system(command.c_str()) : 0, 0) << thorn;
    std::filesystem::remove_all(folder);
  }
  const std::string wave = print_latex(read("Wave")->program);
  EXPECT_TRUE(has(wave, "  \\partial_{t} \\rho  &= c^{2}\\,\\partial_{i}\\partial_{i}\\,u "));
  const std::string bssn = print_latex(read("BSSN")->program);
  EXPECT_TRUE(has(bssn, "  \\partial_{t} g_{ij} &= -2\\,\\alpha \\,A_{ij} + \\mathrm{drag}\\left(g\\right)_{ij} \\\\"));
  EXPECT_TRUE(has(bssn, "  C^{i}{}_{jk} &= g^{il}\\,L_{ljk} \\\\"));
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
