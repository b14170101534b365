// The point updates of the diffusion equation u_t = D Δu, and its known solutions.
#pragma once
#include <cereus/kernel.hpp>
namespace Diffusion {
using namespace cereus;

template <class F> struct State { F u; };
template <class F> struct Rhs { F u_rhs; };
template <class F> struct Error { F error; };

inline constexpr choices<2, 4, 6, 8> orders;

template <int order, int dim, class Real> struct CalcRhs {
  Read<State, star<order / 2>, Real> s;
  Write<Rhs, interior, Real> r;
  Real diffusivity;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = diffusivity * laplacian<order>(p, s.u); }
};

// Solutions that the initial data start and that the error is measured against; see README.md.
enum class Data : int { gaussian, cosine, sine };
template <class Real> struct Solution {
  Data data;
  Real amplitude, offset, width, diffusivity, k[3], centre[3];
  CEREUS_KERNEL Real mode(Real phase) const { return data == Data::cosine ? cereus::cos(phase) : cereus::sin(phase); }
  template <int dim> CEREUS_KERNEL Real at(const auto& p, Real t) const {
    const Real x[3] = {Real(p.x()), Real(p.y()), Real(p.z())};
    Real u = amplitude, exponent = 0;
    if (data == Data::gaussian) {
      const Real width2 = width * width, spread2 = width2 + 2 * diffusivity * t;
      for (int d = 0; d < dim; ++d) {
        u *= cereus::sqrt(width2 / spread2);
        exponent += square(x[d] - centre[d]) / (2 * spread2);
      }
    } else {
      for (int d = 0; d < dim; ++d) {
        u *= mode(Real(2 * pi) * k[d] * (x[d] - centre[d]));
        exponent += diffusivity * square(Real(2 * pi) * k[d]) * t;
      }
    }
    return offset + u * cereus::exp(-exponent);
  }
};

// Only the interior: outside the domain the boundary's conditions hold from the first step on.
template <int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  Solution<Real> solution;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.u) = solution.template at<dim>(p, Real(p.time())); }
};

template <int dim, class Real> struct CalcError {
  Read<State, pointwise, Real> s;
  Write<Error, interior, Real> e;
  Solution<Real> solution;
  CEREUS_KERNEL void operator()(auto& p) const { p(e.error) = p(s.u) - solution.template at<dim>(p, Real(p.time())); }
};
}  // namespace Diffusion
