// The point updates of a compressible fluid. README.md has the equations.
#pragma once
#include <EOS/eos.hpp>
#include <cereus/kernel/large.hpp>
#include <cereus/kernel/steps.hpp>

#include "solvers.hpp"
#include "split.hpp"
namespace Hydro {
template <class F> struct State { F density, momentum[3], energy; };
template <class F> struct Rhs { F density_rhs, momentum_rhs[3], energy_rhs; };
template <class F> struct Primitives { F velocity[3], pressure, entropy; };

struct Variant {  // of the right-hand sides, as one number
  int scheme, solver, eos;
  constexpr int code() const { return scheme + 8 * solver + 64 * eos; }
  static constexpr Variant of(int code) { return {code % 8, code / 8 % 8, code / 64}; }
  constexpr bool split() const { return scheme >= upwind3; }
  constexpr int reach() const { return scheme == constant ? 1 : scheme == ppm || scheme == weno5 ? 3 : 2; }
};
template <class Real> struct Vector { Real v[3]; };

template <int code, int dim, class Scalar> struct CalcRhs {
  static constexpr Variant variant = Variant::of(code);
  static constexpr int reach = variant.reach();
  Read<State, star<reach>, Scalar> s;
  Write<Rhs, interior, Scalar> r;
  EOS::Of<variant.eos, Scalar> eos;
  Floors<Scalar> floors;
  Vector<Scalar> gravity;

  static constexpr Reads far{{reach, dim > 1 ? reach : 0, dim > 2 ? reach : 0}, false};
  static constexpr Reads reads[] = {far, far, far, far, far};
  static constexpr bool reads_time = false, reads_place = false;
  static constexpr int slots = 1;
  static constexpr bool late = true, shares_faces = true;

  template <int axis, int n, class P> CEREUS_KERNEL auto conserved_at(const P& p) const {
    using R = Number<P, Scalar>;
    const Five<R> u{along<axis, n>(p, s.density), along<axis, n>(p, s.momentum[0]), along<axis, n>(p, s.momentum[1]),
        along<axis, n>(p, s.momentum[2]), along<axis, n>(p, s.energy)};
    return turned<axis>(u);
  }
  template <int axis, int n, class P> CEREUS_KERNEL auto cell(const P& p) const {
    return primitive(conserved_at<axis, n>(p), eos, floors);
  }
  template <int axis, int n, class P> CEREUS_KERNEL auto centre_at(const P& p) const {
    return centre(conserved_at<axis, n>(p), eos, floors);
  }
  // The flux across the lower (0) or upper (1) face along an axis, in the frame of the face.
  template <int axis, int n, class P> CEREUS_KERNEL auto face(const P& p) const {
    using R = Number<P, Scalar>;
    constexpr int scheme = variant.scheme, solver = variant.solver;
    if constexpr (variant.split()) {
      constexpr int far =
          reach == 2 ? 0 : 1;  // with two cells on each side of a face, the outer ones are not looked at
      return split_flux<scheme>(centre_at<axis, n - 2 - far>(p), centre_at<axis, n - 2>(p), centre_at<axis, n - 1>(p),
          centre_at<axis, n>(p), centre_at<axis, n + 1>(p), centre_at<axis, n + 1 + far>(p), eos);
    } else if constexpr (scheme == constant) {
      return solve<solver>(cell<axis, n - 1>(p), cell<axis, n>(p), eos);
    } else if constexpr (scheme == ppm) {
      const auto at = HYDRO_EACH(R a, R b, R c, R d) { return at_upper_face(a, b, c, d); };
      const auto b = cell<axis, n - 2>(p), c = cell<axis, n - 1>(p), d = cell<axis, n>(p), e = cell<axis, n + 1>(p);
      const auto cd = each(at, b, c, d, e);
      return solve<solver>(parabola(each(at, cell<axis, n - 3>(p), b, c, d), c, cd).upper,
          parabola(cd, d, each(at, c, d, e, cell<axis, n + 2>(p))).lower, eos);
    } else {
      const auto b = cell<axis, n - 1>(p), c = cell<axis, n>(p);
      return solve<solver>(
          linear<scheme>(cell<axis, n - 2>(p), b, c).upper, linear<scheme>(b, c, cell<axis, n + 1>(p)).lower, eos);
    }
  }
  // Across both.
  template <int axis, class P> CEREUS_KERNEL auto faces(const P& p) const {
    using R = Number<P, Scalar>;
    constexpr int scheme = variant.scheme, solver = variant.solver;
    Sides<R> f;
    if constexpr (variant.split()) {
      constexpr int n = reach;  // with two cells on each side of a face, the outer ones are not looked at
      const auto a = centre_at<axis, -n>(p), b = centre_at<axis, -2>(p), c = centre_at<axis, -1>(p);
      const auto d = centre_at<axis, 0>(p), e = centre_at<axis, 1>(p), g = centre_at<axis, 2>(p);
      f.lower = split_flux<scheme>(a, b, c, d, e, g, eos);
      f.upper = split_flux<scheme>(b, c, d, e, g, centre_at<axis, n>(p), eos);
    } else if constexpr (scheme == constant) {
      const auto here = cell<axis, 0>(p);
      f.lower = solve<solver>(cell<axis, -1>(p), here, eos), f.upper = solve<solver>(here, cell<axis, 1>(p), eos);
    } else if constexpr (scheme == ppm) {
      const auto face = HYDRO_EACH(R a, R b, R c, R d) { return at_upper_face(a, b, c, d); };
      const auto b = cell<axis, -2>(p), c = cell<axis, -1>(p), d = cell<axis, 0>(p), e = cell<axis, 1>(p);
      const auto g = cell<axis, 2>(p);
      const auto cd = each(face, b, c, d, e), de = each(face, c, d, e, g);
      const auto here = parabola(cd, d, de);
      f.lower = solve<solver>(parabola(each(face, cell<axis, -3>(p), b, c, d), c, cd).upper, here.lower, eos);
      f.upper = solve<solver>(here.upper, parabola(de, e, each(face, d, e, g, cell<axis, 3>(p))).lower, eos);
    } else {
      const auto b = cell<axis, -1>(p), c = cell<axis, 0>(p), d = cell<axis, 1>(p);
      const auto here = linear<scheme>(b, c, d);
      f.lower = solve<solver>(linear<scheme>(cell<axis, -2>(p), b, c).upper, here.lower, eos);
      f.upper = solve<solver>(here.upper, linear<scheme>(c, d, cell<axis, 2>(p)).lower, eos);
    }
    return f;
  }
  // Gravity's work is that on the mass which crosses the faces.
  template <int axis, class P, class R> CEREUS_KERNEL void add(const P& p, Five<R>& sum) const {
    const auto f = faces_of<axis>(*this, p);
    Five<R> change = R(Scalar(p.inv_h(axis))) * (f.lower - f.upper);
    change.x += R(gravity.v[axis]) * p(s.density);
    change.last += R(Scalar(0.5) * gravity.v[axis]) * (f.lower.density + f.upper.density);
    sum = sum + turned<axis>(change);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    using R = Number<decltype(p), Scalar>;
    Five<R> sum{R(0), R(0), R(0), R(0), R(0)};
    add<0>(p, sum);
    if constexpr (dim > 1) add<1>(p, sum);
    if constexpr (dim > 2) add<2>(p, sum);
    p(r.density_rhs) = p.begin(r.density_rhs) + sum.density;
    p(r.momentum_rhs[0]) = p.begin(r.momentum_rhs[0]) + sum.x;
    p(r.momentum_rhs[1]) = p.begin(r.momentum_rhs[1]) + sum.y;
    p(r.momentum_rhs[2]) = p.begin(r.momentum_rhs[2]) + sum.z;
    p(r.energy_rhs) = p.begin(r.energy_rhs) + sum.last;
  }
};

// What follows looks at a cell alone.
template <class H, class P, class Real> CEREUS_KERNEL Five<Real> state_of(const H& s, const P& p, Real) {
  return {p(s.density), p(s.momentum[0]), p(s.momentum[1]), p(s.momentum[2]), p(s.energy)};
}
template <class Real> CEREUS_KERNEL constexpr Floors<Real> no_floors() {
  return {Real(-__builtin_huge_val()), Real(-__builtin_huge_val())};
}

// The largest of |v| + c over the axes; infinite where density or pressure is at a floor, below, or no number.
template <int kind, int dim, class Real> struct CalcSpeed {
  Read<State, pointwise, Real> s;
  EOS::Of<kind, Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    const Five<Real> u = state_of(s, p, Real()), q = primitive(u, eos, no_floors<Real>());
    Real v = absolute(q.x);
    if constexpr (dim > 1) v = max(v, absolute(q.y));
    if constexpr (dim > 2) v = max(v, absolute(q.z));
    const bool good = q.density >= floors.density && q.last >= floors.pressure;
    return {good ? v + sound(q, eos) : Real(__builtin_huge_val())};
  }
};
// What the floors would change: velocity stays, but for densities that were not positive.
template <class Real, class Eos>
CEREUS_KERNEL Five<Real> floored(const Five<Real>& u, const Eos& eos, const Floors<Real>& floors) {
  Five<Real> q = primitive(u, eos, no_floors<Real>());
  if (!(q.density < floors.density || q.last < floors.pressure)) return u;
  return conserved(primitive(u, eos, floors), eos);
}
template <int kind, int dim, class Real> struct CountFloored {
  Read<State, pointwise, Real> s;
  EOS::Of<kind, Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Count operator()(auto& p) const {
    const Five<Real> q = primitive(state_of(s, p, Real()), eos, no_floors<Real>());
    return Count{q.density < floors.density || q.last < floors.pressure ? 1 : 0};
  }
};
constexpr long long most_cells = 1 << 17;  // along an axis
template <int kind, int dim, class Real> struct FindFloored {
  Read<State, pointwise, Real> s;
  EOS::Of<kind, Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Min<double> operator()(auto& p) const {
    const Five<Real> q = primitive(state_of(s, p, Real()), eos, no_floors<Real>());
    const double here = p.index(0) + double(most_cells) * (p.index(1) + double(most_cells) * p.index(2));
    return {q.density < floors.density || q.last < floors.pressure ? here : __builtin_huge_val()};
  }
};
template <int kind, int dim, class Real> struct AddedEnergy {
  Read<State, pointwise, Real> s;
  EOS::Of<kind, Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    const Five<Real> u = state_of(s, p, Real());
    Real volume = p.h(0);
    for (int d = 1; d < dim; ++d) volume *= Real(p.h(d));
    return {static_cast<double>(volume * (floored(u, eos, floors).last - u.last))};
  }
};
template <int kind, int dim, class Real> struct SetFloored {
  Modify<State, interior, Real> s;
  EOS::Of<kind, Real> eos;
  Floors<Real> floors;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Five<Real> u = floored(state_of(s, p, Real()), eos, floors);
    p(s.density) = u.density, p(s.momentum[0]) = u.x, p(s.momentum[1]) = u.y, p(s.momentum[2]) = u.z,
    p(s.energy) = u.last;
  }
};

