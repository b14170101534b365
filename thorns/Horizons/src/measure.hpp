// What is known of a horizon once its surface is.
#pragma once
#include "flow.hpp"

namespace Horizons {
struct Horizon {
  double area, irreducible_mass;  // M_irr = √(A / 16π)
  Vector spin;                    // J_i = 1/8π ∮ K_jk φ_i^j s^k dA, φ_i flat rotations around the centre
  double mass;                    // M² = M_irr² + J² / 4 M_irr²: D. Christodoulou, Phys. Rev. Lett. 25 (1970) 1596
  Vector centroid;                // mean of places over the area
  double quadrupole[6];           // mean of (x − c)_i (x − c)_j over the area, c the centroid
  Vector least, most;             // coordinates of the box around the surface's points
  double radius[3];               // least, largest, mean over the points of (θ, φ): from the centre
  double outer, inner, product;   // means of the expansions over the area
  double curvature[4];            // mean curvature: mean, least, largest, integral
  double circumference[3];        // of the sections with the planes xy, xz, yz through the centre
};
Horizon measure(const Basis&, const Found&, const Sample&);
}  // namespace Horizons
