// The point of a large kernel on the host: several points of a row at a time.
#pragma once
#include "lanes.hpp"
#include "point.hpp"
namespace cereus {
// Points i, i + 1, … of a row. What is written is kept; the loop stores it.
template <int dim, class Real, int first_output, class Axes = UniformAxes, class Many_ = Lanes<Real>>
struct WidePoint : Place<dim, Axes> {
  using Scalar = Real;
  using Many = Many_;
  char* const* address;
  Offset c, sj, sk;
  Many *kept, *slots;
  template <int n> CEREUS_KERNEL void put(Many x) const { slots[n] = x; }
  template <int n> CEREUS_KERNEL Many get() const { return slots[n]; }
  CEREUS_KERNEL Many x() const {
    return of_each([](const auto& p) { return p.x(); });
  }
  CEREUS_KERNEL auto y() const {
    return along_row([](const auto& p) { return p.y(); });
  }
  CEREUS_KERNEL auto z() const {
    return along_row([](const auto& p) { return p.z(); });
  }
  CEREUS_KERNEL ShellPoint<Many> shell() const {  // on MappedAxes
    const OnShell first = at(0).shell();
    const double* a = this->g.axis[0] + this->i;
    return {first.map, Many::load(a), Many(first.b), Many(first.r), Many::load(a + 2 * this->g.pitch),
        Many(first.over_b), Many(first.over_r)};
  }
  // Along x one number a point, where they differ.
  CEREUS_KERNEL auto inv_dx(int axis) const {
    return of_axis(axis, [=](const auto& p) { return p.inv_dx(axis); });
  }
  CEREUS_KERNEL auto inv_dx2(int axis) const {
    return of_axis(axis, [=](const auto& p) { return p.inv_dx2(axis); });
  }
  CEREUS_KERNEL auto bend(int axis) const {
    return of_axis(axis, [=](const auto& p) { return p.bend(axis); });
  }
  CEREUS_KERNEL Many begin(Out<Real>) const { return Real(0); }  // the loop adds what the update does
  CEREUS_KERNEL Many load(int n, Offset at) const { return Many::load(reinterpret_cast<Real*>(address[n]) + at); }
  template <class R> CEREUS_KERNEL Many operator()(In<Real, R> v) const { return load(v.n, c); }
  CEREUS_KERNEL WriteOnly<Many> operator()(Out<Real> v) const { return {kept[v.n - first_output]}; }
  template <int di, int dj, int dk, class R> CEREUS_KERNEL Many neighbour(In<Real, R> v) const {
    return load(v.n, c + di + dj * sj + dk * sk);
  }

 private:
  CEREUS_KERNEL Place<dim, Axes> at(int n) const { return {this->g, this->i + n, this->j, this->k}; }
  CEREUS_KERNEL Many of_each(auto number) const {
    Many x;
    for (int n = 0; n < Many::lanes; ++n) x.set(n, static_cast<Real>(number(at(n))));
    return x;
  }
  CEREUS_KERNEL auto along_row(auto number) const {  // what varies along a row of a shell alone
    if constexpr (Axes::mapped) return of_each(number);
    else return number(at(0));
  }
  CEREUS_KERNEL auto of_axis(int axis, auto number) const {
    if constexpr (!Axes::stretched) return number(at(0));
    else {
      Many x(static_cast<Real>(number(at(0))));
      for (int n = 1; n < Many::lanes && axis == 0; ++n) x.set(n, static_cast<Real>(number(at(n))));
      return x;
    }
  }
};
template <int dim, class Real, int first, class Axes, class Many>
struct NumberOf<WidePoint<dim, Real, first, Axes, Many>, Real> {
  using type = Many;
};
}  // namespace cereus
