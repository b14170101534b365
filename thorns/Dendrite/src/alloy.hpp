// A dilute alloy (Echebarria, Folch, Karma and Plapp, Phys. Rev. E 70 (2004) 061604, equations 132 and 133).
#pragma once
#include "crystal.hpp"
namespace Dendrite {
// A temperature that is frozen in: it rises along x, and moves with a speed.
template <class Real> struct Gradient {
  double slope, speed, isotherm, offset;  // slope: 1 / l_T
  CEREUS_KERNEL Real operator()(const auto& p) const {
    return Real(slope * (p.x() + offset * p.h(0) - isotherm - speed * p.time()));
  }
};

template <int extra, int dim, class Real> struct StepPhase {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<Phase, box<1>, Real, 1> old;
  Read<Field, pointwise, Real, 1> field;
  Lattice<extra, Real> lattice;
  Write<Phase, interior, Real> now;
  Crystal<Real> crystal;
  Gradient<Real> gradient;
  Real partition;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real warm = gradient(p), slowness = max(partition, 1 - (1 - partition) * warm);
    p(now.phi) = p(old.phi) + crystal.template growth<extra, dim>(p, old.phi, lattice, p(field.U) + warm, slowness);
  }
};

// With P = ½[1 + k − (1 − k)φ] before U's rate as it is once φ has grown, P [1 + (1 − k)U], which is the concentration,
// changes by fluxes alone.
template <int dim, class Real> struct StepSolute {
  static constexpr bool stretches = false;
  static constexpr bool late = true;
  Read<Phase, box<1>, Real, 1> old;
  Read<Phase, star<1>, Real> now;
  Read<Field, star<1>, Real, 1> field;
  Write<Field, interior, Real> next;
  Real partition, diffusivity;

  // Half the difference across the cell n along `axis`, along another axis.
  template <int axis, int n, int other> CEREUS_KERNEL Real across(const auto& p) const {
    constexpr int i = axis == 0 ? n : 0, j = axis == 1 ? n : 0, k = axis == 2 ? n : 0;
    constexpr int x = other == 0, y = other == 1, z = other == 2;
    return Real(0.5 * p.inv_h(other)) * (at<i + x, j + y, k + z>(p, old.phi) - at<i - x, j - y, k - z>(p, old.phi));
  }
  template <int axis, int n, int other> CEREUS_KERNEL Real slope2(const auto& p) const {
    if constexpr (other == axis || other >= dim) return 0;
    else return square(Real(0.5) * (across<axis, n, other>(p) + across<axis, n + 1, other>(p)));
  }
  // What diffuses in a step into cell n along an axis from the next one, and what the moving interface pushes there so
  // that it traps nothing.
  template <int axis, int n> CEREUS_KERNEL Real flux(const auto& p) const {
    const Real f = along<axis, n>(p, old.phi), g = along<axis, n + 1>(p, old.phi);
    const Real u = along<axis, n>(p, field.U), v = along<axis, n + 1>(p, field.U);
    const Real grown = Real(0.5) * ((along<axis, n>(p, now.phi) - f) + (along<axis, n + 1>(p, now.phi) - g));
    const Real normal = Real(p.inv_h(axis)) * (g - f);
    const Real m = square(normal) + slope2<axis, n, 0>(p) + slope2<axis, n, 1>(p) + slope2<axis, n, 2>(p);
    const Real direction = choose(m < Real(1e-12), Real(0), normal) * inverse_sqrt(m + Real(1e-30));
    const Real diffusion = Real(0.5 * p.dt() * p.inv_h(axis)) * diffusivity * (1 - Real(0.5) * (f + g)) * (v - u);
    return diffusion + Real(0.35355339059327376) * (1 + (1 - partition) * Real(0.5) * (u + v)) * grown * direction;
  }
  template <int axis> CEREUS_KERNEL Real gain(const auto& p) const {
    return Real(p.inv_h(axis)) * (flux<axis, 0>(p) - flux<axis, -1>(p));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real U = p(field.U), f = p(now.phi), rejected = Real(0.5) * (1 + (1 - partition) * U) * (f - p(old.phi));
    Real change = gain<0>(p);
    if constexpr (dim > 1) change += gain<1>(p);
    if constexpr (dim > 2) change += gain<2>(p);
    p(next.U) = U + quotient(change + rejected, Real(0.5) * (1 + partition - (1 - partition) * f));
  }
};

// The concentration over that of the melt at the reference temperature.
template <class F> struct Concentration { F c; };
template <int dim, class Real> struct CalcConcentration {
  static constexpr bool stretches = false;
  Read<Phase, pointwise, Real> s;
  Read<Field, pointwise, Real> field;
  Write<Concentration, interior, Real> solute;
  Real partition;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(solute.c) = Real(0.5) * (1 + partition - (1 - partition) * p(s.phi)) * (1 + (1 - partition) * p(field.U));
  }
};
}  // namespace Dendrite
