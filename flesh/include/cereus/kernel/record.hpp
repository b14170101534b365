// A point that only reports what is read at an offset: how `graph` and syncs know that a wave's u travels and ρ does not.
// The kernel is applied to many pseudo-random values, so that branches on data show too.
#pragma once
#include "member.hpp"
#include "point.hpp"
namespace cereus {
struct Recording {  // of one handle
  int reach = 0;
  bool corners = false, gathered = false;
};
namespace detail {
template <int dim_> struct RecordingPoint {
  static constexpr int dim = dim_;
  Recording* list;
  unsigned long long* state;
  char* scratch;  // what is written goes nowhere
  CEREUS_KERNEL double next() const {  // xorshift; small numbers of both signs, now and then zero
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state % 16 == 0 ? 0.0 : (static_cast<double>(*state % 2000001) - 1e6) * 1e-6;
  }
  template <class T> CEREUS_KERNEL T value() const {
    if constexpr (requires(T t) { t.re; }) return {real_of_t<T>(next()), real_of_t<T>(next())};
    else return T(next());
  }
  template <class T> CEREUS_KERNEL T& sink() const { return *reinterpret_cast<T*>(scratch) = value<T>(); }
  CEREUS_KERNEL double x() const { return next(); }
  CEREUS_KERNEL double y() const { return next(); }
  CEREUS_KERNEL double z() const { return next(); }
  CEREUS_KERNEL double h(int) const { return 0.5; }
  CEREUS_KERNEL double inv_h(int) const { return 2; }
  CEREUS_KERNEL double inv_h2(int) const { return 4; }
  CEREUS_KERNEL double time() const { return next(); }
  CEREUS_KERNEL double dt() const { return 0.5; }
  CEREUS_KERNEL int index(int) const { return static_cast<int>(1000 * next()); }
  template <class Real, class R> CEREUS_KERNEL Real operator()(In<Real, R>) const { return value<Real>(); }
  template <class Real> CEREUS_KERNEL Real& operator()(Out<Real>) const { return sink<Real>(); }
  template <class Real> CEREUS_KERNEL Real& operator()(InOut<Real>) const { return sink<Real>(); }
  template <class Real> CEREUS_KERNEL Adder<Real> operator()(Sum<Real>) const { return {sink<Real>()}; }
  template <int i, int j, int k, class Real, class R> CEREUS_KERNEL Real neighbour(In<Real, R> v) const {
    const int off[] = {i < 0 ? -i : i, j < 0 ? -j : j, k < 0 ? -k : k};
    for (int o : off) list[v.n].reach = max(list[v.n].reach, o);
    if ((i != 0) + (j != 0) + (k != 0) > 1) list[v.n].corners = true;
    return value<Real>();
  }
  template <class V> CEREUS_KERNEL typename V::value_type gathered(V v, int, int, int) const {
    list[v.n].gathered = true;
    return value<typename V::value_type>();
  }
};
template <class K, int dim> void record(const void* kernel, Recording* list) {
  unsigned long long state = 88172645463325252ULL;
  K k = *static_cast<const K*>(kernel);
  number_handles(k);
  alignas(16) char scratch[16];
  for (int n = 0; n < 256; ++n) {
    RecordingPoint<dim> p{list, &state, scratch};
    (void)k(p);
  }
}
}  // namespace detail
}  // namespace cereus
