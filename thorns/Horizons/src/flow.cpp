// The flow itself.
#include "flow.hpp"

#include <cereus/error.hpp>
#include <cereus/text.hpp>
#include <limits>

#include "acceleration.hpp"

namespace Horizons {
Surface sphere(const Vector& centre, double radius, int lmax) {
  Surface s{centre, std::vector<double>((lmax + 1) * (lmax + 1))};
  s.coefficients[0] = radius * std::sqrt(4 * std::numbers::pi);
  return s;
}

namespace {
// The points of a surface as its coefficients say; empty if the surface meets its centre.
std::vector<OnSphere> radii(const Basis& basis, const Surface& surface) {
  std::vector<OnSphere> h;
  for (std::size_t p = 0; p < basis.points().size(); ++p) {
    h.push_back(basis.at(p, surface.coefficients));
    if (!(h.back().value > 0)) return {};
  }
  return h;
}

double size(const std::vector<double>& coefficients) {  // the largest one; not-a-number if one is
  double most = 0;
  for (double c : coefficients) most = std::abs(c) <= most ? most : std::abs(c);
  return most;
}
}  // namespace

Found flow(const Basis& basis, Surface start, const Sample& sample, const Search& search) {
  const int lmax = basis.lmax();
  const double alpha = 1, beta = 0.5, a = alpha / (lmax * (lmax + 1)) + beta, b = beta / alpha;
  const auto& sphere = basis.points();
  Found f;
  f.surface = std::move(start);
  Surface& surface = f.surface;
  std::vector<Vector> places(sphere.size());
  std::vector<Space> space(sphere.size());
  std::vector<double> values(sphere.size());
  f.points.resize(sphere.size());
  constexpr int patience = 60;                             // steps in which the residual must fall
  double least = std::numeric_limits<double>::infinity();  // residual so far
  int least_at = 0;
  constexpr double close = 0.1;    // a residual below which earlier steps say something of the next one
  constexpr double longest = 0.1;  // of an accelerated step, over the first coefficient; else the plain one is taken
  Acceleration acceleration;
  for (f.steps = 0;; ++f.steps) {
    const auto h = radii(basis, surface);
    if (h.empty()) return f.why = "the surface meets its centre", f;
    if (!(surface.mean_radius() >= search.least_radius))
      return f.why = "its mean radius is less than two cells, " + cereus::format_double(search.least_radius), f;
    for (std::size_t p = 0; p < sphere.size(); ++p)
      for (int d = 0; d < 3; ++d) places[p][d] = surface.centre[d] + h[p].value * sphere[p].direction[d];
    try {
      sample(places, space);
    } catch (const cereus::Failure& e) { return f.outside = true, f.why = e.what(), f; }
    for (std::size_t p = 0; p < sphere.size(); ++p) {
      f.points[p] = surface_point(sphere[p], h[p], space[p]);
      values[p] = f.points[p].rho * f.points[p].outer;
    }
    const auto change = basis.project(values);
    f.residual = size(change) / surface.mean_radius();
    if (f.residual < search.tolerance) return f.found = true, f;
    if (!std::isfinite(f.residual)) return f.why = "the expansion is not a number", f;
    if (f.residual < least) least = f.residual, least_at = f.steps;
    if (f.steps == search.most_steps || f.steps == least_at + patience) return f.why = "it does not converge", f;
    std::vector<double> step(change.size());
    for (int l = 0, n = 0; l <= lmax; ++l)
      for (int m = -l; m <= l; ++m, ++n) step[n] = -a / (1 + b * l * (l + 1)) * change[n];
    if (f.residual < close) {
      auto accelerated = acceleration.step(surface.coefficients, step);
      if (size(accelerated) < longest * surface.coefficients[0]) step = std::move(accelerated);
      else acceleration.forget();
    } else {
      acceleration.forget();
    }
    for (std::size_t n = 0; n < step.size(); ++n) surface.coefficients[n] += step[n];
  }
}
}  // namespace Horizons
