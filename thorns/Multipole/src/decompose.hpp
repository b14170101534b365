// Coefficients of a field on a sphere.
#pragma once
#include <Analysis/sphere.hpp>

#include "harmonics.hpp"

namespace Multipole {
struct Mode {
  int l, m;
};

// The integrals C_lm = ∮ f conj(ₛY_lm) dΩ of fields of one spin weight, for l from |s| to lmax.
class Projection {
 public:
  Projection(const std::vector<Analysis::SpherePoint>& sphere, int spin, int lmax) {
    for (int l = std::abs(spin); l <= lmax; ++l)
      for (int m = -l; m <= l; ++m) {
        modes_.push_back({l, m});
        for (const auto& p : sphere) factors_.push_back(p.weight * std::conj(harmonic(spin, l, m, p.theta, p.phi)));
      }
  }
  const std::vector<Mode>& modes() const { return modes_; }
  // One number a mode. f(p): the field at point p of the sphere.
  template <class F> std::vector<std::complex<double>> operator()(F&& f) const {
    const std::size_t points = factors_.size() / modes_.size();
    std::vector<std::complex<double>> list(modes_.size());
    for (std::size_t p = 0; p < points; ++p) {
      const std::complex<double> value = f(p);
      for (std::size_t n = 0; n < list.size(); ++n) list[n] += value * factors_[n * points + p];
    }
    return list;
  }

 private:
  std::vector<Mode> modes_;
  std::vector<std::complex<double>> factors_;  // [mode][point]
};
}  // namespace Multipole
