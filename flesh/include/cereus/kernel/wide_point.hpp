// The point of a large kernel on the host: several points of a row at a time.
#pragma once
#include "lanes.hpp"
#include "point.hpp"
namespace cereus {
// Points i, i + 1, … of a row. What is written is kept; the loop stores it.
template <int dim, class Real, int first_output> struct WidePoint : Place<dim> {
  using Many = Lanes<Real>;
  char* const* address;
  Offset c, sj, sk;
  Many *kept, *slots;
  template <int n> CEREUS_KERNEL void put(Many x) const { slots[n] = x; }
  template <int n> CEREUS_KERNEL Many get() const { return slots[n]; }
  CEREUS_KERNEL Many x() const {
    Many x;
    for (int n = 0; n < Many::lanes; ++n) x.v[n] = static_cast<Real>(Place<dim>{this->g, this->i + n, 0, 0}.x());
    return x;
  }
  CEREUS_KERNEL Many begin(Out<Real>) const { return Real(0); }  // the loop adds what the update does
  CEREUS_KERNEL Many load(int n, Offset at) const { return Many::load(reinterpret_cast<Real*>(address[n]) + at); }
  template <class R> CEREUS_KERNEL Many operator()(In<Real, R> v) const { return load(v.n, c); }
  CEREUS_KERNEL WriteOnly<Many> operator()(Out<Real> v) const { return {kept[v.n - first_output]}; }
  template <int di, int dj, int dk, class R> CEREUS_KERNEL Many neighbour(In<Real, R> v) const {
    return load(v.n, c + di + dj * sj + dk * sk);
  }
};
template <int dim, class Real, int first> struct NumberOf<WidePoint<dim, Real, first>, Real> {
  using type = Lanes<Real>;
};
}  // namespace cereus
