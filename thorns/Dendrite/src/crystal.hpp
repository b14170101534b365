// The phase field φ of a crystal, 1 in the solid and −1 in the melt, and what its anisotropy makes of its curvature.
// README.md has the equations.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/noise.hpp>
namespace Dendrite {
using namespace cereus;

template <class F> struct Phase { F phi; };
template <class F> struct Field { F U; };
template <class F> struct Orientation { F cosine, sine; };

// ∂φ and ∂∂φ by centred differences; those along two axes a and b at [a + b − 1]. The error of the Laplacian,
// h²/12 (∇²)²φ where cells are cubes, knows no direction: it has 9 points in 2D, 19 in 3D.
template <int dim, class Real> struct Slopes {
  Real first[3] = {}, second[3] = {}, mixed[3] = {}, laplacian = 0;
  CEREUS_KERNEL Slopes(const auto& p, auto v) {
    add_axis<0>(p, v);
    if constexpr (dim > 1) add_axis<1>(p, v), add_plane<0, 1>(p, v);
    if constexpr (dim > 2) add_axis<2>(p, v), add_plane<0, 2>(p, v), add_plane<1, 2>(p, v);
  }
  template <int a> CEREUS_KERNEL void add_axis(const auto& p, auto v) {
    const Real ahead = along<a, 1>(p, v), behind = along<a, -1>(p, v);
    first[a] = Real(0.5 * p.inv_h(a)) * (ahead - behind);
    second[a] = Real(p.inv_h2(a)) * (ahead + behind - 2 * p(v));
    laplacian += second[a];
  }
  template <int a, int b> CEREUS_KERNEL void add_plane(const auto& p, auto v) {
    const Real even = beside<a, 1, b, 1>(p, v) + beside<a, -1, b, -1>(p, v);
    const Real odd = beside<a, 1, b, -1>(p, v) + beside<a, -1, b, 1>(p, v);
    const Real near = (along<a, 1>(p, v) + along<a, -1>(p, v)) + (along<b, 1>(p, v) + along<b, -1>(p, v));
    mixed[a + b - 1] = Real(0.25 * p.inv_h(a) * p.inv_h(b)) * (even - odd);
    laplacian += Real((p.inv_h2(a) + p.inv_h2(b)) / 12) * ((even + odd) - 2 * near + 4 * p(v));
  }
  // The neighbour m cells along axis a and n along axis b.
  template <int a, int m, int b, int n> CEREUS_KERNEL static Real beside(const auto& p, auto v) {
    return at<(a == 0 ? m : 0), (a == 1 ? m : b == 1 ? n : 0), (b == 2 ? n : 0)>(p, v);
  }
  // From axes of the grid to those of a crystal that is turned about z by an angle with this cosine and sine.
  CEREUS_KERNEL void turn(Real c, Real s) {
    const Real x = first[0], xx = second[0], yy = second[1], xy = mixed[0], xz = mixed[1];
    first[0] = c * x + s * first[1], first[1] = c * first[1] - s * x;
    second[0] = c * c * xx + 2 * c * s * xy + s * s * yy, second[1] = s * s * xx - 2 * c * s * xy + c * c * yy;
    mixed[0] = (c * c - s * s) * xy + c * s * (yy - xx);
    mixed[1] = c * xz + s * mixed[2], mixed[2] = c * mixed[2] - s * xz;
  }
};

// With A(p) = ½ a² |p|² and a = 1 − 3ε + 4ε Σ n_i⁴, n = p/|p|: a², A_ii − a², and A_ij, i ≠ j, at [i + j − 1]. Where
// |p|² < 10⁻¹² there is no n, and 0 takes its place.
template <int dim, class Real> struct Anisotropy {
  Real a2, diagonal[3] = {}, mixed[3] = {};
  CEREUS_KERNEL Anisotropy(const Real (&p)[3], Real epsilon) {
    const Real m = square(p[0]) + square(p[1]) + square(p[2]);
    const Real inverse = quotient(choose(m < Real(1e-12), Real(0), Real(1)), m + Real(1e-30)), k = 4 * epsilon;
    Real x[3], S = 0, b[3];
    for (int i = 0; i < dim; ++i) x[i] = p[i] * p[i] * inverse, S += x[i] * x[i];
    const Real a = 1 - 3 * epsilon + k * S, c = 4 * k * a;
    a2 = a * a;
    for (int i = 0; i < dim; ++i) {
      b[i] = 4 * k * (x[i] - S);
      diagonal[i] = x[i] * b[i] * (4 * a + b[i]) + c * (3 * x[i] - S - x[i] * (8 * x[i] - 6 * S));
    }
    for (int n = 0; n < (dim - 1) * dim / 2; ++n) {
      const int i = n / 2, j = (n + 3) / 2;
      mixed[n] = p[i] * p[j] * inverse * (2 * a * (b[i] + b[j]) + b[i] * b[j] + c * (6 * S - 4 * (x[i] + x[j])));
    }
  }
  // Σ A_ij φ_ij, with the mean of A_ii before the whole Laplacian.
  CEREUS_KERNEL Real curvature(const Slopes<dim, Real>& d) const {
    Real mean = 0, sum = 0;
    for (int i = 0; i < dim; ++i) mean += diagonal[i];
    mean *= Real(1.0 / dim);
    for (int i = 0; i < dim; ++i) sum += (diagonal[i] - mean) * d.second[i];
    for (int n = 0; n < (dim - 1) * dim / 2; ++n) sum += 2 * mixed[n] * d.mixed[n];
    return (a2 + mean) * d.laplacian + sum;
  }
};

// What costs time, kernels have by choice: crystals that are turned, and then noise.
inline constexpr choices<0, 1, 2> extras;
template <int, class Real> struct LatticeOf { using type = Read<Orientation, pointwise, Real>; };
template <class Real> struct LatticeOf<0, Real> {
  struct type {};
};
template <int extra, class Real> using Lattice = typename LatticeOf<extra, Real>::type;

template <class Real> struct Crystal {
  Real anisotropy, coupling, strength;  // ε, λ, F
  unsigned seed;
  // What φ grows by in a step where it is driven by U, and slowed down by so many times a².
  template <int extra, int dim>
  CEREUS_KERNEL Real growth(const auto& p, auto phi, const auto& lattice, Real U, Real slowness) const {
    Slopes<dim, Real> d(p, phi);
    const Real dt = Real(p.dt()), f = p(phi), melt = 1 - f * f;
    if constexpr (extra > 0 && dim > 1) d.turn(p(lattice.cosine), p(lattice.sine));
    const Anisotropy<dim, Real> A(d.first, anisotropy);
    Real gain = dt * ((f - coupling * U * melt) * melt + A.curvature(d));
    if constexpr (extra > 1) {  // of variance 2F dt/hⁿ: 2 noise() − 1 has 1/3
      const double cells = p.inv_h(0) * (dim > 1 ? p.inv_h(1) : 1) * (dim > 2 ? p.inv_h(2) : 1);
      gain += sqrt(6 * strength * dt * Real(cells)) * (2 * noise<Real>(p, seed) - 1) * melt;
    }
    return quotient(gain, slowness * A.a2);
  }
};
}  // namespace Dendrite
