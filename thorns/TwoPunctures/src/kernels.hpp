// Two punctures as ADMBase has them: γ_ij = ψ⁴ δ_ij, K_ij = ψ^(−2) Ā_ij, at all points of the grid.
#pragma once
#include <ADMBase/adm_base.hpp>

#include "expansion.hpp"
#include "frame.hpp"

namespace TwoPunctures {
using namespace cereus;
template <class F> struct Table {
  F c;  // coefficients of U: waves along x, B along y, A along z
};

template <int dim, class Real> struct Fill {
  static constexpr bool record = false;  // what it reads is no neighbour
  static constexpr bool maps = same_type<Real, double>;
  Read<Table, elsewhere, double> table;
  Write<ADMBase::Metric, everywhere, Real> g;
  Write<ADMBase::Curvature, everywhere, Real> k;
  Write<ADMBase::Lapse, everywhere, Real> lapse;
  Write<ADMBase::Shift, everywhere, Real> shift;
  Pair<double> pair;  // in the directions of the grid
  Frame frame;
  double half;  // b
  Vector<double> centre;
  Points points;
  bool collapsed;  // lapse ψ^(−2), not 1
  Elsewhere grid;

  CEREUS_KERNEL void operator()(auto& p) const {
    const Vector<double> x{p.x() - centre.x, p.y() - centre.y, p.z() - centre.z};
    const Spheroidal<double> at = spheroidal(frame.seen(x), half, pair.least);
    const double sum = expansion(
        points,
        at, [&](int i, int j, int m) __attribute__((always_inline)) { return element(p, table.c, grid(m, j, i)); });
    const double psi = pair.singular(x) + (at.a - 1) * sum, lower = 1 / square(psi);
    const Symmetric<double> a = pair.curvature(x);
    const auto real = [](double value) __attribute__((always_inline)) { return static_cast<Real>(value); };
    p(g.gxx) = p(g.gyy) = p(g.gzz) = real(square(square(psi)));
    p(g.gxy) = p(g.gxz) = p(g.gyz) = real(0);
    p(k.kxx) = real(lower * a.xx), p(k.kxy) = real(lower * a.xy), p(k.kxz) = real(lower * a.xz);
    p(k.kyy) = real(lower * a.yy), p(k.kyz) = real(lower * a.yz), p(k.kzz) = real(lower * a.zz);
    p(lapse.alp) = real(collapsed ? lower : 1);
    p(shift.betax) = p(shift.betay) = p(shift.betaz) = real(0);
  }
};
}  // namespace TwoPunctures
