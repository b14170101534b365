// Differences are exact on polynomials up to their order, and not on the next one.
#include "equations/stencil.hpp"

#include <gtest/gtest.h>

namespace cereus::equations {
namespace {
Rational power(int x, int n) {
  Rational p = 1;
  for (; n > 0; --n) p *= x;
  return p;
}
Rational of_monomial(const Stencil& s, int degree) {  // at 0
  Rational sum = 0;
  for (int k = -20; k <= 20; ++k) sum += s.weight(k) * power(k, degree);
  return sum;
}
Rational factorial(int n) { return n < 2 ? Rational(1) : n * factorial(n - 1); }

void expect_order(const Stencil& s, int n, int order) {
  for (int degree = 0; degree < n + order; ++degree)
    EXPECT_EQ(of_monomial(s, degree), degree == n ? factorial(n) : Rational(0)) << degree;
  EXPECT_NE(of_monomial(s, n + order), 0);
}
}  // namespace

TEST(Stencil, CentredDerivativesHaveTheirOrder) {
  for (int n = 1; n <= 4; ++n)
    for (int order = 2; order <= 10; order += 2) expect_order(centred(n, order), n, order);
}
TEST(Stencil, LopsidedDerivativesHaveTheirOrder) {
  for (int order = 2; order <= 10; order += 2) expect_order(lopsided(order), 1, order);
}
TEST(Stencil, OneSidedDerivativesHaveTheirOrder) {
  for (int points = 3; points <= 7; ++points) expect_order(fornberg(1, 0, points - 1), 1, points - 1);
}
TEST(Stencil, KnownWeights) {  // B. Fornberg, Math. Comp. 51 (1988) 699, table 1
  EXPECT_EQ(centred(1, 8).weight(1), Rational(4, 5));
  EXPECT_EQ(centred(1, 8).weight(-4), Rational(1, 280));
  EXPECT_EQ(centred(2, 8).weight(0), Rational(-205, 72));
  EXPECT_EQ(lopsided(8).weight(5), Rational(1, 280));
  EXPECT_EQ(lopsided(8).weight(-3), Rational(-1, 168));
}
TEST(Stencil, HalvesOfALopsidedDerivativeAreADerivativeAndADifference) {
  for (int order = 2; order <= 8; order += 2) {
    const Stencil s = lopsided(order), odd = antisymmetric(s), even = symmetric(s), d = delta(order + 2);
    for (int k = -6; k <= 6; ++k) {
      EXPECT_EQ(odd.weight(k) + even.weight(k), s.weight(k));
      EXPECT_EQ(odd.weight(k), -odd.weight(-k));
      EXPECT_EQ(even.weight(k) * d.weight(0), even.weight(0) * d.weight(k));
    }
  }
}
}  // namespace cereus::equations
