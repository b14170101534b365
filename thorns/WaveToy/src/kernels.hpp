// The point updates of the scalar wave equation u_tt = c² Δu, written first order in time: u_t = ρ, ρ_t = c² Δu.
#pragma once
#include <cereus/kernel.hpp>
namespace WaveToy {
using namespace cereus;

template <class F> struct State { F u, rho; };
template <class F> struct Rhs { F u_rhs, rho_rhs; };
template <class F> struct Energy { F energy; };
template <class F> struct Error { F error; };

inline constexpr choices<2, 4, 6, 8> orders;

template <int order, int dim, class Real> struct CalcRhs {
  static constexpr bool maps = same_type<Real, double>;
  Read<State, star<order / 2>, Real> s;
  Write<Rhs, interior, Real> r;
  Real c2;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.u_rhs) = p(s.rho);
    p(r.rho_rhs) = c2 * laplacian<order>(p, s.u);
  }
};

// Solutions that the initial data start and that the error is measured against; see README.md.
enum class Data : int { gaussian, standing, plane };
template <class Real> struct Solution {
  Data data;
  Real amplitude, width, c, k[3], centre[3];
  template <int dim> CEREUS_KERNEL Real phase(const auto& p) const {
    Real s = k[0] * Real(p.x());
    if constexpr (dim > 1) s += k[1] * Real(p.y());
    if constexpr (dim > 2) s += k[2] * Real(p.z());
    return Real(2 * pi) * s;
  }
  template <int dim> CEREUS_KERNEL Real omega() const {  // ω = 2π c |k|
    Real s = k[0] * k[0];
    if constexpr (dim > 1) s += k[1] * k[1];
    if constexpr (dim > 2) s += k[2] * k[2];
    return Real(2 * pi) * c * sqrt(s);
  }
  // s exp(−s²/2w²), its first derivative, and its second one, at s.
  CEREUS_KERNEL void odd(Real s, Real& f, Real& first, Real& second) const {
    const Real w2 = width * width, g = amplitude * exp(-s * s / (2 * w2)), q = s * s / w2;
    f = s * g, first = (1 - q) * g, second = (q - 3) * (s / w2) * g;
  }
  // A pulse that is a Gaussian at rest at t = 0, at a distance r of its centre. In one dimension half of it goes either
  // way; in three u = [F(ct + r) − F(ct − r)] / 2r with F(s) = s exp(−s²/2w²). In two it is known at t = 0 only.
  template <int dim> CEREUS_KERNEL void pulse(Real r2, Real t, Real& u, Real& rho) const {
    if (dim == 2 || t == 0) {
      u = amplitude * exp(-r2 / (2 * width * width));
      rho = 0;
      return;
    }
    const Real r = sqrt(r2);
    Real f[2], first[2], second[2];
    odd(c * t + r, f[0], first[0], second[0]), odd(c * t - r, f[1], first[1], second[1]);
    if constexpr (dim == 3) {
      const bool apart = r > Real(1e-3) * width;
      Real middle, at_middle, slope;
      odd(c * t, middle, at_middle, slope);
      const Real half = Real(0.5) / (apart ? r : Real(1));
      u = apart ? half * (f[0] - f[1]) : at_middle;
      rho = c * (apart ? half * (first[0] - first[1]) : slope);
    } else {
      const Real w2 = width * width, ahead = amplitude * exp(-square(r - c * t) / (2 * w2)),
                 behind = amplitude * exp(-square(r + c * t) / (2 * w2));
      u = Real(0.5) * (ahead + behind);
      rho = Real(0.5) * c / w2 * ((r - c * t) * ahead - (r + c * t) * behind);
    }
  }
  // u and ∂u/∂t at time t.
  template <int dim> CEREUS_KERNEL void at(const auto& p, Real t, Real& u, Real& rho) const {
    if (data == Data::standing) {
      Real s = cos(Real(2 * pi) * k[0] * Real(p.x()));
      if constexpr (dim > 1) s *= cos(Real(2 * pi) * k[1] * Real(p.y()));
      if constexpr (dim > 2) s *= cos(Real(2 * pi) * k[2] * Real(p.z()));
      u = amplitude * s * cos(omega<dim>() * t);
      rho = -amplitude * omega<dim>() * s * sin(omega<dim>() * t);
    } else if (data == Data::plane) {
      const Real f = phase<dim>(p) - omega<dim>() * t;
      u = amplitude * sin(f);
      rho = -amplitude * omega<dim>() * cos(f);
    } else {
      Real r2 = square(Real(p.x()) - centre[0]);
      if constexpr (dim > 1) r2 += square(Real(p.y()) - centre[1]);
      if constexpr (dim > 2) r2 += square(Real(p.z()) - centre[2]);
      pulse<dim>(r2, t, u, rho);
    }
  }
};

template <int dim, class Real> struct SetInitial {
  static constexpr bool maps = same_type<Real, double>;
  Write<State, interior, Real> s;
  Solution<Real> solution;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real u, rho;
    solution.template at<dim>(p, Real(p.time()), u, rho);
    p(s.u) = u;
    p(s.rho) = rho;
  }
};

// ε = ½ (ρ² + c² |∇u|²), with differences of the same order: the density whose integral is conserved up to their error.
template <int order, int dim, class Real> struct CalcEnergy {
  static constexpr bool maps = same_type<Real, double>;
  Read<State, star<order / 2>, Real> s;
  Write<Energy, interior, Real> e;
  Real c2;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real g2 = square(derivative<order, 0>(p, s.u));
    if constexpr (dim > 1) g2 += square(derivative<order, 1>(p, s.u));
    if constexpr (dim > 2) g2 += square(derivative<order, 2>(p, s.u));
    p(e.energy) = Real(0.5) * (square(p(s.rho)) + c2 * g2);
  }
};

template <int dim, class Real> struct CalcError {
  static constexpr bool maps = same_type<Real, double>;
  Read<State, pointwise, Real> s;
  Write<Error, interior, Real> e;
  Solution<Real> solution;
  CEREUS_KERNEL void operator()(auto& p) const {
    Real u, rho;
    solution.template at<dim>(p, Real(p.time()), u, rho);
    p(e.error) = p(s.u) - u;
  }
};
}  // namespace WaveToy
