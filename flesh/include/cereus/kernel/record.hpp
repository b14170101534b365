// A point that only reports what is read at an offset: how `graph` and syncs know that a wave's u travels and ρ does
// not. The kernel is applied to many pseudo-random values of all magnitudes. Where what is read varies with them, a
// branch may have stayed hidden: then all that the handles' types allow counts as read. Audit mode compares with the
// real data.
#pragma once
#include "member.hpp"
#include "point.hpp"
namespace cereus {
struct Recording {  // of one handle
  int reach = 0;
  bool corners = false, gathered = false, written = false;
  int lo[3] = {}, hi[3] = {};  // from −lo to hi along each axis
  CEREUS_RARE void note(int i, int j, int k) {
    const int off[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      lo[d] = max(lo[d], -off[d]), hi[d] = max(hi[d], off[d]);
      reach = max(reach, max(off[d], -off[d]));
    }
    corners = corners || (i != 0) + (j != 0) + (k != 0) > 1;
  }
  CEREUS_KERNEL bool operator==(const Recording& b) const {
    bool same = reach == b.reach && corners == b.corners && gathered == b.gathered && written == b.written;
    for (int d = 0; d < 3; ++d) same = same && lo[d] == b.lo[d] && hi[d] == b.hi[d];
    return same;
  }
};
namespace detail {
// Whether a kernel's text mentions the time, a point's coordinates or indices, the spacing of an axis, or the distance
// of points there: only then does the compiler instantiate what calls for `mark`, which is set when the thorn is
// loaded.
enum class Mentioned { time, place, index, spacing, distance };
template <class K, Mentioned> struct Mentions {
  inline static bool value = false;
  inline static const bool mark = value = true;
};
template <class K, int dim_, bool mapped_ = false> struct RecordingPoint {
  static constexpr int dim = dim_;
  static constexpr bool stretched = true;  // which has all that axes are asked for
  static constexpr bool mapped = mapped_;  // a point of a shell
  Recording* list;
  unsigned long long* state;
  char* scratch;  // what is written goes nowhere
  // Xorshift: numbers of both signs, 1e-12 to 1e3, now and then zero or one. Out of line, as note() is: inlined into
  // every read of a kernel, both made WaveToy's loops in 3D take 45 s to compile in place of 28.
  CEREUS_RARE double next() const {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    const int kind = static_cast<int>(*state >> 20 & 63);
    double x = (static_cast<double>(*state % 2000001) - 1e6) * 1e-6;
    if (kind < 4) return kind < 2 ? 0.0 : kind == 2 ? 1.0 : -1.0;
    for (int n = kind % 16; n < 12; ++n) x *= 0.1;
    return kind < 56 ? x : x * 1e3;
  }
  template <class T> CEREUS_KERNEL T value() const {
    if constexpr (requires(T t) { t.re; }) return {real_of_t<T>(next()), real_of_t<T>(next())};
    else return T(next());
  }
  template <class T> CEREUS_KERNEL T& sink() const { return *reinterpret_cast<T*>(scratch) = value<T>(); }
  template <Mentioned what> CEREUS_KERNEL static void mention() {
#ifndef __CUDA_ARCH__
    if constexpr (!mapped) static_cast<void>(&Mentions<K, what>::mark);  // what is true of other axes
#endif
  }
  CEREUS_KERNEL double x() const { return mention<Mentioned::place>(), next(); }
  CEREUS_KERNEL double y() const { return mention<Mentioned::place>(), next(); }
  CEREUS_KERNEL double z() const { return mention<Mentioned::place>(), next(); }
  CEREUS_KERNEL double coordinate(int, int) const { return mention<Mentioned::place>(), next(); }
  CEREUS_KERNEL double inv_dx(int, int = 0) const { return mention<Mentioned::distance>(), 2; }
  CEREUS_KERNEL double inv_dx2(int) const { return mention<Mentioned::distance>(), 4; }
  CEREUS_KERNEL double bend(int) const { return mention<Mentioned::distance>(), 0; }
  CEREUS_KERNEL OnShell shell() const { return {1, next(), next(), 1 + square(next())}; }
  CEREUS_KERNEL double h(int) const { return mention<Mentioned::spacing>(), 0.5; }
  CEREUS_KERNEL double inv_h(int) const { return mention<Mentioned::spacing>(), 2; }
  CEREUS_KERNEL double inv_h2(int) const { return mention<Mentioned::spacing>(), 4; }
  CEREUS_KERNEL double time() const { return mention<Mentioned::time>(), next(); }
  CEREUS_KERNEL double dt() const { return 0.5; }
  CEREUS_KERNEL int index(int) const { return mention<Mentioned::index>(), static_cast<int>(1000 * next()); }
  CEREUS_KERNEL bool at_face(int, int, int = 0) const { return mention<Mentioned::index>(), next() < 0; }
  template <class Real, class R> CEREUS_KERNEL Real operator()(In<Real, R>) const { return value<Real>(); }
  template <class Real> CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const {
    list[v.n].written = true;
    return {sink<Real>()};
  }
  template <class Real> CEREUS_KERNEL Real& operator()(InOut<Real>) const { return sink<Real>(); }
  template <class Real> CEREUS_KERNEL Adder<Real> operator()(Added<Real>) const { return {sink<Real>()}; }
  template <int i, int j, int k, class Real, class R> CEREUS_KERNEL Real neighbour(In<Real, R> v) const {
    list[v.n].note(i, j, k);
    return value<Real>();
  }
  template <class V> CEREUS_KERNEL typename V::value_type gathered(V v, int, int, int) const {
    list[v.n].gathered = true;
    return value<typename V::value_type>();
  }
  template <class Real> CEREUS_KERNEL Real element(In<Real, elsewhere>, Offset) const { return value<Real>(); }
};
// What each handle's type allows.
struct AllowedCollector {
  Recording* list;
  int n = 0;
  template <class M> void operator()(M&) {
    using T = HandleTraits<M>;
    constexpr int r = T::reach;
    for (int c = 0; c < T::count; ++c, ++n)
      list[n] = {r, T::corners && r > 0, false, list[n].written, {r, r, r}, {r, r, r}};
  }
};
// Whether a kernel may be applied to made-up numbers: not if it says `static constexpr bool record = false`, because an
// iteration might not end, or a table be read beyond its end. All that its handles' types allow then counts as read.
template <class K> constexpr bool may_record() {
  if constexpr (requires { K::record; }) return K::record;
  else return true;
}
// What each handle reads at an offset; and, of outputs, whether they are written whatever the numbers are.
template <class K, int dim, bool mapped = false> void record(const void* kernel, Recording* list) {
  constexpr int handles = handle_count<K>.all;
  unsigned long long state = 88172645463325252ULL;
  K k = *static_cast<const K*>(kernel);
  number_handles(k);
  alignas(16) char scratch[16];
  bool varies = !may_record<K>(), written[handles];
  Recording first[handles];
  for (bool& w : written) w = true;
  for (int n = 0; may_record<K>() && n < 256; ++n) {
    Recording seen[handles];
    RecordingPoint<K, dim, mapped> p{seen, &state, scratch};
    (void)k(p);
    for (int h = 0; h < handles; ++h) {
      written[h] = written[h] && seen[h].written;
      seen[h].written = false;
      if (n == 0) first[h] = seen[h];
      varies = varies || !(seen[h] == first[h]);
    }
  }
  if (varies) for_each_handle(k, AllowedCollector{first});
  for (int h = 0; h < handles; ++h) list[h] = first[h], list[h].written = written[h];
}
}  // namespace detail
}  // namespace cereus
