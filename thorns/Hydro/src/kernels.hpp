// The point updates of a compressible fluid that look at a cell alone; rhs.hpp, scalars.hpp and fluxes.hpp have the
// others.
#pragma once
#include <EOS/any.hpp>
#include <cereus/kernel/steps.hpp>

#include "fluxes.hpp"
namespace Hydro {
template <class F> struct Primitives { F velocity[3], pressure, entropy; };

template <class H, class P, class Real> CEREUS_KERNEL Five<Real> state_of(const H& s, const P& p, Real) {
  return {p(s.density), p(s.momentum[0]), p(s.momentum[1]), p(s.momentum[2]), p(s.energy)};
}
template <class Real> CEREUS_KERNEL constexpr Floors<Real> no_floors() {
  return {Max<Real>::identity().value, Max<Real>::identity().value};
}

// Of primitives without floors.
template <class Real> CEREUS_KERNEL bool below(const Five<Real>& q, const Floors<Real>& floors) {
  return (q.density < floors.density) | (q.last < floors.pressure);
}
template <class Real, class Eos>
CEREUS_KERNEL bool below(const Five<Real>& u, const Eos& eos, const Floors<Real>& floors) {
  return below(primitive(u, eos, no_floors<Real>()), floors);
}
// The largest of |v| + c over the axes; infinite where it is no number, or, once asked for, something is below a floor.
template <int dim, class Real> struct CalcSpeed {
  Read<State, pointwise, Real> s;
  EOS::Any<Real> eos;
  Floors<Real> floors;
  bool finds_low;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    const Five<Real> u = state_of(s, p, Real());
    const Real inverse = quotient(Real(1), u.density);
    const Five<Real> raw = primitive(u, inverse, eos, no_floors<Real>());
    const bool low = below(raw, floors);
    const Five<Real> q = select(low, primitive(u, inverse, eos, floors), raw);
    Real v = absolute(q.x);
    if constexpr (dim > 1) v = max(v, absolute(q.y));
    if constexpr (dim > 2) v = max(v, absolute(q.z));
    const Real speed = v + sound(q, eos), infinite = Real(__builtin_huge_val());
    const bool fine = (speed < infinite) & !(low & finds_low);
    return {fine ? speed : infinite};
  }
};
template <class Real, class Eos>
CEREUS_KERNEL Five<Real> floored(const Five<Real>& u, const Eos& eos, const Floors<Real>& floors) {
  return below(u, eos, floors) ? conserved(primitive(u, eos, floors), eos) : u;
}
template <int dim, class Real> struct CountFloored {
  Read<State, pointwise, Real> s;
  EOS::Any<Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Count operator()(auto& p) const { return {below(state_of(s, p, Real()), eos, floors) ? 1 : 0}; }
};
constexpr long long most_cells = 1 << 17;  // along an axis
template <int dim, class Real> struct FindFloored {
  Read<State, pointwise, Real> s;
  EOS::Any<Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Min<double> operator()(auto& p) const {
    const double here = p.index(0) + double(most_cells) * (p.index(1) + double(most_cells) * p.index(2));
    return {below(state_of(s, p, Real()), eos, floors) ? here : __builtin_huge_val()};
  }
};
template <int dim, class Real> struct AddedEnergy {
  Read<State, pointwise, Real> s;
  EOS::Any<Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    const Five<Real> u = state_of(s, p, Real());
    Real volume = p.h(0);
    for (int d = 1; d < dim; ++d) volume *= Real(p.h(d));
    return {static_cast<double>(volume * (floored(u, eos, floors).last - u.last))};
  }
};
template <int dim, class Real> struct SetFloored {
  Modify<State, interior, Real> s;
  EOS::Any<Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Five<Real> u = floored(state_of(s, p, Real()), eos, floors);
    p(s.density) = u.density, p(s.momentum[0]) = u.x, p(s.momentum[1]) = u.y, p(s.momentum[2]) = u.z,
    p(s.energy) = u.last;
  }
};

