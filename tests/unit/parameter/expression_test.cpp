// Arithmetic in parameter files: right values, and one clear sentence with a column for what is wrong.
#include "parameter/expression.hpp"

#include <cereus/error.hpp>
#include <cereus/formula.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

using cereus::evaluate;

namespace {

std::string complaint(const std::string& text) {
  try {
    return "value " + std::to_string(evaluate(text));
  } catch (const cereus::Error& error) { return error.what(); }
}

}  // namespace

TEST(Expression, values) {
  EXPECT_EQ(evaluate("2*pi/3"), 2 * M_PI / 3);
  EXPECT_EQ(evaluate("1e3"), 1000);
  EXPECT_EQ(evaluate(".5"), 0.5);
  EXPECT_EQ(evaluate("010"), 10);
  EXPECT_EQ(evaluate("0.1"), 0.1);
  EXPECT_EQ(evaluate(" 1 - 2 - 3 "), -4);
  EXPECT_EQ(evaluate("8/2/2"), 2);
  EXPECT_EQ(evaluate("2+3*4"), 14);
  EXPECT_EQ(evaluate("(2+3)*4"), 20);
  EXPECT_EQ(evaluate("-2^2"), -4);
  EXPECT_EQ(evaluate("2^3^2"), 512);
  EXPECT_EQ(evaluate("2**3**2"), 512);
  EXPECT_EQ(evaluate("2^-1"), 0.5);
  EXPECT_EQ(evaluate("2*-3"), -6);
  EXPECT_EQ(evaluate("2*3^2"), 18);
  EXPECT_EQ(evaluate("--+1"), 1);
  EXPECT_EQ(evaluate("e"), M_E);
  EXPECT_EQ(evaluate("2*e"), 2 * M_E);
}

