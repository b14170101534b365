#include "equations/stencil.hpp"

#include <algorithm>

namespace cereus::equations {
Rational Stencil::weight(int offset) const {
  const int n = offset - first;
  return n < 0 || n >= static_cast<int>(weights.size()) ? Rational(0) : weights[n];
}
int Stencil::reach() const {
  int r = 0;
  for (int n = 0; n < static_cast<int>(weights.size()); ++n)
    if (weights[n] != 0) r = std::max(r, std::abs(first + n));
  return r;
}

Stencil fornberg(int n, int first, int last) {
  // w[m][k]: weight of point k in the m-th derivative from the points so far, which are taken from the middle outwards.
  std::vector<int> points;
  for (int x = first; x <= last; ++x) points.push_back(x);
  std::ranges::stable_sort(points, {}, [](int x) { return std::abs(x); });
  const int count = static_cast<int>(points.size());
  std::vector<std::vector<Rational>> w(n + 1, std::vector<Rational>(count));
  w[0][0] = 1;
  Rational product = 1;
  for (int k = 1; k < count; ++k) {
    Rational next = 1;
    const Rational x = points[k], before = points[k - 1];
    auto old = w;
    for (int j = 0; j < k; ++j) {
      const Rational distance = x - points[j];
      next *= distance;
      for (int m = 0; m <= n; ++m) w[m][j] = (x * old[m][j] - (m > 0 ? m * old[m - 1][j] : Rational(0))) / distance;
    }
    for (int m = 0; m <= n; ++m)
      w[m][k] = product / next * ((m > 0 ? m * old[m - 1][k - 1] : Rational(0)) - before * old[m][k - 1]);
    product = next;
  }
  Stencil s{first, std::vector<Rational>(count)};
  for (int k = 0; k < count; ++k) s.weights[points[k] - first] = w[n][k];
  return s;
}

Stencil centred(int n, int order) {
  const int half = (n + 1) / 2 - 1 + order / 2;
  return fornberg(n, -half, half);
}
Stencil lopsided(int order) { return fornberg(1, -order / 2 + 1, order / 2 + 1); }

namespace {
Stencil half(const Stencil& s, int sign) {
  const int r = s.reach();
  Stencil h{-r, {}};
  for (int k = -r; k <= r; ++k) h.weights.push_back((s.weight(k) + sign * s.weight(-k)) / 2);
  return h;
}
}  // namespace
Stencil antisymmetric(const Stencil& s) { return half(s, -1); }
Stencil symmetric(const Stencil& s) { return half(s, 1); }

Stencil delta(int n) {
  Stencil s{-n / 2, {}};
  Rational binomial = 1;
  for (int k = 0; k <= n; ++k) {
    s.weights.push_back(k % 2 == 0 ? binomial : -binomial);
    binomial *= Rational(n - k) / (k + 1);
  }
  return s;
}

Stencil kreiss_oliger(int order) {
  Stencil s = delta(order + 1);
  Rational scale = (order - 1) / 2 % 2 != 0 ? -1 : 1;
  for (int n = 0; n <= order; ++n) scale /= 2;
  for (Rational& w : s.weights) w *= scale;
  return s;
}
}  // namespace cereus::equations
