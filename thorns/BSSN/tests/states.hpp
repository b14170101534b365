// States whose right-hand sides are known, and what kernels make of them: shared figures of two independent programs.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include <cereus/make_table.hpp>

namespace {  // each test has its own
using namespace cereus;
constexpr int width = 5;

// Names of the variables, in the order of the groups.
const char* const variables[] = {"W", "gxx", "gxy", "gxz", "gyy", "gyz", "gzz", "Xx", "Xy", "Xz", "K", "Axx", "Axy",
    "Axz", "Ayy", "Ayz", "Azz", "alpha", "bx", "by", "bz", "Bx", "By", "Bz"};
constexpr int count = std::size(variables);
using State = std::array<double, count>;
int number(const std::string& name) {
  return static_cast<int>(std::find(std::begin(variables), std::end(variables), name) - std::begin(variables));
}

// A grid of n³ points around which `width` ghost points lie; a kernel is applied to the n³.
class Grid {
 public:
  Grid(int n, double h, std::array<double, 3> corner, const std::function<State(double, double, double)>& state)
      : n_(n),
        whole_(n + 2 * width),
        stride_{1, whole_, Offset{whole_} * whole_} {
    for (int d = 0; d < 3; ++d) {
      g_.origin[d] = corner[d], g_.spacing[d] = h, g_.centre[d] = 0;
      g_.inv_spacing[d] = 1 / h, g_.inv_spacing2[d] = 1 / (h * h);
    }
    g_.time = 0, g_.dt = 0;
    in_.assign(count, std::vector<double>(static_cast<std::size_t>(stride_[2] * whole_ + 8)));
    for (int k = 0; k < whole_; ++k)
      for (int j = 0; j < whole_; ++j)
        for (int i = 0; i < whole_; ++i) {
          const auto at = [&](int d, int m) { return corner[d] + (m - width) * h; };
          const State s = state(at(0, i), at(1, j), at(2, k));
          for (int v = 0; v < count; ++v) in_[v][static_cast<std::size_t>(i + j * stride_[1] + k * stride_[2])] = s[v];
        }
  }
  template <class K> std::vector<std::vector<double>> apply(K kernel) const {
    using Loop = detail::WideLoop<K, 3, double>;  // not a Kernel, which would have loops over stretched axes, too
    constexpr int outputs = Loop::outputs;
    std::vector<std::vector<double>> out(outputs, std::vector<double>(in_[0].size()));
    std::vector<char*> address;
    const Offset first = width * (1 + stride_[1] + stride_[2]);
    for (int v = 0; v < Loop::first_output; ++v)
      address.push_back(reinterpret_cast<char*>(const_cast<double*>(in_[v].data() + first)));
    for (auto& v : out) address.push_back(reinterpret_cast<char*>(v.data() + first));
    BlockLaunch b{};
    for (int d = 0; d < 3; ++d) b.lo[d] = b.first[d] = 0, b.hi[d] = b.end[d] = n_;
    Launch l{{&b, 1, 0}, address.data(), {stride_[0], stride_[1], stride_[2]}, &g_};
    Loop::launch(&kernel, l);
    std::vector<std::vector<double>> packed(outputs);
    for (int o = 0; o < outputs; ++o)
      for (int c = 0; c < n_ * n_ * n_; ++c)
        packed[o].push_back(
            out[o][static_cast<std::size_t>(first + c % n_ + c / n_ % n_ * stride_[1] + c / (n_ * n_) * stride_[2])]);
    return packed;
  }

 private:
  int n_, whole_;
  Offset stride_[3];
  Geometry g_;
  std::vector<std::vector<double>> in_;
};

// A polynomial in x, y and z by the degree of its terms, of which those above `degree` are dropped.
constexpr int degree = 4;
struct Polynomial {
  std::array<double, degree + 1> terms{};
  Polynomial(double constant = 0) { terms[0] = constant; }
  static Polynomial linear(double x) {
    Polynomial p;
    return p.terms[1] = x, p;
  }
  double value() const { return std::accumulate(terms.begin(), terms.end(), 0.); }
};
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial r;
  for (int m = 0; m <= degree; ++m)
    for (int n = 0; m + n <= degree; ++n) r.terms[m + n] += a.terms[m] * b.terms[n];
  return r;
}
Polynomial operator+(Polynomial a, const Polynomial& b) {
  for (int n = 0; n <= degree; ++n) a.terms[n] += b.terms[n];
  return a;
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + -1 * b; }

