#include "measure.hpp"

#include <algorithm>

namespace Horizons {
namespace {
using std::numbers::pi;

// The length of the curve in which the plane of two axes cuts the surface: the trapezoidal rule, at points off the
// axes.
double circumference(const Surface& s, int lmax, int first, int second, const Sample& sample) {
  const int n = 16 * (lmax + 2);
  std::vector<Vector> places(n), tangents(n);
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * pi * (k + 0.5) / n;
    Vector out{}, along{};
    out[first] = along[second] = std::cos(angle), out[second] = std::sin(angle), along[first] = -std::sin(angle);
    const double theta = std::acos(out[2]), phi = std::atan2(out[1], out[0]);
    const OnSphere h = sum(s.coefficients, harmonics(lmax, theta, phi));
    const double slope = second == 2 ? (out[first] > 0 ? -h.t : h.t) : h.p;
    for (int d = 0; d < 3; ++d) {
      places[k][d] = s.centre[d] + h.value * out[d];
      tangents[k][d] = slope * out[d] + h.value * along[d];
    }
  }
  std::vector<Space> space(n);
  sample(places, space);
  double length = 0;
  for (int k = 0; k < n; ++k) {
    double square = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) square += space[k].metric[symmetric[i][j]] * tangents[k][i] * tangents[k][j];
    length += std::sqrt(square) * 2 * pi / n;
  }
  return length;
}
}  // namespace

Horizon measure(const Basis& basis, const Found& f, const Sample& sample) {
  const auto& sphere = basis.points();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Horizon z{};
  z.least = {infinity, infinity, infinity}, z.most = {-infinity, -infinity, -infinity};
  z.radius[0] = z.curvature[1] = infinity, z.curvature[2] = -infinity, z.radius[2] = f.surface.mean_radius();
  std::vector<Vector> places;
  for (std::size_t p = 0; p < sphere.size(); ++p) {
    const double h = basis.at(p, f.surface.coefficients).value;
    const SurfacePoint& s = f.points[p];
    const double area = sphere[p].weight * s.area;
    Vector x = f.surface.centre;
    for (int d = 0; d < 3; ++d) {
      x[d] += h * sphere[p].direction[d];
      z.least[d] = std::min(z.least[d], x[d]), z.most[d] = std::max(z.most[d], x[d]);
      z.centroid[d] += area * x[d], z.spin[d] += area * s.spin[d] / (8 * pi);
    }
    places.push_back(x);
    z.area += area, z.outer += area * s.outer, z.inner += area * s.inner, z.product += area * s.outer * s.inner;
    z.radius[0] = std::min(z.radius[0], h), z.radius[1] = std::max(z.radius[1], h);
    z.curvature[3] += area * s.mean_curvature;
    z.curvature[1] = std::min(z.curvature[1], s.mean_curvature);
    z.curvature[2] = std::max(z.curvature[2], s.mean_curvature);
  }
  for (double* mean : {&z.centroid[0], &z.centroid[1], &z.centroid[2], &z.outer, &z.inner, &z.product}) *mean /= z.area;
  z.curvature[0] = z.curvature[3] / z.area;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (std::size_t p = 0; p < sphere.size(); ++p)
        z.quadrupole[symmetric[i][j]] += sphere[p].weight * f.points[p].area / z.area * (places[p][i] - z.centroid[i]) *
                                         (places[p][j] - z.centroid[j]);
  z.irreducible_mass = std::sqrt(z.area / (16 * pi));
  const double spin2 = z.spin[0] * z.spin[0] + z.spin[1] * z.spin[1] + z.spin[2] * z.spin[2];
  z.mass = std::sqrt(z.area / (16 * pi) + spin2 * 4 * pi / z.area);
  const int planes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int n = 0; n < 3; ++n)
    z.circumference[n] = circumference(f.surface, basis.lmax(), planes[n][0], planes[n][1], sample);
  return z;
}
}  // namespace Horizons
