#pragma once
#include <cereus/kernel.hpp>
namespace Changer {
using namespace cereus;
template <class F> struct Source { F a; };
template <class F> struct Changed { F b, c; };
template <class F> struct Summed { F s; };
template <class F> struct Rate { F s_rhs; };

// Small whole numbers: sums of them are exact, whatever is contracted, in float, too.
template <int dim, class Real> struct Give {
  Write<Source, interior, Real> a;
  Write<Changed, interior, Real> b;
  Write<Summed, interior, Real> s;
  CEREUS_KERNEL static Real value(unsigned n) {
    for (int round = 0; round < 3; ++round) n = (n ^ n >> 15) * 2246822519U + 374761393U;
    return Real(n >> 25);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const unsigned n = static_cast<unsigned>(p.index(0)) + 4099U * static_cast<unsigned>(p.index(1)) +
                       16785409U * static_cast<unsigned>(p.index(2));
    p(a.a) = value(n), p(b.b) = value(n + 1), p(b.c) = value(n + 2), p(s.s) = value(n + 3);
  }
};

template <int dim, class Real> CEREUS_KERNEL Real below(const auto& p, auto v) {
  Real sum = at<-1, 0, 0>(p, v);
  if constexpr (dim > 1) sum += Real(2) * at<0, -1, 0>(p, v);
  if constexpr (dim > 2) sum += Real(3) * at<0, 0, 1>(p, v);
  return sum;
}
// Changes one variable everywhere, the other at every third point along x.
template <int dim, class Real> struct Change {
  Read<Source, star<1>, Real> from;
  Modify<Changed, interior, Real> to;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(to.b) += below<dim, Real>(p, from.a);
    if (p.index(0) % 3 == 0) p(to.c) = at<1, 0, 0>(p, from.a) - p(to.c);
  }
};
template <int dim, class Real> struct AddBelow {
  Read<Source, star<1>, Real> from;
  Add<Rate, Real> rate;
  CEREUS_KERNEL void operator()(auto& p) const { p(rate.s_rhs) += below<dim, Real>(p, from.a); }
};
template <int dim, class Real> struct AddHere {
  Read<Source, pointwise, Real> from;
  Add<Rate, Real> rate;
  CEREUS_KERNEL void operator()(auto& p) const { p(rate.s_rhs) += p(from.a); }
};
}  // namespace Changer
