// What the graph does to an expression leaves its value as it is.
#include "equations/graph.hpp"

#include <gtest/gtest.h>

#include <random>

#include "equations/check.hpp"
#include "equations/evaluate.hpp"

namespace cereus::equations {
namespace {
constexpr double h = 1e-6;
// Random expressions of x and y, as a term and as the same arithmetic on numbers.
struct Random {
  Graph g;
  std::mt19937 engine{1};
  int pick(int n) { return static_cast<int>(engine() % n); }
  Term leaf(int axis) { return g.leaf(Op::coordinate, "", -1, {axis}); }
  Term expression(int depth) {
    if (depth == 0) return pick(3) == 0 ? g.number(Rational(pick(7) - 3, 2)) : leaf(pick(2));
    const Term a = expression(depth - 1);
    switch (pick(7)) {
      case 0: return g.add(a, expression(depth - 1));
      case 1: return g.multiply(a, expression(depth - 1));
      case 2: return g.add(a, g.negate(expression(depth - 1)));
      case 3: return g.call("sin", {a});
      case 4: return g.invert(g.add(g.number(3), g.multiply(a, a)));
      case 5: return g.power(g.add(g.number(2), g.multiply(a, a)), Rational(1, 2));
      default: return g.name(a, "t", 1);
    }
  }
};
}  // namespace

TEST(Graph, DerivativesAreThoseOfDifferences) {
  Random r;
  for (int n = 0; n < 300; ++n) {
    const Term t = r.expression(4);
    const double x = 0.3 + 0.001 * n, y = -0.7;
    const auto at = [&](Term u, double dx) {
      return evaluate(r.g, u, [&](const Node& leaf) { return leaf.along[0] == 0 ? x + dx : y; });
    };
    const Term d = r.g.differentiate(
        t, 0, [&](int m, int axis) { return r.g.number(r.g[m].op == Op::coordinate && r.g[m].along[0] == axis); });
    const double expected = (at(t, h) - at(t, -h)) / (2 * h);
    EXPECT_NEAR(at(d, 0), expected, 1e-6 * (1 + std::fabs(expected)));
  }
}
TEST(Graph, DerivativesOfFunctions) {
  Graph g;
  const Term x = g.leaf(Op::coordinate, "", -1, {0}), square = g.multiply(x, x);
  const auto check = [&](const std::string& f, const std::vector<Term>& args) {
    const auto at = [&](Term u, double value) { return evaluate(g, u, [&](const Node&) { return value; }); };
    const Term t = g.call(f, args), d = g.differentiate(t, 0, [&](int, int) { return g.number(1); });
    for (const double value : {0.2, 0.7}) {
      const double expected = (at(t, value + h) - at(t, value - h)) / (2 * h);
      EXPECT_NEAR(at(d, value), expected, 1e-8) << f << " at " << value;
    }
  };
  for (const auto& [f, operands] : functions()) {
    if (f == "sqrt" || f == "floor" || f == "ceil" || f == "noise") continue;  // a power; steps; a leaf
    if (operands == 1) check(f, {x}), check(f, {f == "log" ? square : g.negate(square)});
    else check(f, {x, square}), check(f, {square, x});
  }
}
TEST(Graph, EqualExpressionsAreOneNode) {
  Graph g;
  const Term a = g.leaf(Op::coordinate, "", -1, {0}), b = g.leaf(Op::coordinate, "", -1, {1});
  EXPECT_EQ(g.multiply(a, b).node, g.multiply(b, a).node);
  EXPECT_EQ(g.add(a, b).node, g.add(b, a).node);
  EXPECT_NE(g.call("atan2", {a, b}).node, g.call("atan2", {b, a}).node);
  EXPECT_EQ(g.add(g.add(a, b), g.negate(b)).node, a.node);
  const Term twice = g.add(a, a);
  EXPECT_EQ(twice.node, a.node);
  EXPECT_EQ(twice.factor, 2);
}
TEST(Graph, NumbersAreFoldedExactly) {
  Graph g;
  const Term third = g.number(Rational(1, 3));
  EXPECT_EQ(g.add(third, g.add(third, third)).factor, 1);
  EXPECT_EQ(g.power(third, -2).factor, 9);
}
TEST(Graph, PowersAreSquaresOfSquares) {
  Graph g;
  const Term x = g.leaf(Op::coordinate, "", -1, {0});
  const int before = g.size();
  g.power(x, 8);
  EXPECT_EQ(g.size() - before, 3);
}
TEST(Graph, ASumOfManyTermsTakesTimeThatIsProportional) {
  Graph g;
  std::vector<Term> terms;
  for (int n = 0; n < 20000; ++n) terms.push_back({n + 1, g.leaf(Op::variable, "", n).node});
  const Term sum = g.sum(terms);  // one after another, each with all before it, would be 200 million
  EXPECT_EQ(g[sum.node].args.size(), terms.size());
  EXPECT_EQ(g.size(), 20002);
  EXPECT_EQ(g.add(sum, {-1, sum.node}).factor, 0);
}
TEST(Graph, ANumberOfHundredsOfDigitsIsRefused) {
  Graph g;
  Term t = g.number(12345);
  EXPECT_THROW(for (int n = 0; n < 20; ++n) t = g.multiply(t, t), std::overflow_error);
}
}  // namespace cereus::equations
