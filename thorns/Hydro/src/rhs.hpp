// The right-hand sides of all five variables: fluxes through the faces of a cell, gravity, viscosity. README.md has the
// equations.
#pragma once
#include <EOS/eos.hpp>
#include <cereus/kernel/large.hpp>

#include "solvers.hpp"
#include "split.hpp"
namespace Hydro {
template <class F> struct State { F density, momentum[3], energy; };
template <class F> struct Rhs { F density_rhs, momentum_rhs[3], energy_rhs; };
template <class F> struct Potential { F potential; };

struct Variant {  // of the right-hand sides, as one number
  int scheme, solver, eos, viscous = 0, potential = 0;
  constexpr int code() const { return scheme + 8 * solver + 64 * eos + 512 * viscous + 1024 * potential; }
  static constexpr Variant of(int code) { return {code % 8, code / 8 % 8, code / 64 % 8, code / 512 % 2, code / 1024}; }
  constexpr bool split() const { return scheme >= upwind3; }
  constexpr int reach() const { return scheme == ppm || scheme >= weno5 ? 3 : 2; }
};
template <class Real> struct Vector { Real v[3]; };

template <int n, bool diagonals> struct Around {
  static constexpr int reach = n;
  static constexpr bool corners = diagonals;
};

template <int code, int dim, class Scalar> struct CalcRhs {
  static constexpr Variant variant = Variant::of(code);
  static constexpr int reach = variant.reach();
  Read<State, Around<reach, variant.viscous == 1>, Scalar> s;
  Read<Potential, star<1>, Scalar> outer;  // that of gravity; read where `variant` says so
  Write<Rhs, interior, Scalar> r;
  EOS::Of<variant.eos, Scalar> eos;
  Floors<Scalar> floors;
  Vector<Scalar> gravity;
  Scalar theta, viscosity, conductivity;  // of the limiter; ν, χ

  static constexpr Reads far{{reach, dim > 1 ? reach : 0, dim > 2 ? reach : 0}, variant.viscous == 1};
  static constexpr int beside = variant.potential;
  static constexpr Reads reads[] = {
      far, far, far, far, far, {{beside, dim > 1 ? beside : 0, dim > 2 ? beside : 0}, false}};
  static constexpr bool reads_time = false, reads_place = false;
  static constexpr bool late = true, shares_faces = true, keeps_cells = true;
  static constexpr int slots = 1;

  template <int axis, int n, class P> CEREUS_KERNEL auto conserved_at(const P& p) const {
    using R = Number<P, Scalar>;
    return Five<R>{along<axis, n>(p, s.density), along<axis, n>(p, s.momentum[0]), along<axis, n>(p, s.momentum[1]),
        along<axis, n>(p, s.momentum[2]), along<axis, n>(p, s.energy)};
  }
  template <int axis, int n, class P> CEREUS_KERNEL auto cell(const P& p) const {
    return primitive(conserved_at<axis, n>(p), eos, floors);
  }
  // In the frame of faces across the axis, as all that follows.
  template <int axis, int n, class P> CEREUS_KERNEL auto primitive_at(const P& p) const {
    return turned<axis>(cell_of<axis, n>(*this, p));
  }
  template <int axis, int n, class P> CEREUS_KERNEL auto centre_at(const P& p) const {
    return centre(turned<axis>(conserved_at<axis, n>(p)), primitive_at<axis, n>(p), eos);
  }
  // At the lower and the upper face of cell n along an axis.
  template <int axis, int n, class P>
  requires(!variant.split()) CEREUS_KERNEL auto sides(const P& p) const {
    using R = Number<P, Scalar>;
    const auto b = primitive_at<axis, n - 1>(p), c = primitive_at<axis, n>(p), d = primitive_at<axis, n + 1>(p);
    if constexpr (variant.scheme == ppm) {
      const auto face = HYDRO_EACH(R a, R b, R c, R d) { return at_upper_face(a, b, c, d); };
      return parabola(
          each(face, primitive_at<axis, n - 2>(p), b, c, d), c, each(face, b, c, d, primitive_at<axis, n + 2>(p)));
    } else {
      return linear<variant.scheme>(b, c, d, R(theta));
    }
  }
  // The flux across the lower face of cell n, from the sides of cells n − 1 and n.
  template <int axis, int n, class P, class R>
  CEREUS_KERNEL auto across(const P& p, const Five<R>& below, const Five<R>& above) const {
    const Five<R> f = solve<variant.solver>(below, above, eos);
    if constexpr (variant.viscous) return f + viscous_flux<axis, n>(p);
    else return f;
  }
  // The flux across the lower (0) or upper (1) face along an axis, in the frame of the face.
  template <int axis, int n, class P> CEREUS_KERNEL auto face(const P& p) const {
    if constexpr (variant.viscous) return flux_below<axis, n>(p) + viscous_flux<axis, n>(p);
    else return flux_below<axis, n>(p);
  }
  // Below cell n.
  template <int axis, int n, class P> CEREUS_KERNEL auto flux_below(const P& p) const {
    using R = Number<P, Scalar>;
    if constexpr (variant.split()) {
      constexpr int far = reach - 2;  // with two cells on each side of a face, the outer ones are not looked at
      return split_flux<variant.scheme>(centre_at<axis, n - 2 - far>(p), centre_at<axis, n - 2>(p),
          centre_at<axis, n - 1>(p), centre_at<axis, n>(p), centre_at<axis, n + 1>(p), centre_at<axis, n + 1 + far>(p),
          eos, R(Scalar(2 * p.dt() * p.inv_h(axis))));
    } else {
      return solve<variant.solver>(sides<axis, n - 1>(p).upper, sides<axis, n>(p).lower, eos);
    }
  }
  // The fluxes across both.
  template <int axis, class P> CEREUS_KERNEL auto faces(const P& p) const {
    using R = Number<P, Scalar>;
    Sides<R> f;
    if constexpr (variant.split()) {
      const R twice(Scalar(2 * p.dt() * p.inv_h(axis)));
      constexpr int n = reach;  // with two cells on each side of a face, the outer ones are not looked at
      const auto a = centre_at<axis, -n>(p), b = centre_at<axis, -2>(p), c = centre_at<axis, -1>(p);
      const auto d = centre_at<axis, 0>(p), e = centre_at<axis, 1>(p), g = centre_at<axis, 2>(p);
      f.lower = split_flux<variant.scheme>(a, b, c, d, e, g, eos, twice);
      f.upper = split_flux<variant.scheme>(b, c, d, e, g, centre_at<axis, n>(p), eos, twice);
      if constexpr (variant.viscous)
        f.lower = f.lower + viscous_flux<axis, 0>(p), f.upper = f.upper + viscous_flux<axis, 1>(p);
    } else {
      const auto here = sides<axis, 0>(p);
      f.lower = across<axis, 0>(p, sides<axis, -1>(p).upper, here.lower);
      f.upper = across<axis, 1>(p, here.upper, sides<axis, 1>(p).lower);
    }
    return f;
  }
  // Of two cells beside each other along a tangent of the faces across an axis, as slope of the velocity in their
  // frame.
  template <int axis, int n, int tangent, class P> CEREUS_KERNEL auto slope(const P& p) const {
    using R = Number<P, Scalar>;
    constexpr int x = axis == 0 ? n : 0, y = axis == 1 ? n : 0, z = axis == 2 ? n : 0;
    constexpr int i = tangent == 0, j = tangent == 1, k = tangent == 2;
    const auto velocity = [&]<int side>() __attribute__((always_inline)) {
      const auto get = [&](auto v) __attribute__((always_inline)) {
        return at<x + side * i, y + side * j, z + side * k>(p, v);
      };
      const R f = quotient(R(1), get(s.density));
      const Five<R> v{R(1), f * get(s.momentum[0]), f * get(s.momentum[1]), f * get(s.momentum[2]), R(0)};
      return turned<axis>(v);
    };
    return R(Scalar(0.5 * p.inv_h(tangent))) * (velocity.template operator()<1>() - velocity.template operator()<-1>());
  }
  // What viscosity and conduction carry across the face below cell n: −τ, −τ·v − χρ ∇(e + p/ρ).
  template <int axis, int n, class P> CEREUS_KERNEL auto viscous_flux(const P& p) const {
    using R = Number<P, Scalar>;
    constexpr int y = axis == 1 ? 0 : 1, z = axis == 2 ? 0 : 2;  // what the other axes of the face's frame are
    const Five<R> l = primitive_at<axis, n - 1>(p), r = primitive_at<axis, n>(p), q = R(0.5) * (l + r);
    const R inv_h(Scalar(p.inv_h(axis)));
    const Five<R> along_x = inv_h * (r - l);
    Five<R> along_y{R(0), R(0), R(0), R(0), R(0)}, along_z = along_y;
    if constexpr (y < dim) along_y = R(0.5) * (slope<axis, n - 1, y>(p) + slope<axis, n, y>(p));
    if constexpr (z < dim) along_z = R(0.5) * (slope<axis, n - 1, z>(p) + slope<axis, n, z>(p));
    const R m = R(viscosity) * q.density;
    const R xx = m * (R(4. / 3) * along_x.x - R(2. / 3) * (along_y.y + along_z.z));
    const R xy = m * (along_x.y + along_y.x), xz = m * (along_x.z + along_z.x);
    const auto enthalpy = HYDRO_EACH(const Five<R>& w) {
      return quotient(eos.internal(w.density, w.last) + w.last, w.density);
    };
    const R heat = R(conductivity) * q.density * inv_h * (enthalpy(r) - enthalpy(l));
    return Five<R>{R(0), -xx, -xy, -xz, -(q.x * xx + q.y * xy + q.z * xz + heat)};
  }
  // Gravity's work is that on the mass which crosses the faces.
  template <int axis, class P, class R> CEREUS_KERNEL void add(const P& p, Five<R>& sum) const {
    const auto f = faces_of<axis>(*this, p);
    Five<R> change = R(Scalar(p.inv_h(axis))) * (f.lower - f.upper);
    change.x += R(gravity.v[axis]) * p(s.density);
    change.last += R(Scalar(0.5) * gravity.v[axis]) * (f.lower.density + f.upper.density);
    if constexpr (variant.potential) {
      const R half(Scalar(0.5 * p.inv_h(axis))), here = p(outer.potential);
      const R lower = half * (along<axis, -1>(p, outer.potential) - here);
      const R upper = half * (here - along<axis, 1>(p, outer.potential));
      change.x += (lower + upper) * p(s.density);
      change.last += lower * f.lower.density + upper * f.upper.density;
    }
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
}  // namespace Hydro
