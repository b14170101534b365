// Ten stencil programs (Holewinski, Pouchet and Sadayappan, ICS 2012, table 2), each a kernel or two. The paper's index
// [i][j][k] is (z, y, x) here, and its shell of points that never change is the outer boundary.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/noise.hpp>
namespace Stencils {
using namespace cereus;

template <class F> struct State { F u; };
template <class F> struct Electric { F ex, ey; };
template <class F> struct Magnetic { F hz; };
template <class F> struct Edges { F g; };
template <class F> struct Given { F f, v; };

template <int n> using Line = star<n / 2>;

// u' = c Σ u[m], m = −r … r: c is 1 / points, to three digits.
template <int points, int dim, class Real> struct Jacobi1D {
  Read<State, Line<points>, Real, 1> old;
  Write<State, interior, Real> now;
  template <int m> CEREUS_KERNEL Real sum(const auto& p) const {
    if constexpr (m == -(points / 2)) return at<m, 0, 0>(p, old.u);
    else return sum<m - 1>(p) + at<m, 0, 0>(p, old.u);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = Real(points == 3 ? 0.333 : points == 5 ? 0.2 : 0.143) * sum<points / 2>(p);
  }
};

template <int dim, class Real> struct Jacobi2D {
  Read<State, star<1>, Real, 1> old;
  Write<State, interior, Real> now;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = Real(0.2) * (p(old.u) + at<0, -1, 0>(p, old.u) + at<0, 1, 0>(p, old.u) + at<-1, 0, 0>(p, old.u) +
                               at<1, 0, 0>(p, old.u));
  }
};

template <int dim, class Real> struct Jacobi3D {
  Read<State, star<1>, Real, 1> old;
  Write<State, interior, Real> now;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = Real(0.143) * (p(old.u) + at<-1, 0, 0>(p, old.u) + at<1, 0, 0>(p, old.u) + at<0, -1, 0>(p, old.u) +
                                 at<0, 1, 0>(p, old.u) + at<0, 0, -1>(p, old.u) + at<0, 0, 1>(p, old.u));
  }
};

// u' = 8 u − Σ of the eight neighbours.
template <int dim, class Real> struct Poisson2D {
  Read<State, box<1>, Real, 1> old;
  Write<State, interior, Real> now;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(now.u) = Real(8) * p(old.u) -
               (at<-1, -1, 0>(p, old.u) + at<0, -1, 0>(p, old.u) + at<1, -1, 0>(p, old.u) + at<-1, 0, 0>(p, old.u) +
                   at<1, 0, 0>(p, old.u) + at<-1, 1, 0>(p, old.u) + at<0, 1, 0>(p, old.u) + at<1, 1, 0>(p, old.u));
  }
};

// Finite differences in the time domain, on Yee's grid: E at vertices, H at cells. The first lines of E never change.
template <int dim, class Real> struct StepElectric {
  Read<Magnetic, star<1>, Real> m;
  Modify<Electric, interior, Real> e;
  CEREUS_KERNEL void operator()(auto& p) const {
    if (p.index(1) > 0) p(e.ey) -= Real(0.5) * (p(m.hz) - at<0, -1, 0>(p, m.hz));
    if (p.index(0) > 0) p(e.ex) -= Real(0.5) * (p(m.hz) - at<-1, 0, 0>(p, m.hz));
  }
};
template <int dim, class Real> struct StepMagnetic {
  Read<Electric, star<1>, Real> e;
  Modify<Magnetic, interior, Real> m;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(m.hz) -= Real(0.7) * (at<1, 0, 0>(p, e.ex) - p(e.ex) + at<0, 1, 0>(p, e.ey) - p(e.ey));
  }
};

// Σ (u − u_n)² over the four neighbours.
template <class Real> CEREUS_KERNEL Real contrast(const auto& p, auto u) {
  return square(p(u) - at<0, -1, 0>(p, u)) + square(p(u) - at<0, 1, 0>(p, u)) + square(p(u) - at<-1, 0, 0>(p, u)) +
         square(p(u) - at<1, 0, 0>(p, u));
}

