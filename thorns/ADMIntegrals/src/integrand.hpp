// What is integrated over a sphere: R. Arnowitt, S. Deser and C. W. Misner, Gravitation (1962) 227; in any coordinates
// that become Cartesian far away, as in E. Gourgoulhon, 3+1 Formalism (2012), (8.9), (8.39) and (8.63).
#pragma once
#include <array>
#include <cmath>

namespace ADMIntegrals {
using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

struct Geometry {
  Matrix gamma, curvature;       // γ_ij, K_ij
  std::array<Matrix, 3> change;  // ∂_k γ_ij as [k][i][j]
};
struct Charges {
  double mass = 0;
  Vector momentum{}, spin{};  // P_i, J_i
  void add(double weight, const Charges& c) {
    mass += weight * c.mass;
    for (int i = 0; i < 3; ++i) momentum[i] += weight * c.momentum[i], spin[i] += weight * c.spin[i];
  }
};

struct Inverse {
  Matrix up;  // γ^ij
  double determinant;
};
inline Inverse inverse(const Matrix& g) {
  Inverse r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      r.up[j][i] = g[a][c] * g[b][d] - g[a][d] * g[b][c];
    }
  r.determinant = g[0][0] * r.up[0][0] + g[0][1] * r.up[1][0] + g[0][2] * r.up[2][0];
  for (Vector& row : r.up)
    for (double& x : row) x /= r.determinant;
  return r;
}

// A unit of flat area with normal n, at x from the centre:
//   M = 1/16π ∮ √γ γ^ij γ^kl (∂_j γ_ik − ∂_k γ_ij) n_l dA,   P_i, J_i = 1/8π ∮ √γ (K^l_j − K δ^l_j) ξ^j n_l dA,
// where ξ is a translation for P, and the rotation ε_ijk x^k about axis i for J; 1/8π is left to the caller.
inline Charges integrand(const Geometry& at, const Vector& n, const Vector& x) {
  const auto [up, determinant] = inverse(at.gamma);
  const double volume = std::sqrt(determinant);
  Charges c;
  Vector flux{};  // (K^l_j − K δ^l_j) n_l
  double trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      trace += up[i][j] * at.curvature[i][j];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          c.mass += volume / 2 * up[i][j] * up[k][l] * (at.change[j][i][k] - at.change[k][i][j]) * n[l];
          if (i == 0) flux[j] += up[k][l] * at.curvature[k][j] * n[l];
        }
    }
  for (int j = 0; j < 3; ++j) c.momentum[j] = volume * (flux[j] - trace * n[j]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c.spin[i] = x[j] * c.momentum[k] - x[k] * c.momentum[j];
  }
  return c;
}
}  // namespace ADMIntegrals
