// The geometry of a surface r = h(θ, φ) around a centre, at one point of it.
#pragma once
#include "basis.hpp"

namespace Horizons {
using Vector = std::array<double, 3>;
constexpr int symmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};  // xx xy xz yy yz zz

struct Space {          // at a point
  double metric[6];     // γ_ij
  Vector slope[6];      // ∂_k γ_ij
  double curvature[6];  // K_ij
};

struct SurfacePoint {
  double outer, inner;    // expansions Θ of the null directions n + s and n − s, s the normal outwards
  double mean_curvature;  // D_i s^i
  double rho;             // the weight of Gundlach's flow, (29) with his σ = 1 there
  double area;            // element of area over dΩ
  Vector spin;            // K_ij φ^i s^j for flat rotations φ around x, y, z through the centre
};

// Θ = (γ^ij − s^i s^j) (D_i D_j F / |∇F| − K_ij) with F = r − h, s^i = γ^ij ∂_j F / |∇F|. C. Gundlach, Phys. Rev. D 57
// (1998) 863, (5) to (8).
SurfacePoint surface_point(const Analysis::SpherePoint&, const OnSphere& h, const Space&);
}  // namespace Horizons
