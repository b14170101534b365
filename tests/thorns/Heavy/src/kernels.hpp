// Families of fields in a ring: how a field changes depends on how it, its family and the next family bend. All
// derivatives of two families are needed at once, more than a device has registers for where it does all families
// together; each part does one.
#pragma once
#include <cereus/kernel.hpp>
namespace Heavy {
using namespace cereus;
inline constexpr int families = 4, members = 6;

template <class F> struct State { F u[families][members]; };
template <class F> struct Rates { F r[families][members]; };

template <class Real> struct Bend { Real value, slope[3], curve[3]; };
template <class P, class V> CEREUS_KERNEL auto bend(const P& p, V v) {
  return Bend<typename V::value_type>{p(v), {derivative<4, 0>(p, v), derivative<4, 1>(p, v), derivative<4, 2>(p, v)},
      {second_derivative<4, 0>(p, v), second_derivative<4, 1>(p, v), second_derivative<4, 2>(p, v)}};
}
template <class Real> struct Stress {
  Real of[3] = {1, 1, 1};
  CEREUS_KERNEL void add(const Bend<Real>& b) {
    for (int d = 0; d < 3; ++d) of[d] += b.slope[d] * b.curve[d] + square(b.slope[d]);
  }
  CEREUS_KERNEL Real pull(const Bend<Real>& b) const {
    Real sum = -b.value;
    for (int d = 0; d < 3; ++d) sum += (b.curve[d] + b.slope[(d + 1) % 3] * b.slope[(d + 2) % 3]) / (1 + square(of[d]));
    return sum;
  }
};

template <class Real> struct Ring {
  Read<State, star<2>, Real> s;
  Write<Rates, interior, Real> r;

  template <int family> CEREUS_KERNEL void one(const auto& p) const {
    Bend<Real> b[members];
    Stress<Real> stress;
    for (int m = 0; m < members; ++m) b[m] = bend(p, s.u[family][m]), stress.add(b[m]);
    for (int m = 0; m < members; ++m) stress.add(bend(p, s.u[(family + 1) % families][m]));
    for (int m = 0; m < members; ++m) p(r.r[family][m]) = stress.pull(b[m]);
  }
  template <class P> CEREUS_KERNEL void all(const P& p) const {
    if constexpr (P::part(0)) one<0>(p);
    if constexpr (P::part(1)) one<1>(p);
    if constexpr (P::part(2)) one<2>(p);
    if constexpr (P::part(3)) one<3>(p);
  }
};
// The same twice; only one says that it has parts.
template <int dim, class Real> struct Unmarked {
  Read<State, star<2>, Real> s;
  Write<Rates, interior, Real> r;
  CEREUS_KERNEL void operator()(const auto& p) const { Ring<Real>{s, r}.all(p); }
};
template <int dim, class Real> struct Marked {
  static constexpr int parts = families;
  Read<State, star<2>, Real> s;
  Write<Rates, interior, Real> r;
  CEREUS_KERNEL void operator()(const auto& p) const { Ring<Real>{s, r}.all(p); }
};

// A mistake: the first field is written in both parts, the last in none.
template <int dim, class Real> struct Mistaken {
  static constexpr int parts = 2;
  Read<State, pointwise, Real> s;
  Write<Rates, interior, Real> r;
  template <class P> CEREUS_KERNEL void operator()(const P& p) const {
    for (int f = 0; f < families; ++f)
      for (int m = 0; m < members; ++m)
        if (f + m == 0 || P::part(f + m == families + members - 2 ? -1 : m % 2)) p(r.r[f][m]) = -p(s.u[f][m]);
  }
};

template <int dim, class Real> struct SetBumps {
  Write<State, interior, Real> s;
  CEREUS_KERNEL void operator()(const auto& p) const {
    const Real bump = square((1 - square(Real(p.x()))) * (1 - square(Real(p.y()))) * (1 - square(Real(p.z()))));
    for (int f = 0; f < families; ++f)
      for (int m = 0; m < members; ++m)
        p(s.u[f][m]) = bump * (1 + f + Real(0.125) * m) * (1 + Real(0.25) * Real(m % 2 ? p.x() : p.y() * p.z()));
  }
};
}  // namespace Heavy
