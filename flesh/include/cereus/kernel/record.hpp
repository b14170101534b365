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
  double next() const {  // xorshift; small numbers of both signs, now and then zero
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state % 16 == 0 ? 0.0 : (static_cast<double>(*state % 2000001) - 1e6) * 1e-6;
  }
  template <class T> T value() const {
    if constexpr (requires(T t) { t.re; }) return {real_of_t<T>(next()), real_of_t<T>(next())};
    else return T(next());
  }
  template <class T> T& sink() const {
    static thread_local T here;
    return here = value<T>();
  }
  double x() const { return next(); }
  double y() const { return next(); }
  double z() const { return next(); }
  double h(int) const { return 0.5; }
  double inv_h(int) const { return 2; }
  double inv_h2(int) const { return 4; }
  double time() const { return next(); }
  double dt() const { return 0.5; }
  int index(int) const { return static_cast<int>(1000 * next()); }
  template <class Real, class R> Real operator()(In<Real, R>) const { return value<Real>(); }
  template <class Real> Real& operator()(Out<Real>) const { return sink<Real>(); }
  template <class Real> Real& operator()(InOut<Real>) const { return sink<Real>(); }
  template <class Real> Adder<Real> operator()(Sum<Real>) const { return {sink<Real>()}; }
  template <int i, int j, int k, class Real, class R> Real neighbour(In<Real, R> v) const {
    const int off[] = {i < 0 ? -i : i, j < 0 ? -j : j, k < 0 ? -k : k};
    for (int o : off) list[v.n].reach = max(list[v.n].reach, o);
    if ((i != 0) + (j != 0) + (k != 0) > 1) list[v.n].corners = true;
    return value<Real>();
  }
  template <class V> typename V::value_type gathered(V v, int, int, int) const {
    list[v.n].gathered = true;
    return value<typename V::value_type>();
  }
};
template <class K, int dim> void record(const void* kernel, Recording* list) {
  unsigned long long state = 88172645463325252ULL;
  K k = *static_cast<const K*>(kernel);
  number_handles(k);
  for (int n = 0; n < 256; ++n) {
    RecordingPoint<dim> p{list, &state};
    (void)k(p);
  }
}
}  // namespace detail
}  // namespace cereus
