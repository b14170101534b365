// Real spherical harmonics, and functions on the sphere that are sums of them.
#pragma once
#include <Analysis/sphere.hpp>

#include <span>

namespace Horizons {
// A function on the sphere and its derivatives by θ and φ.
struct OnSphere {
  double value = 0, t = 0, p = 0, tt = 0, tp = 0, pp = 0;
};

// Y_l0, and for m > 0 √2 Re Y_lm and √2 Im Y_lm: orthonormal. At one place, not a pole: (L + 1)² of them, in the order
// of coefficients. Derivatives from (l, m + 1), and from the differential equation.
std::vector<OnSphere> harmonics(int lmax, double theta, double phi);
OnSphere sum(std::span<const double> coefficients, std::span<const OnSphere> harmonics);

class Basis {
 public:
  explicit Basis(int lmax);  // with (L + 4) · 2 (L + 4) points
  int lmax() const { return lmax_; }
  int count() const { return (lmax_ + 1) * (lmax_ + 1); }
  const std::vector<Analysis::SpherePoint>& points() const { return points_; }
  OnSphere at(std::size_t point, std::span<const double> coefficients) const {
    return sum(coefficients, std::span(table_).subspan(point * count(), count()));
  }
  std::vector<double> project(std::span<const double> values) const;  // ∮ f Y_lm dΩ of f at the points

 private:
  int lmax_;
  std::vector<Analysis::SpherePoint> points_;
  std::vector<OnSphere> table_;  // [point][mode]
};
}  // namespace Horizons