// Removal of Rician noise (Getreuer, Tong and Vese, ISVC 2011): first the weights of edges, then the image.
template <int dim, class Real> struct FindEdges {
  Read<State, star<1>, Real, 1> old;
  Write<Edges, interior, Real> edges;
  Real eps;
  CEREUS_KERNEL void operator()(auto& p) const { p(edges.g) = inverse_sqrt(eps + contrast<Real>(p, old.u)); }
};
template <int dim, class Real> struct Denoise {
  Read<State, star<1>, Real, 1> old;
  Read<Edges, star<1>, Real> edges;
  Read<Given, pointwise, Real> given;
  Write<State, interior, Real> now;
  Real dt, gamma, inverse_sigma2;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real u = p(old.u), f = p(given.f), s = u * f * inverse_sigma2;
    const Real r = quotient(
        s * (Real(2.38944) + s * (Real(0.950037) + s)), Real(4.65314) + s * (Real(2.57541) + s * (Real(1.48937) + s)));
    const Real north = at<0, -1, 0>(p, edges.g), south = at<0, 1, 0>(p, edges.g), west = at<-1, 0, 0>(p, edges.g),
               east = at<1, 0, 0>(p, edges.g);
    const Real sum = at<0, -1, 0>(p, old.u) * north + at<0, 1, 0>(p, old.u) * south + at<-1, 0, 0>(p, old.u) * west +
                     at<1, 0, 0>(p, old.u) * east;
    p(now.u) = quotient(u + dt * (sum + gamma * f * r), Real(1) + dt * (north + south + west + east + gamma));
  }
};

template <int dim, class Real> struct Gradient2D {
  Read<State, star<1>, Real, 1> old;
  Write<State, interior, Real> now;
  Real eps;
  CEREUS_KERNEL void operator()(auto& p) const { p(now.u) = p(old.u) + inverse_sqrt(eps + contrast<Real>(p, old.u)); }
};

// A step of total variation (Rudin, Osher and Fatemi, Physica D 60 (1992) 259). c3 is c1: the same expression. All c =
// u / (v · √…) are multiplied by v, as are the other terms of the fraction: that saves a division.
template <int dim, class Real> struct TotalVariation {
  Read<State, box<1>, Real, 1> old;
  Read<Given, pointwise, Real> given;
  Write<State, interior, Real> now;
  Real alpha, eps;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real u = p(old.u), up = at<0, 1, 0>(p, old.u), down = at<0, -1, 0>(p, old.u), right = at<1, 0, 0>(p, old.u),
               left = at<-1, 0, 0>(p, old.u);
    const Real c1 = inverse_sqrt(eps + square(up - u) + square(right - u));
    const Real c2 = inverse_sqrt(eps + square(u - down) + square(at<1, -1, 0>(p, old.u) - down));
    const Real c4 = inverse_sqrt(eps + square(at<-1, 1, 0>(p, old.u) - left) + square(u - left));
    const Real weight = alpha * p(given.v);
    p(now.u) = quotient(
        weight * p(given.f) + u * (c1 * (up + right) + c2 * down + c4 * left), weight + u * (Real(2) * c1 + c2 + c4));
  }
};

// The interior, or the shell around it; what lies across a periodic axis is not noise of its own.
template <class Where> struct Fill {
  template <int dim, class Real> struct OfState {
    Write<State, Where, Real> s;
    Real low, high;
    CEREUS_KERNEL void operator()(auto& p) const { p(s.u) = low + (high - low) * noise<Real>(p, 1); }
  };
  template <int dim, class Real> struct OfElectric {
    Write<Electric, Where, Real> e;
    CEREUS_KERNEL void operator()(auto& p) const { p(e.ex) = noise<Real>(p, 2), p(e.ey) = noise<Real>(p, 3); }
  };
  template <int dim, class Real> struct OfMagnetic {
    Write<Magnetic, Where, Real> m;
    CEREUS_KERNEL void operator()(auto& p) const { p(m.hz) = noise<Real>(p, 4); }
  };
  template <int dim, class Real> struct OfGiven {
    Write<Given, Where, Real> given;
    Real low, high;
    CEREUS_KERNEL void operator()(auto& p) const {
      p(given.f) = low + (high - low) * noise<Real>(p, 1);
      p(given.v) = low + (high - low) * noise<Real>(p, 5);
    }
  };
};
template <int dim, class Real> struct FillEdges {
  Write<Edges, everywhere, Real> edges;
  CEREUS_KERNEL void operator()(auto& p) const { p(edges.g) = 0; }
};
}  // namespace Stencils
