// What the flow carries: ρX moves with the mass that crosses the faces, X times that mass. The gas's own kernel has the
// mass fluxes, which are computed once more: the same bits, so that ρX of X = 1 is the density.
#pragma once
#include "rhs.hpp"
namespace Hydro {
template <class F> struct Scalar { F density; };  // ρX
template <class F> struct ScalarRhs { F rhs; };

template <int code, int dim, class Real> struct CalcScalarRhs {
  using Gas = CalcRhs<code, dim, Real>;
  static constexpr Variant variant = Variant::of(code);
  static constexpr int reach = variant.reach();
  Read<State, Around<reach, false>, Real> s;
  Read<Scalar, Around<reach, false>, Real> x;
  Write<ScalarRhs, interior, Real> r;
  EOS::Of<variant.eos, Real> eos;
  Floors<Real> floors;
  Real theta;

  static constexpr Reads reads[] = {Gas::far, Gas::far, Gas::far, Gas::far, Gas::far, Gas::far};
  static constexpr bool reads_time = false, reads_place = false;
  static constexpr bool late = true, shares_faces = true;
  static constexpr int slots = 1;

  CEREUS_KERNEL Gas gas() const { return {s, {}, {}, eos, floors, {}, theta, 0, 0}; }
  template <int axis, int n, class P> CEREUS_KERNEL auto fraction(const P& p) const {
    using R = Number<P, Real>;
    return quotient(R(along<axis, n>(p, x.density)), max(R(along<axis, n>(p, s.density)), R(floors.density)));
  }
  // ρX at a cell's centre, and what the velocity there makes of it.
  template <int axis, int n, class P, class R> CEREUS_KERNEL auto carried(const P& p, const Centre<R>& c) const {
    return Centre<R, R>{along<axis, n>(p, x.density), fraction<axis, n>(p) * c.f.density, c.speed};
  }
  template <int axis, int n, class P> CEREUS_KERNEL auto face(const P& p) const {
    using R = Number<P, Real>;
    const Gas g = gas();
    if constexpr (variant.split()) {
      constexpr int scheme = variant.scheme, far = reach - 2;
      const auto a = g.template centre_at<axis, n - 2 - far>(p), b = g.template centre_at<axis, n - 2>(p);
      const auto c = g.template centre_at<axis, n - 1>(p), d = g.template centre_at<axis, n>(p);
      const auto e = g.template centre_at<axis, n + 1>(p), f = g.template centre_at<axis, n + 1 + far>(p);
      const R speed = split_speed<scheme>(a, b, c, d, e, f);
      const auto xc = carried<axis, n - 1>(p, c), xd = carried<axis, n>(p, d);
      const R high = high_order<scheme>(carried<axis, n - 2 - far>(p, a), carried<axis, n - 2>(p, b), xc, xd,
          carried<axis, n + 1>(p, e), carried<axis, n + 1 + far>(p, f), speed);
      const auto possible =
          may_cross(high_order<scheme>(a, b, c, d, e, f, speed), c, d, eos, R(Real(2 * p.dt() * p.inv_h(axis))));
      return choose(possible, high, first_order(xc, xd, speed));
    } else {
      const R mass = g.template flux_below<axis, n>(p).density, limit(theta);
      const R a = fraction<axis, n - 2>(p), b = fraction<axis, n - 1>(p), c = fraction<axis, n>(p);
      const R left = b + half_difference<variant.scheme>(b - a, c - b, limit);
      const R right = c - half_difference<variant.scheme>(c - b, fraction<axis, n + 1>(p) - c, limit);
      return mass * choose(mass > R(0), left, right);
    }
  }
  template <int axis, class P> CEREUS_KERNEL auto faces(const P& p) const {
    return cereus::Sides<Number<P, Real>>{face<axis, 0>(p), face<axis, 1>(p)};
  }
  template <int axis, class P> CEREUS_KERNEL auto change(const P& p) const {
    using R = Number<P, Real>;
    const auto f = faces_of<axis>(*this, p);
    return R(Real(p.inv_h(axis))) * (f.lower - f.upper);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    auto sum = change<0>(p);
    if constexpr (dim > 1) sum = sum + change<1>(p);
    if constexpr (dim > 2) sum = sum + change<2>(p);
    p(r.rhs) = p.begin(r.rhs) + sum;
  }
};
}  // namespace Hydro
