// Finds the members of a kernel, which is a plain aggregate, by structured bindings: nobody lists them a second time.
#pragma once
#include "handle.hpp"
namespace cereus::detail {
struct Anything {
  template <class T> CEREUS_KERNEL operator T() const;
};
template <int> using any_at = Anything;
template <int... n> struct ints {};
template <int n, int... rest> struct count_up : count_up<n - 1, n - 1, rest...> {};
template <int... all> struct count_up<0, all...> { using type = ints<all...>; };
template <class T, int... n> constexpr bool braces(ints<n...>) {
  return requires { T{any_at<n>{}...}; };
}
template <class T, int n = 17> constexpr int member_count() {
  if constexpr (n == 0) return 0;
  else if constexpr (braces<T>(typename count_up<n>::type{})) return n;
  else return member_count<T, n - 1>();
}

template <class K, class F> CEREUS_KERNEL constexpr void for_each_member(K& k, F&& f) {
  constexpr int n = member_count<K>();
  static_assert(n <= 16, "a kernel has at most 16 members (and no C array: wrap it in a struct)");
#define CEREUS_MEMBERS(N, ...) \
  if constexpr (n == N) {      \
    auto& [__VA_ARGS__] = k;   \
    each(f, __VA_ARGS__);      \
  }
  auto each = [](auto& g, auto&... m) __attribute__((always_inline)) { (g(m), ...); };
  CEREUS_MEMBERS(1, a)
  CEREUS_MEMBERS(2, a, b)
  CEREUS_MEMBERS(3, a, b, c)
  CEREUS_MEMBERS(4, a, b, c, d)
  CEREUS_MEMBERS(5, a, b, c, d, e)
  CEREUS_MEMBERS(6, a, b, c, d, e, h)
  CEREUS_MEMBERS(7, a, b, c, d, e, h, i)
  CEREUS_MEMBERS(8, a, b, c, d, e, h, i, j)
  CEREUS_MEMBERS(9, a, b, c, d, e, h, i, j, l)
  CEREUS_MEMBERS(10, a, b, c, d, e, h, i, j, l, m)
  CEREUS_MEMBERS(11, a, b, c, d, e, h, i, j, l, m, o)
  CEREUS_MEMBERS(12, a, b, c, d, e, h, i, j, l, m, o, q)
  CEREUS_MEMBERS(13, a, b, c, d, e, h, i, j, l, m, o, q, r)
  CEREUS_MEMBERS(14, a, b, c, d, e, h, i, j, l, m, o, q, r, s)
  CEREUS_MEMBERS(15, a, b, c, d, e, h, i, j, l, m, o, q, r, s, t)
  CEREUS_MEMBERS(16, a, b, c, d, e, h, i, j, l, m, o, q, r, s, t, u)
#undef CEREUS_MEMBERS
}

template <class T> struct bare { using type = T; };
template <class T> struct bare<const T> { using type = T; };

// Numbers the handles in the order of the members. Applied to the loop owner's local copy, so they fold to constants.
struct Numberer {
  int next = 0;
  template <class Handle, int... c> CEREUS_KERNEL void number(Handle* handles, ints<c...>) {
    ((handles[c].n = next++), ...);
  }
  template <class M> CEREUS_KERNEL void operator()(M& member) {
    using T = HandleTraits<M>;
    if constexpr (T::is_handle) {
      auto* handles = reinterpret_cast<typename T::Handle*>(&member);
      number(
          handles, typename count_up<T::count>::type{});  // a fold, not a loop: the numbers must be constants at once
    }
  }
};
struct HandleCounter {
  int all = 0, outputs = 0;
  template <class M> CEREUS_KERNEL constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    if constexpr (T::is_handle) {
      all += T::count;
      if (T::mode != Mode::read) outputs += T::count;
    }
  }
};
template <class K> CEREUS_KERNEL void number_handles(K& k) { for_each_member(k, Numberer{}); }
template <class K>
inline constexpr HandleCounter handle_count = [] {
  HandleCounter c;
  K k{};
  for_each_member(k, c);
  return c;
}();
}  // namespace cereus::detail