// All variables are polynomials of degree up to four, so that the differences are exact. A, which has a degree of 13,
// is cut there: but for dissipation, of sixth differences and higher, which are then 0, the rates at the origin take
// its value and first derivatives alone.
State polynomials(double at_x, double at_y, double at_z) {
  const auto x = Polynomial::linear(at_x), y = Polynomial::linear(at_y), z = Polynomial::linear(at_z);
  const Polynomial l[3] = {
      .1 * x + .2 * y - .1 * z + .05 * x * y, .2 - .15 * x + .1 * z + .1 * y * y, -.1 - .1 * x + .2 * z + .1 * x * z};
  const Polynomial g[6] = {1, l[0], l[1], 1 + l[0] * l[0], l[0] * l[1] + l[2], 1 + l[1] * l[1] + l[2] * l[2]};
  const Polynomial up[6] = {g[3] * g[5] - g[4] * g[4], g[2] * g[4] - g[1] * g[5], g[1] * g[4] - g[2] * g[3],
      g[0] * g[5] - g[2] * g[2], g[1] * g[2] - g[0] * g[4], g[0] * g[3] - g[1] * g[1]};
  const Polynomial a[6] = {.3 + .1 * x - .2 * y, .1 + .05 * x - .1 * z, -.2 + .1 * y, -.1 + .2 * x + .1 * z,
      .15 - .1 * x + .05 * y, .05 + .1 * y - .15 * z};
  const Polynomial trace =
      up[0] * a[0] + up[3] * a[3] + up[5] * a[5] + 2 * (up[1] * a[1] + up[2] * a[2] + up[4] * a[4]);
  State s{};
  for (int n = 0; n < 6; ++n)
    s[number("gxx") + n] = g[n].value(), s[number("Axx") + n] = (a[n] - 1. / 3 * trace * g[n]).value();
  s[number("W")] = (.8 + .1 * x - .05 * y + .07 * z + .03 * x * y - .02 * z * z).value();
  s[number("K")] = (.2 + .1 * x - .2 * y + .15 * z).value();
  s[number("alpha")] = (.9 + .1 * x + .05 * y - .1 * z + .04 * x * x - .03 * y * z).value();
  const Polynomial rest[9] = {.05 + .1 * x - .2 * y + .1 * z, -.1 + .05 * x + .1 * y * z, .15 + .2 * x - .1 * z,
      .1 + .2 * x - .1 * y + .05 * z * z, -.2 + .1 * x + .15 * z - .04 * x * y, .05 - .1 * y + .1 * z + .06 * x * z,
      .02 + .01 * x, -.01 + .03 * y, .04 + .01 * x - .02 * z};
  for (int n = 0; n < 3; ++n) {
    s[number("Xx") + n] = rest[n].value(), s[number("bx") + n] = rest[3 + n].value();
    s[number("Bx") + n] = rest[6 + n].value();
  }
  return s;
}

template <template <int, int, class> class Rhs, template <int, int, class> class Analyse, int order>
void expect_table() {
  const std::map<std::string, double> known{{"W", -0.0085}, {"gxx", -0.1198}, {"gxy", -0.235}, {"gxz", 0.40404},
      {"gyy", 0.2202}, {"gyz", -0.26402}, {"gzz", 0.10721}, {"K", 0.2940894}, {"Xx", -0.120966266667},
      {"Bx", -0.194966266667}, {"Xy", 0.300458883333}, {"By", 0.299458883333}, {"Xz", 0.0770505}, {"Bz", 0.0220505},
      {"Axx", 0.0072574}, {"Axy", 0.0786683333333}, {"Axz", -0.0205111866667}, {"Ayy", -0.168379933333},
      {"Ayz", 0.11452826}, {"Azz", -0.236224156667}, {"alpha", -0.365}, {"bx", 0.055}, {"by", 0.01}, {"bz", 0.055}};
  const Grid grid(1, 0.1, {0, 0, 0}, polynomials);
  Rhs<order, 3, double> rhs{};
  rhs.diss = 0.3, rhs.mu = 0.75, rhs.eta = 1, rhs.slicing_is_onelog = rhs.shift_is_driver = true;
  const auto rates = grid.apply(rhs);
  for (const auto& [name, value] : known) EXPECT_NEAR(rates[number(name)][0], value, 1e-11) << name;
  const auto constraints = grid.apply(Analyse<order, 3, double>{});
  const double h[4] = {-0.482844, -0.234020833333, 0.194695833333, -0.0234479166667};
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(constraints[n][0], h[n], 1e-11) << n;
}
// A number with its derivatives along the axes.
struct Dual {
  double v = 0, d[3] = {};
  Dual(double x = 0) : v(x) {}
  static Dual of(double v, const Dual& a, double by_a, const Dual& b = {}, double by_b = 0) {
    Dual r(v);
    for (int n = 0; n < 3; ++n) r.d[n] = by_a * a.d[n] + by_b * b.d[n];
    return r;
  }
};
Dual operator+(const Dual& a, const Dual& b) { return Dual::of(a.v + b.v, a, 1, b, 1); }
Dual operator-(const Dual& a, const Dual& b) { return Dual::of(a.v - b.v, a, 1, b, -1); }
Dual operator*(const Dual& a, const Dual& b) { return Dual::of(a.v * b.v, a, b.v, b, a.v); }
Dual operator/(const Dual& a, const Dual& b) { return Dual::of(a.v / b.v, a, 1 / b.v, b, -a.v / (b.v * b.v)); }
Dual power(const Dual& a, double p) { return Dual::of(std::pow(a.v, p), a, p * std::pow(a.v, p - 1)); }

