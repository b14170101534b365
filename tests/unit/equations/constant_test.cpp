// Defaults of parameters that are expressions. Mutations that make it fail: exact quotients as doubles; a list that
// ends at the first comma of a function; `pi` as a word.
#include "equations/constant.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
std::unique_ptr<Thorn> thorn_with(const std::string& parameter) {
  return read_thorn(
      {"T.edl"}, "thorn T \"t\"\nparameter\n  " + parameter + "\nevolve s \"s\"\n  u\nrhs\n  D_t u = 0 u\n");
}
std::vector<Rational> defaults(const std::string& value) {
  return thorn_with("k = " + value + " \"a number\"")->text.parameters.at(0).value;
}
double default_of(const std::string& value) { return to_double(defaults(value).at(0)); }
}  // namespace

TEST(Constant, ExpressionsHaveTheirValue) {
  const double pi = std::numbers::pi;
  EXPECT_EQ(default_of("pi"), pi);
  EXPECT_EQ(default_of("pi/4"), pi / 4);
  EXPECT_EQ(default_of("2*pi/10"), 2 * pi / 10);
  EXPECT_EQ(default_of("-2 pi^2"), -2 * pi * pi);
  EXPECT_EQ(default_of("sqrt(2)"), std::sqrt(2.));
  EXPECT_EQ(default_of("(1 + sqrt(5)) / 2"), std::numbers::phi);
  EXPECT_EQ(default_of("(1 + max(2, 4)) / 2"), 2.5);
  EXPECT_EQ(default_of("min(3, atan2(1, 0))"), pi / 2);
  EXPECT_EQ(default_of("2^(1/3) in (1, 2 pi)"), std::pow(2., 1. / 3));
}
TEST(Constant, NumbersStayExact) {
  EXPECT_EQ(defaults("1 - 2/3"), std::vector{Rational(1, 3)});
  EXPECT_EQ(defaults("0.1 (3 + 2^-1)"), std::vector{Rational(35, 100)});
  EXPECT_EQ(defaults("2*4 in {4, 8}"), std::vector{Rational(8)});
}
TEST(Constant, ComponentsAndWords) {
  const auto vector = thorn_with("k_i = (1/2, max(1, 2), -pi/2) in [-pi, pi] \"a vector\" steerable");
  const std::vector<Rational>& k = vector->text.parameters.at(0).value;
  ASSERT_EQ(k.size(), 3u);
  EXPECT_EQ(k[1], 2);
  EXPECT_EQ(to_double(k[2]), -std::numbers::pi / 2);
  EXPECT_EQ(thorn_with("k = cos in {cos \"a\", sin \"b\"} \"a word\"")->text.parameters.at(0).keyword, "cos");
}
TEST(Constant, MatricesAreReadByRows) {
  const auto numbers = [](const std::string& parameter) {
    const auto thorn = thorn_with(parameter + " \"a tensor\"");
    std::vector<double> list;
    for (const Rational& q : thorn->text.parameters.at(0).value) list.push_back(to_double(q));
    return list;
  };
  EXPECT_EQ(numbers("k_ij = ((1, 2, 3), (4, 5, 6), (7, 8, 9))"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(numbers("k_ij = (1, 2, 3, 4, 5, 6, 7, 8, 9)"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(numbers("k_(ij) = (1, 2, 3, 4, 5, 6)"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}
TEST(Constant, CompiledAndInterpretedThornsHaveTheSameDefault) {
  EXPECT_NE(print_thorn(thorn_with("k = pi/4 \"a number\"")->program).find("(\"k\", 0.7853981633974483, any()"),
      std::string::npos);
}
}  // namespace cereus::equations
