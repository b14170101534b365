// φ − Δφ = ρ by conjugate gradients: what a solver does at each point.
#pragma once
#include <cereus/kernel.hpp>
namespace Gradients {
using namespace cereus;
template <class F> struct Solution { F phi; };
template <class F> struct Work { F r, d; };  // residual, direction
template <class F> struct Product { F a_d; };

// Three waves along each axis; φ = 0 to begin with.
template <int dim, class Real> struct Begin {
  Write<Solution, interior, Real> s;
  Write<Work, interior, Real> w;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    Real rho = 1;
    for (int n = 1; n < 4; ++n) rho += Real(n) * cos(Real(n * pi) * p.x()) * cos(Real((4 - n) * pi) * p.y());
    p(s.phi) = 0;
    p(w.r) = rho;
    p(w.d) = rho;
    return {rho * rho};
  }
};
template <int dim, class Real> struct Apply {
  Read<Work, star<1>, Real> w;
  Write<Product, interior, Real> product;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    const Real a_d = p(w.d) - laplacian<2>(p, w.d);
    p(product.a_d) = a_d;
    return {p(w.d) * a_d};
  }
};
template <int dim, class Real> struct Advance {
  Read<Product, pointwise, Real> product;
  Modify<Solution, interior, Real> s;
  Modify<Work, interior, Real> w;
  Real alpha;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    p(s.phi) += alpha * p(w.d);
    const Real r = p(w.r) - alpha * p(product.a_d);
    p(w.r) = r;
    return {r * r};
  }
};
template <int dim, class Real> struct Turn {
  Modify<Work, interior, Real> w;
  Real beta;
  CEREUS_KERNEL void operator()(auto& p) const { p(w.d) = p(w.r) + beta * p(w.d); }
};
}  // namespace Gradients
