// Crystals in an undercooled melt (Karma and Rappel, Phys. Rev. E 57 (1998) 4323), where they start, and what is
// measured.
#pragma once
#include "alloy.hpp"
#include "crystal.hpp"
namespace Dendrite {
template <class F> struct Moved { F phi, U; };

template <int extra, int dim, class Real> struct Step {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<Phase, box<1>, Real, 1> old;
  Read<Field, star<1>, Real, 1> field;
  Lattice<extra, Real> lattice;
  Write<Phase, interior, Real> now;
  Write<Field, interior, Real> next;
  Crystal<Real> crystal;
  Real diffusivity;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real U = p(field.U), growth = crystal.template growth<extra, dim>(p, old.phi, lattice, U, Real(1));
    p(now.phi) = p(old.phi) + growth;
    p(next.U) = U + Real(p.dt()) * diffusivity * laplacian<2>(p, field.U) + Real(0.5) * growth;
  }
};

// Balls of solid, each with a crystal's angle about z.
struct Seeds {
  static constexpr int most = 64;
  int count;
  double radius, place[3 * most], angle[most];
  // How far a point is from the surface of the nearest one, and which one that is.
  template <int dim> CEREUS_KERNEL double distance(const auto& p, double offset, int& nearest) const {
    const double x[3] = {p.x() + offset * p.h(0), p.y(), p.z()};
    double least = 1e30;
    for (int n = 0; n < count; ++n) {
      double r2 = 0;
      for (int d = 0; d < dim; ++d) r2 += square(x[d] - place[3 * n + d]);
      const double r = sqrt(r2) - radius;
      if (r < least) least = r, nearest = n;
    }
    return least;
  }
};
template <int dim, class Real> struct SetInitial {
  static constexpr bool stretches = false;
  Write<Phase, interior, Real> s;
  Write<Field, interior, Real> field;
  Seeds seeds;
  double undercooling;
  CEREUS_KERNEL void operator()(auto& p) const {
    int nearest = 0;
    p(s.phi) = Real(-tanh(seeds.distance<dim>(p, 0, nearest) * 0.70710678118654752));
    p(field.U) = Real(-undercooling);
  }
};
template <int dim, class Real> struct Orient {  // as the crystal of the nearest seed
  static constexpr bool stretches = false;
  Write<Orientation, interior, Real> lattice;
  Seeds seeds;
  double offset;
  CEREUS_KERNEL void operator()(auto& p) const {
    int nearest = 0;
    seeds.distance<dim>(p, offset, nearest);
    p(lattice.cosine) = Real(cos(seeds.angle[nearest])), p(lattice.sine) = Real(sin(seeds.angle[nearest]));
  }
};

// How far solid reaches along x in the row of cells that holds the first seed: where a line through two values is 0.
template <int dim, class Real> struct FindTip {
  static constexpr bool stretches = false;
  Read<Phase, star<1>, Real> s;
  Seeds seeds;
  double offset;
  CEREUS_KERNEL Max<double> operator()(auto& p) const {
    const double x[3] = {p.x(), p.y(), p.z()};
    // A face between two rows belongs to the upper one, also where it is rounded.
    for (int d = 1; d < dim; ++d)
      if (floor((seeds.place[d] - x[d]) * p.inv_h(d) + 0.500001) != 0) return Max<double>::identity();
    const double here = p(s.phi), ahead = at<1, 0, 0>(p, s.phi);
    return here > 0 && ahead <= 0 ? Max<double>{x[0] + p.h(0) * (offset + here / (here - ahead))}
                                  : Max<double>::identity();
  }
};
template <int dim, class Real> struct SumSolid {
  static constexpr bool stretches = false;
  Read<Phase, pointwise, Real> s;
  double weight;
  CEREUS_KERNEL Sum operator()(auto& p) const { return {weight * (0.5 + 0.5 * double(p(s.phi)))}; }
};

// All fields one cell to the left, by way of a copy.
template <int dim, class Real> struct Shift {
  static constexpr bool stretches = false;
  Read<Phase, star<1>, Real> s;
  Read<Field, star<1>, Real> field;
  Write<Moved, interior, Real> moved;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(moved.phi) = at<1, 0, 0>(p, s.phi), p(moved.U) = at<1, 0, 0>(p, field.U);
  }
};
template <int dim, class Real> struct Settle {
  static constexpr bool stretches = false;
  Read<Moved, pointwise, Real> moved;
  Write<Phase, interior, Real> s;
  Write<Field, interior, Real> field;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.phi) = p(moved.phi), p(field.U) = p(moved.U); }
};
}  // namespace Dendrite