// A Kerr hole of mass 1 and spin 0.6 in Kerr and Schild's coordinates, X^i = −∂_j g^ij by the formula.
State kerr(double x, double y, double z) {
  Dual q[3] = {x, y, z};
  for (int d = 0; d < 3; ++d) q[d].d[d] = 1;
  const double a = 0.6;
  const Dual big = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - a * a;
  const Dual r2 = 0.5 * (big + power(big * big + 4 * a * a * q[2] * q[2], 0.5)), r = power(r2, 0.5);
  const Dual H = r * r2 / (r2 * r2 + a * a * q[2] * q[2]), one = 1 + 2 * H;
  const Dual k[3] = {(r * q[0] + a * q[1]) / (r2 + a * a), (r * q[1] - a * q[0]) / (r2 + a * a), q[2] / r};
  Dual metric[3][3], up[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      metric[i][j] = (i == j ? 1 : 0) + 2 * H * k[i] * k[j];
      up[i][j] = (i == j ? 1 : 0) - 2 * H * k[i] * k[j] / one;
    }
  double K[3][3] = {}, trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = (2 * H * k[j]).d[i] + (2 * H * k[i]).d[j];
      for (int m = 0; m < 3; ++m)
        for (int l = 0; l < 3; ++l)
          sum -= up[m][l].v * (metric[l][i].d[j] + metric[l][j].d[i] - metric[i][j].d[l]) * (2 * H * k[m]).v;
      K[i][j] = sum / 2 * std::sqrt(one.v);
      trace += up[i][j].v * K[i][j];
    }
  State s{};
  const double W = std::pow(one.v, -1. / 6);
  s[number("W")] = W, s[number("K")] = trace, s[number("alpha")] = 1 / std::sqrt(one.v);
  for (int i = 0, n = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++n) {
      s[number("gxx") + n] = W * W * metric[i][j].v;
      s[number("Axx") + n] = W * W * (K[i][j] - metric[i][j].v * trace / 3);
    }
    s[number("bx") + i] = (2 * H * k[i] / one).v;
    for (int j = 0; j < 3; ++j) s[number("Xx") + i] -= (power(one, 1. / 3) * up[i][j]).d[j];
  }
  return s;
}

double largest(const std::vector<std::vector<double>>& rates, int first, int n) {
  double most = 0;
  for (int v = first; v < first + n; ++v)
    for (const double x : rates[v]) most = std::max(most, std::abs(x));
  return most;
}
// What differences leave of the rates, which are 0: of W, g, X, K and A; and of the constraints H and M.
template <template <int, int, class> class Rhs, template <int, int, class> class Analyse, int order>
std::array<double, 7> residual(int points) {
  const Grid grid(points + 1, 1. / points, {1.5, 0.5, 1}, kerr);
  Rhs<order, 3, double> rhs{};
  rhs.mu = 0.75, rhs.eta = 1, rhs.slicing_is_onelog = rhs.shift_is_driver = true;
  const auto rates = grid.apply(rhs), constraints = grid.apply(Analyse<order, 3, double>{});
  return {largest(rates, number("W"), 1), largest(rates, number("gxx"), 6), largest(rates, number("Xx"), 3),
      largest(rates, number("K"), 1), largest(rates, number("Axx"), 6), largest(constraints, 0, 1),
      largest(constraints, 1, 3)};
}
}  // namespace