template <int dim, class Real> struct CalcPrimitives {
  Read<State, pointwise, Real> s;
  Write<Primitives, interior, Real> w;
  EOS::Any<Real> eos;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Five<Real> q = primitive(state_of(s, p, Real()), eos, no_floors<Real>());
    p(w.velocity[0]) = q.x, p(w.velocity[1]) = q.y, p(w.velocity[2]) = q.z, p(w.pressure) = q.last;
    p(w.entropy) = eos.entropy(q.density, q.last);
  }
};

struct Formulas {
  Steps of[5];  // density, velocity, pressure: of x, y, z
  void each(auto f) const { f(of[0]), f(of[1]), f(of[2]), f(of[3]), f(of[4]); }
};
// Gauss's quadrature of 1 to 3 points an axis.
struct Quadrature {
  int points;
  CEREUS_KERNEL double node(int n) const {
    const double far = points == 3 ? 0.3872983346207417 : 0.2886751345948129;  // ½√(3/5), ½/√3
    return points == 1 ? 0 : (2 * n - points + 1) * far / (points - 1);
  }
  CEREUS_KERNEL double weight(int n) const { return points == 3 ? (n == 1 ? 4. / 9 : 5. / 18) : 1. / points; }
  // The mean over a cell of f(place).
  template <int dim> CEREUS_KERNEL auto mean(const auto& p, auto f) const {
    double x[3];
    decltype(f(x)) sum{};
    for (int k = 0; k < (dim > 2 ? points : 1); ++k)
      for (int j = 0; j < (dim > 1 ? points : 1); ++j)
        for (int i = 0; i < points; ++i) {
          x[0] = p.x() + node(i) * p.h(0);
          x[1] = dim > 1 ? p.y() + node(j) * p.h(1) : 0, x[2] = dim > 2 ? p.z() + node(k) * p.h(2) : 0;
          sum = sum + weight(i) * (dim > 1 ? weight(j) : 1) * (dim > 2 ? weight(k) : 1) * f(x);
        }
    return sum;
  }
};
template <int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  EOS::Any<Real> eos;
  Formulas formulas;
  Quadrature quadrature;
  static constexpr bool record = false;
  void each_formula(auto f) const { formulas.each(f); }
  CEREUS_KERNEL void operator()(auto& p) const {
    const auto sum = quadrature.mean<dim>(
        p, HYDRO_EACH(const double(&x)[3]) {
          const Steps* const of = formulas.of;
          return conserved(Five<double>{run<0>(of[0], x, p), run<1>(of[1], x, p), run<2>(of[2], x, p),
                               run<3>(of[3], x, p), run<4>(of[4], x, p)},
              eos);
        });
    p(s.density) = Real(sum.density), p(s.energy) = Real(sum.last);
    p(s.momentum[0]) = Real(sum.x), p(s.momentum[1]) = Real(sum.y), p(s.momentum[2]) = Real(sum.z);
  }
};
template <int dim, class Real> struct SetScalar {
  Write<Scalar, interior, Real> x;
  Steps density, fraction;
  Quadrature quadrature;
  static constexpr bool record = false;
  void each_formula(auto f) const { f(density), f(fraction); }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(x.density) = Real(quadrature.mean<dim>(
        p, HYDRO_EACH(const double(&at)[3]) { return run<0>(density, at, p) * run<1>(fraction, at, p); }));
  }
};
template <int dim, class Real> struct SetPotential {
  Write<Potential, everywhere, Real> to;
  Steps formula;
  static constexpr bool record = false;
  CEREUS_KERNEL void operator()(auto& p) const {
    const double x[3] = {p.x(), dim > 1 ? p.y() : 0, dim > 2 ? p.z() : 0};
    p(to.potential) = Real(run(formula, x, p));
  }
};
}  // namespace Hydro
