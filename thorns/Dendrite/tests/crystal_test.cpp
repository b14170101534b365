// The differences are those that README.md says, and A_ij are the second derivatives of A(p) = ½ a² |p|².
// Mutations: any coefficient of A_ij or of a; the sign of ε; an axis for another; the sine's sign in `turn`.
#include "crystal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace {
using namespace Dendrite;

// A point at the origin of a grid that holds a function's values.
template <int dim_> struct Sampled {
  static constexpr int dim = dim_;
  std::function<double(double, double, double)> f;
  double h[3];
  double inv_h(int a) const { return 1 / h[a]; }
  double inv_h2(int a) const { return 1 / (h[a] * h[a]); }
  template <class V> double operator()(V) const { return f(0, 0, 0); }
  template <int i, int j, int k, class V> double neighbour(V) const { return f(i * h[0], j * h[1], k * h[2]); }
};
constexpr In<double, box<1>> phi{0};

TEST(Slopes, AreExactForParabolas) {
  const auto f = [](double x, double y, double z) {
    return 3 + x - 2 * y + 0.5 * z + 2 * x * x - y * y + 0.7 * z * z + 1.1 * x * y - 0.6 * x * z + 0.9 * y * z;
  };
  const Slopes<3, double> d(Sampled<3>{f, {0.5, 0.4, 0.3}}, phi);
  const double first[] = {1, -2, 0.5}, second[] = {4, -2, 1.4}, mixed[] = {1.1, -0.6, 0.9};
  for (int n = 0; n < 3; ++n) {
    EXPECT_NEAR(d.first[n], first[n], 1e-13);
    EXPECT_NEAR(d.second[n], second[n], 1e-13);
    EXPECT_NEAR(d.mixed[n], mixed[n], 1e-13);
  }
  EXPECT_NEAR(d.laplacian, 3.4, 1e-12);
}

// h²/12 ∇²∇² of xᵃ yᵇ zᶜ, a + b + c = 4, is 2h² for a fourth power, 2h²/3 for two squares, and else 0.
TEST(Slopes, HaveALaplacianWhoseErrorKnowsNoDirection) {
  const double h = 0.25;
  for (int a = 0; a <= 4; ++a)
    for (int b = 0; a + b <= 4; ++b) {
      const int c = 4 - a - b, largest = std::max({a, b, c});
      const auto f = [=](double x, double y, double z) { return std::pow(x, a) * std::pow(y, b) * std::pow(z, c); };
      const double error = largest == 4 ? 2 * h * h : largest == 2 && a % 2 == 0 && b % 2 == 0 ? 2 * h * h / 3 : 0;
      EXPECT_NEAR((Slopes<3, double>(Sampled<3>{f, {h, h, h}}, phi).laplacian), error, 1e-13) << a << b << c;
      if (c == 0) EXPECT_NEAR((Slopes<2, double>(Sampled<2>{f, {h, h, h}}, phi).laplacian), error, 1e-13);
    }
}

template <int dim> struct Energy {  // A(p), of a crystal that is turned by θ
  long double epsilon, theta;
  long double operator()(const long double (&p)[3]) const {
    const long double c = std::cos(theta), s = std::sin(theta), q[3] = {c * p[0] + s * p[1], c * p[1] - s * p[0], p[2]};
    long double m = 0, sum = 0;
    for (int i = 0; i < dim; ++i) m += q[i] * q[i], sum += q[i] * q[i] * q[i] * q[i];
    const long double a = 1 - 3 * epsilon + 4 * epsilon * sum / (m * m);
    return a * a * m / 2;
  }
  long double second(const double (&p)[3], int i, int j) const {
    const long double h = 1e-5L;
    long double sum = 0;
    for (int a : {-1, 1})
      for (int b : {-1, 1}) {
        long double q[3] = {p[0], p[1], p[2]};
        q[i] += a * h, q[j] += b * h;
        sum += a * b * (*this)(q);
      }
    return sum / (4 * h * h);
  }
};

template <int dim> void compare() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int n = 0; n < 200; ++n) {
    double p[3] = {}, H[3][3] = {}, trace = 0;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j <= i; ++j) p[i] = any(random), H[i][j] = H[j][i] = any(random);
    const auto f = [&](double x, double y, double z) {
      const double r[3] = {x, y, z};
      double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += p[i] * r[i] / 3 + H[i][j] * r[i] * r[j] / 2;
      return sum;
    };
    const double epsilon = 0.1 * any(random), theta = 3 * any(random);
    Slopes<dim, double> d(Sampled<dim>{f, {0.1, 0.1, 0.1}}, phi);
    d.turn(std::cos(theta), std::sin(theta));
    const Anisotropy<dim, double> A(d.first, epsilon);
    const Energy<dim> energy{epsilon, theta};
    long double expected = 0;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) expected += energy.second(p, i, j) * H[i][j];
    for (int i = 0; i < dim; ++i) trace += p[i] * p[i];
    const long double q[3] = {p[0], p[1], p[2]};
    EXPECT_NEAR(A.a2, static_cast<double>(2 * energy(q)) / trace, 1e-12);
    if (trace > 0.01) EXPECT_NEAR(A.curvature(d), static_cast<double>(expected), 1e-7) << epsilon;
  }
}
TEST(Anisotropy, IsTheSecondDerivativeOfItsEnergy) { compare<2>(), compare<3>(); }

TEST(Anisotropy, IsNoneWhereThereIsNoNormal) {
  const Anisotropy<3, double> A({1e-7, -3e-7, 2e-7}, 0.05), B({1e-5, 0, 0}, 0.05);
  EXPECT_DOUBLE_EQ(A.a2, square(1 - 3 * 0.05));
  for (const double x : {A.diagonal[0], A.diagonal[2], A.mixed[0], A.mixed[2]}) EXPECT_EQ(x, 0);
  EXPECT_NEAR(B.a2, square(1.05), 1e-15);
}
}  // namespace
