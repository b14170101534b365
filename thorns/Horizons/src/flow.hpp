// Looks for a surface whose outgoing light rays do not expand, by the fast flow.
#pragma once
#include <functional>
#include <string>

#include "geometry.hpp"

namespace Horizons {
struct Surface {  // r = Σ a_n Y_n around a centre
  Vector centre{};
  std::vector<double> coefficients;
  double mean_radius() const { return coefficients[0] / std::sqrt(4 * std::numbers::pi); }
};
Surface sphere(const Vector& centre, double radius, int lmax);

// The geometry of space at points; throws cereus::Failure where a point lies outside what is known.
using Sample = std::function<void(std::span<const Vector> points, std::span<Space>)>;

struct Search {
  double tolerance = 1e-8;  // of the largest |∮ ρΘ Y_lm dΩ|, over the mean radius
  int most_steps = 300;
  double least_radius = 0;  // a surface of a smaller mean radius is lost
};
struct Found {
  bool found = false;
  bool outside = false;              // a point of it lay where nothing is known
  std::string why;                   // if not
  int steps = 0;                     // of the flow
  double residual = 0;               // largest |∮ ρΘ Y_lm dΩ|, over the mean radius
  Surface surface;                   // the last one
  std::vector<SurfacePoint> points;  // of it, at the points of the basis
};

// a_lm ← a_lm − A / (1 + B l (l + 1)) ∮ ρΘ Y_lm dΩ, A = α / (L (L + 1)) + β, B = β / α, α = 1, β = ½: C. Gundlach,
// Phys. Rev. D 57 (1998) 863, (42) to (44); close to the surface with Anderson's acceleration.
Found flow(const Basis&, Surface start, const Sample&, const Search&);
}  // namespace Horizons
