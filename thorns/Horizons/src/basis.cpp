#include "basis.hpp"

namespace Horizons {
std::vector<OnSphere> harmonics(int lmax, double theta, double phi) {
  const double s = std::sin(theta), cot = std::cos(theta) / s;
  std::vector<OnSphere> list;
  for (int l = 0; l <= lmax; ++l)
    for (int m = 0; m <= l; ++m) {
      const double y = std::sph_legendre(l, m, theta);
      const double above = m < l ? std::sph_legendre(l, m + 1, theta) : 0;
      const double t = m * cot * y + std::sqrt((l - m) * (l + m + 1.0)) * above;
      const double tt = -cot * t - (l * (l + 1) - m * m / (s * s)) * y;
      const double scale = m ? std::numbers::sqrt2 : 1, c = scale * std::cos(m * phi), d = scale * std::sin(m * phi);
      list.push_back({y * c, t * c, -m * y * d, tt * c, -m * t * d, -m * m * y * c});
      if (m) list.push_back({y * d, t * d, m * y * c, tt * d, m * t * c, -m * m * y * d});
    }
  return list;
}

OnSphere sum(std::span<const double> coefficients, std::span<const OnSphere> harmonics) {
  OnSphere f;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    const double a = coefficients[n];
    const OnSphere& y = harmonics[n];
    f.value += a * y.value, f.t += a * y.t, f.p += a * y.p;
    f.tt += a * y.tt, f.tp += a * y.tp, f.pp += a * y.pp;
  }
  return f;
}

Basis::Basis(int lmax) : lmax_(lmax), points_(Analysis::gauss_sphere(lmax + 4)) {
  for (const auto& p : points_)
    for (const OnSphere& y : harmonics(lmax, p.theta, p.phi)) table_.push_back(y);
}

std::vector<double> Basis::project(std::span<const double> values) const {
  std::vector<double> list(count());
  for (std::size_t p = 0; p < points_.size(); ++p)
    for (int n = 0; n < count(); ++n) list[n] += points_[p].weight * values[p] * table_[p * count() + n].value;
  return list;
}
}  // namespace Horizons
