// A point for audit mode: reads real data, writes nowhere, and reports what was read at an offset.
#pragma once
#include "host_loop.hpp"
#include "record.hpp"
namespace cereus::detail {
struct EitherAxes {  // slower: a test at each point
  static constexpr bool stretched = true, mapped = false;
  using U = UniformAxes;
  using S = StretchedAxes;
  CEREUS_KERNEL static double x(const Geometry& g, int a, int i, int ahead = 0) {
    return g.axis[a] ? S::x(g, a, i, ahead) : ahead ? U::x(g, a, i, ahead) : U::x(g, a, i);
  }
  CEREUS_KERNEL static double inv_dx(const Geometry& g, int a, int i) {
    return g.axis[a] ? S::inv_dx(g, a, i) : U::inv_dx(g, a, i);
  }
  CEREUS_KERNEL static double inv_dx2(const Geometry& g, int a, int i) {
    return g.axis[a] ? S::inv_dx2(g, a, i) : U::inv_dx2(g, a, i);
  }
  CEREUS_KERNEL static double bend(const Geometry& g, int a, int i) { return g.axis[a] ? S::bend(g, a, i) : 0; }
};
template <int dim, int handles, class Axes> struct WatchingPoint : DirectPoint<dim, Axes> {
  using Direct = DirectPoint<dim, Axes>;
  Recording* seen;
  char (*scratch)[16];  // one a handle
  CEREUS_KERNEL void note(int n, int i, int j, int k) const { seen[n].note(i, j, k); }
  template <class T> CEREUS_KERNEL T& slot(int n) const { return *reinterpret_cast<T*>(scratch[n]); }
  template <class Real, class R> CEREUS_KERNEL Real operator()(In<Real, R> v) const { return Direct::operator()(v); }
  template <class Real> CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const { return {slot<Real>(v.n)}; }
  template <class Real> CEREUS_KERNEL Real& operator()(InOut<Real> v) const {
    return slot<Real>(v.n) = this->template to<Real>(v.n)[this->c];
  }
  template <class Real> CEREUS_KERNEL Adder<Real> operator()(Added<Real> v) const { return {slot<Real>(v.n)}; }
  template <int i, int j, int k, class Real, class R> CEREUS_KERNEL Real neighbour(In<Real, R> v) const {
    note(v.n, i, j, k);
    return Direct::template neighbour<i, j, k>(v);
  }
  template <class Real> CEREUS_KERNEL Real gathered(InOut<Real> v, int i, int j, int k) const {
    return Direct::gathered(v, i, j, k);
  }
  // A gather outside what the handle declares would leave memory: it is noted, and answered with the point itself.
  template <class Real, class Reach> CEREUS_KERNEL Real gathered(In<Real, Reach> v, int i, int j, int k) const {
    note(v.n, i, j, k);
    seen[v.n].gathered = true;
    const bool inside = max(max(i < 0 ? -i : i, j < 0 ? -j : j), k < 0 ? -k : k) <= Reach::reach;
    return inside ? Direct::gathered(v, i, j, k) : this->template to<Real>(v.n)[this->c];
  }
};
template <class K, int dim, class Axes = EitherAxes>
void watch(const void* kernel, const Launch& launch, Recording* seen) {
  constexpr int handles = handle_count<K>.all;
  K k = *static_cast<const K*>(kernel);
  number_handles(k);
  alignas(16) char scratch[handles][16] = {};
  for (int n = 0; n < launch.list.n_blocks; ++n) {
    const BlockLaunch& b = launch.list.blocks[n];
    for_each_row(b, 0, 1, 0, [&](int j, int l) {
      const Offset c = HostLoop<K, dim>::row_start(b, launch.stride, j, l);
      for (int i = b.lo[0]; i < b.hi[0]; ++i) {
        WatchingPoint<dim, handles, Axes> p{
            {{launch.geometry[b.geometry], i, j, l}, launch.address, c + i, launch.stride[1], launch.stride[2]}, seen,
            scratch};
        (void)k(p);
      }
    });
  }
}
}  // namespace cereus::detail