template <int kind, int dim, class Real> struct CalcPrimitives {
  Read<State, pointwise, Real> s;
  Write<Primitives, interior, Real> w;
  EOS::Of<kind, Real> eos;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Five<Real> q = primitive(state_of(s, p, Real()), eos, no_floors<Real>());
    p(w.velocity[0]) = q.x, p(w.velocity[1]) = q.y, p(w.velocity[2]) = q.z, p(w.pressure) = q.last;
    p(w.entropy) = eos.entropy(q.density, q.last);
  }
};

struct Formulas {
  Steps density, velocity[3], pressure;  // of x, y, z
};
// Means over a cell of what formulas of the place give, by Gauss's quadrature of 1 to 3 points an axis.
template <int kind, int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  EOS::Of<kind, Real> eos;
  Formulas formulas;
  int points;
  static constexpr bool record = false;
  CEREUS_KERNEL double node(int n) const {
    const double far = points == 3 ? 0.3872983346207417 : 0.2886751345948129;  // ½√(3/5), ½/√3
    return points == 1 ? 0 : (2 * n - points + 1) * far / (points - 1);
  }
  CEREUS_KERNEL double weight(int n) const { return points == 3 ? (n == 1 ? 4. / 9 : 5. / 18) : 1. / points; }
  CEREUS_KERNEL void operator()(auto& p) const {
    Five<double> sum{};
    for (int k = 0; k < (dim > 2 ? points : 1); ++k)
      for (int j = 0; j < (dim > 1 ? points : 1); ++j)
        for (int i = 0; i < points; ++i) {
          const double x[3] = {
              p.x() + node(i) * p.h(0), dim > 1 ? p.y() + node(j) * p.h(1) : 0, dim > 2 ? p.z() + node(k) * p.h(2) : 0};
          const Five<double> q{run(formulas.density, x), run(formulas.velocity[0], x), run(formulas.velocity[1], x),
              run(formulas.velocity[2], x), run(formulas.pressure, x)};
          sum = sum + (weight(i) * (dim > 1 ? weight(j) : 1) * (dim > 2 ? weight(k) : 1)) * conserved(q, eos);
        }
    p(s.density) = Real(sum.density), p(s.energy) = Real(sum.last);
    p(s.momentum[0]) = Real(sum.x), p(s.momentum[1]) = Real(sum.y), p(s.momentum[2]) = Real(sum.z);
  }
};
}  // namespace Hydro
