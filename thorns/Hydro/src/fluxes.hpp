// The fluxes through the lower faces of cells across one axis: where levels meet, both sides take that of the finer
// one. They are computed as in the right-hand sides, once more.
#pragma once
#include "scalars.hpp"
namespace Hydro {
template <class F> struct Fluxes { F density_flux, momentum_flux[3], energy_flux; };
template <class F> struct ScalarFlux { F flux; };

// Levels meet in 2 and 3 dimensions only, and across no axis that the grid lacks.
template <int dim, class F> CEREUS_KERNEL void along_axis(int axis, F&& f) {
  if constexpr (dim > 1) {
    if (dim == 3 && axis == 2) f.template operator()<dim - 1>();
    else if (axis == 1) f.template operator()<1>();
    else f.template operator()<0>();
  }
}

template <int code, int dim, class Real> struct CalcFluxes {
  using Gas = CalcRhs<code, dim, Real>;
  static constexpr Variant variant = Gas::variant;
  Read<State, Around<Gas::reach, variant.viscous == 1>, Real> s;
  Write<Fluxes, interior, Real> w;
  EOS::Of<variant.eos, Real> eos;
  Floors<Real> floors;
  Real theta, viscosity, conductivity;
  int axis;
  static constexpr Reads reads[] = {Gas::far, Gas::far, Gas::far, Gas::far, Gas::far};
  static constexpr bool reads_time = false, reads_place = false;
  static constexpr int slots = 1;

  CEREUS_KERNEL void operator()(auto& p) const {
    const Gas gas{s, {}, {}, eos, floors, {}, theta, viscosity, conductivity};
    along_axis<dim>(axis, [&]<int a>() {
      const auto f = turned<a>(gas.template face<a, 0>(p));
      p(w.density_flux) = f.density, p(w.energy_flux) = f.last;
      p(w.momentum_flux[0]) = f.x, p(w.momentum_flux[1]) = f.y, p(w.momentum_flux[2]) = f.z;
    });
  }
};

template <int code, int dim, class Real> struct CalcScalarFlux {
  using Rhs = CalcScalarRhs<code, dim, Real>;
  static constexpr Variant variant = Rhs::variant;
  Read<State, Around<Rhs::reach, false>, Real> s;
  Read<Scalar, Around<Rhs::reach, false>, Real> x;
  Write<ScalarFlux, interior, Real> w;
  EOS::Of<variant.eos, Real> eos;
  Floors<Real> floors;
  Real theta;
  int axis;
  static constexpr const auto& reads = Rhs::reads;
  static constexpr bool reads_time = false, reads_place = false;
  static constexpr int slots = 1;

  CEREUS_KERNEL void operator()(auto& p) const {
    const Rhs rhs{s, x, {}, eos, floors, theta};
    along_axis<dim>(axis, [&]<int a>() { p(w.flux) = rhs.template face<a, 0>(p); });
  }
};
}  // namespace Hydro
