#include "geometry.hpp"

namespace Horizons {
namespace {
using Matrix = std::array<Vector, 3>;

Matrix inverse(const double* g, double& determinant) {
  const auto cofactor = [&](int i, int j) {
    const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return g[symmetric[a][c]] * g[symmetric[b][d]] - g[symmetric[a][d]] * g[symmetric[b][c]];
  };
  determinant = g[0] * cofactor(0, 0) + g[1] * cofactor(0, 1) + g[2] * cofactor(0, 2);
  Matrix up;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) up[i][j] = cofactor(i, j) / determinant;
  return up;
}

// ∂_i F and ∂_i ∂_j F of F = r − h(θ, φ), from the components along r, θ and φ.
void derivatives(const Analysis::SpherePoint& p, const OnSphere& h, Vector& first, Matrix& second) {
  const double r = h.value, s = std::sin(p.theta), c = std::cos(p.theta), cot = c / s;
  const Vector frame[3] = {
      p.direction, {c * std::cos(p.phi), c * std::sin(p.phi), -s}, {-std::sin(p.phi), std::cos(p.phi), 0}};
  const double along[3] = {1, -h.t / r, -h.p / (r * s)};
  const double tp = -(h.tp - cot * h.p) / (r * r * s);
  const double both[3][3] = {{0, h.t / (r * r), h.p / (r * r * s)}, {h.t / (r * r), 1 / r - h.tt / (r * r), tp},
      {h.p / (r * r * s), tp, 1 / r - (h.pp / (s * s) + cot * h.t) / (r * r)}};
  for (int i = 0; i < 3; ++i) {
    first[i] = 0;
    for (int a = 0; a < 3; ++a) first[i] += along[a] * frame[a][i];
    for (int j = 0; j < 3; ++j) {
      second[i][j] = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) second[i][j] += both[a][b] * frame[a][i] * frame[b][j];
    }
  }
}
}  // namespace

SurfacePoint surface_point(const Analysis::SpherePoint& p, const OnSphere& h, const Space& space) {
  Vector f, up{}, s;
  Matrix ff;
  derivatives(p, h, f, ff);
  double determinant, norm2 = 0;
  const Matrix g = inverse(space.metric, determinant);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) up[i] += g[i][j] * f[j];
  for (int i = 0; i < 3; ++i) norm2 += f[i] * up[i];
  const double norm = std::sqrt(norm2), r = h.value;
  for (int i = 0; i < 3; ++i) s[i] = up[i] / norm;

  double bend = 0, curved = 0, flat = 0;
  Vector along{};  // K_ij s^j
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double q = g[i][j] - s[i] * s[j];
      double christoffel = 0;  // Γ^k_ij ∂_k F
      for (int k = 0; k < 3; ++k)
        christoffel +=
            up[k] / 2 *
            (space.slope[symmetric[j][k]][i] + space.slope[symmetric[i][k]][j] - space.slope[symmetric[i][j]][k]);
      const double k_ij = space.curvature[symmetric[i][j]];
      bend += q * (ff[i][j] - christoffel) / norm;
      curved += q * k_ij;
      flat += q * ((i == j) - p.direction[i] * p.direction[j]);
      along[i] += k_ij * s[j];
    }
  const Vector& n = p.direction;
  const Vector spin = {r * (n[1] * along[2] - n[2] * along[1]), r * (n[2] * along[0] - n[0] * along[2]),
      r * (n[0] * along[1] - n[1] * along[0])};
  return {bend - curved, -bend - curved, bend, 2 * r * r * norm / flat, std::sqrt(determinant) * norm * r * r, spin};
}
}  // namespace Horizons