TEST(Expression, comparisons) {
  EXPECT_EQ(evaluate("1 < 2"), 1);
  EXPECT_EQ(evaluate("2 <= 2"), 1);
  EXPECT_EQ(evaluate("1+1 > 2"), 0);
  EXPECT_EQ(evaluate("1 >= 2 ? 3 : 4"), 4);
  EXPECT_EQ(evaluate("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(evaluate("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(evaluate("2 * (3 > 2 ? 5 : 7)"), 10);
  EXPECT_EQ(complaint("1 ? 2"), "column 6: ':' is missing: C ? A : B is A where C is not 0, else B");
  EXPECT_EQ(complaint("1 < 2 < 3"), "column 7: an operator is missing before '<'");
}

TEST(Expression, names_where_there_are_some) {
  const auto f = cereus::parse_formula("x*Wave::u^2 + x - max(y, 1, Wave::u)", true);
  EXPECT_EQ(f.names, (std::vector<std::string>{"x", "Wave::u", "y"}));
  EXPECT_EQ(f.depth, 3);
  EXPECT_EQ(f.steps.size(), 12u);
  EXPECT_EQ(complaint("x"), "column 1: unknown name 'x'");
  EXPECT_THROW(cereus::parse_formula("u(1)", true), cereus::Error);
  EXPECT_THROW(cereus::parse_formula("Wave::", true), cereus::Error);
  EXPECT_EQ(cereus::parse_formula("x ? Wave::u : y", true).names.size(), 3u);
  EXPECT_EQ(cereus::number_of(cereus::steps_of("2 * tanh(0)", {"x"})), 0.0);
  EXPECT_FALSE(cereus::number_of(cereus::steps_of("2 * noise(1)", {"x"})).has_value());
}

// Mutations seen to fail: a seed that may be a fraction; one without a largest; one of several steps.
TEST(Expression, seeds_of_noise_are_whole_numbers) {
  for (const char* good : {"noise(0)", "noise( 16777216 )", "noise((3))", "u - noise(7)"})
    EXPECT_NO_THROW(cereus::parse_formula(good, true)) << good;
  for (const char* bad : {"u", "0.5", "-1", "16777217", "1e300", "1 + 1", "noise(1)", "0/0"}) try {
      cereus::parse_formula("2 * noise( " + std::string(bad) + ")", true);
      ADD_FAILURE() << bad;
    } catch (const cereus::Error& e) {
      EXPECT_EQ(std::string(e.what()), "column 12: noise takes a whole number from 0 to 16777216, as in noise(1)");
    }
  EXPECT_THROW(cereus::parse_formula("noise(1, 2)", true), cereus::Error);
}

TEST(Expression, functions) {
  EXPECT_EQ(evaluate("sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(evaluate("sin(1)+cos(1)+tan(1)"), std::sin(1.0) + std::cos(1.0) + std::tan(1.0));
  EXPECT_EQ(evaluate("asin(1)"), std::asin(1.0));
  EXPECT_EQ(evaluate("acos(0.5)"), std::acos(0.5));
  EXPECT_EQ(evaluate("atan(2)"), std::atan(2.0));
  EXPECT_EQ(evaluate("atan2(1, -1)"), std::atan2(1.0, -1.0));
  EXPECT_EQ(evaluate("exp(2)"), std::exp(2.0));
  EXPECT_EQ(evaluate("log(2)"), std::log(2.0));
  EXPECT_EQ(evaluate("log10(1000)"), 3);
  EXPECT_EQ(evaluate("abs(-3)"), 3);
  EXPECT_EQ(evaluate("min(3, 1, 2)"), 1);
  EXPECT_EQ(evaluate("max(3, 1)"), 3);
  EXPECT_EQ(evaluate("floor(-1.5)"), -2);
  EXPECT_EQ(evaluate("ceil(1.2)"), 2);
  EXPECT_EQ(evaluate("pow(2, 10)"), 1024);
  EXPECT_EQ(evaluate("sinh(2)+cosh(2)+tanh(2)"), std::sinh(2.0) + std::cosh(2.0) + std::tanh(2.0));
  EXPECT_EQ(evaluate("erf(0.5)"), std::erf(0.5));
}

TEST(Expression, mistakes) {
  EXPECT_EQ(complaint(""), "column 1: the expression ends where a number is expected");
  EXPECT_EQ(complaint("2*"), "column 3: the expression ends where a number is expected");
  EXPECT_EQ(complaint("2 3"), "column 3: an operator is missing before '3'");
  EXPECT_EQ(complaint("2pi"), "column 2: an operator is missing before 'p'");
  EXPECT_EQ(complaint("0x10"), "column 2: an operator is missing before 'x'");
  EXPECT_EQ(complaint("1.2.3"), "column 4: an operator is missing before '.'");
  EXPECT_EQ(complaint("1.5d0"), "column 4: an operator is missing before 'd'");
  EXPECT_EQ(complaint("(1+2"), "column 5: ')' is missing");
  EXPECT_EQ(complaint("1+2)"), "column 4: ')' without '('");
  EXPECT_EQ(complaint("2 * sqr(2)"), "column 5: unknown name 'sqr'; did you mean 'sqrt'?");
  EXPECT_EQ(complaint("sqrt 2"), "column 6: sqrt needs its argument in parentheses");
  EXPECT_EQ(complaint("sqrt()"), "column 6: a number is expected, not ')'");
  EXPECT_EQ(complaint("sqrt(1,2)"), "column 1: sqrt takes 1 argument, not 2");
  EXPECT_EQ(complaint("atan2(1)"), "column 1: atan2 takes 2 arguments, not 1");
  EXPECT_EQ(complaint("2*noise(1)"), "column 3: noise is known at the points of a grid only");
  EXPECT_EQ(complaint("min(1)"), "column 1: min takes 2 or more arguments, not 1");
  EXPECT_EQ(complaint("1/(2-2)"), "column 2: division by zero");
  EXPECT_EQ(complaint("1+sqrt(-1)"), "column 3: the result is not a number");
  EXPECT_EQ(complaint("log(0)"), "column 1: the result is infinite");
  EXPECT_EQ(complaint("10^400"), "column 3: the result is infinite");
  EXPECT_EQ(complaint("1e999"), "column 1: a number too large or too small for double precision");
  EXPECT_EQ(complaint("1 + \xc3\xa4"), "column 5: a number is expected, not a character that is not ASCII");
  EXPECT_EQ(complaint("nan"), "column 1: unknown name 'nan'; did you mean 'tan'?");
  EXPECT_EQ(complaint(std::string("1\0", 2)), "column 2: an operator is missing before a character that is not ASCII");
}

TEST(Expression, limits) {
  EXPECT_EQ(evaluate(std::string(150, '(') + "1" + std::string(150, ')')), 1);
  EXPECT_EQ(complaint(std::string(250, '(') + "1" + std::string(250, ')')), "column 201: nested too deeply");
  EXPECT_EQ(complaint(std::string(4000, '-') + "1"), "column 201: nested too deeply");
  std::string powers = "1";
  for (int i = 0; i < 1000; ++i) powers += "^1";
  EXPECT_EQ(complaint(powers), "column 401: nested too deeply");
  std::string sum = "1";
  for (int i = 1; i < 2000; ++i) sum += "+1";
  EXPECT_EQ(evaluate(sum), 2000);
  EXPECT_EQ(complaint(std::string(5000, '1')), "column 4097: the expression is too long (at most 4096 characters)");
}

TEST(Expression, noise_is_refused_and_never_crashes) {
  std::mt19937 random(1);
  const std::string alphabet = "0123456789.+-*/^(),e pisqrtminax\t\n\xff";
  int values = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    try {
      EXPECT_TRUE(std::isfinite(evaluate(text))) << text;
      ++values;
    } catch (const cereus::Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("column ", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(values, 1000);
}
