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
// In braces of its own each value starts a member; without them they go on into the elements of a C array.
template <class T, int... n> constexpr bool braces_of_each(ints<n...>) {
  return requires { T{{any_at<n>{}}...}; };
}
// Whether what comes after so many values is a C array: it alone can begin with braces, and then leaves too little room
// for the values after it.
template <class T, int... before, int... after> constexpr bool starts_array(ints<before...>, ints<after...>) {
  return requires { T{any_at<before>{}..., {Anything{}}}; }
  &&!requires { T{any_at<before>{}..., {Anything{}}, any_at<after>{}...}; };
}
template <class T, int... n> constexpr bool has_array(ints<n...>) {
  constexpr int count = sizeof...(n);
  if constexpr (braces_of_each<T>(ints<n...>{})) return false;  // a short way, but for structs without members
  else return (starts_array<T>(typename count_up<n>::type{}, typename count_up<count - 1 - n>::type{}) || ...);
}
constexpr int most_members = 64;
// How many members an aggregate has: the most values with which it can be initialised.
template <class T, int n = 1> constexpr int member_count() {
  if constexpr (n <= most_members + 1 && braces<T>(typename count_up<n>::type{})) return member_count<T, n + 1>();
  else return n - 1;
}

// clang-format off
// Calls f(member) for each member of a kernel, by a structured binding for each number of members.
#define CEREUS_NAMES(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define CEREUS_MEMBERS(N, ...) if constexpr (n == (N)) { auto& [__VA_ARGS__] = k; each(f, __VA_ARGS__); }
#define CEREUS_EIGHT(N, x, ...)                                              \
  CEREUS_MEMBERS(N + 1, __VA_ARGS__ x##0) CEREUS_MEMBERS(N + 2, __VA_ARGS__ x##0, x##1) \
  CEREUS_MEMBERS(N + 3, __VA_ARGS__ x##0, x##1, x##2) CEREUS_MEMBERS(N + 4, __VA_ARGS__ x##0, x##1, x##2, x##3) \
  CEREUS_MEMBERS(N + 5, __VA_ARGS__ x##0, x##1, x##2, x##3, x##4) \
  CEREUS_MEMBERS(N + 6, __VA_ARGS__ x##0, x##1, x##2, x##3, x##4, x##5) \
  CEREUS_MEMBERS(N + 7, __VA_ARGS__ x##0, x##1, x##2, x##3, x##4, x##5, x##6) \
  CEREUS_MEMBERS(N + 8, __VA_ARGS__ CEREUS_NAMES(x))
template <class K, class F> CEREUS_KERNEL constexpr void for_each_member(K& k, F&& f) {
  constexpr int n = member_count<K>();
  static_assert(n > most_members || !has_array<K>(typename count_up<n>::type{}),
      "a member of a kernel is a handle, a number or a plain struct: wrap a C array in a struct");
  static_assert(n <= most_members, "a kernel has at most 64 members");
  auto each = [](auto& g, auto&... m) __attribute__((always_inline)) { (g(m), ...); };
  CEREUS_EIGHT(0, a)
  CEREUS_EIGHT(8, b, CEREUS_NAMES(a),)
  CEREUS_EIGHT(16, c, CEREUS_NAMES(a), CEREUS_NAMES(b),)
  CEREUS_EIGHT(24, d, CEREUS_NAMES(a), CEREUS_NAMES(b), CEREUS_NAMES(c),)
  CEREUS_EIGHT(32, e, CEREUS_NAMES(a), CEREUS_NAMES(b), CEREUS_NAMES(c), CEREUS_NAMES(d),)
  CEREUS_EIGHT(40, h, CEREUS_NAMES(a), CEREUS_NAMES(b), CEREUS_NAMES(c), CEREUS_NAMES(d), CEREUS_NAMES(e),)
  CEREUS_EIGHT(48, i, CEREUS_NAMES(a), CEREUS_NAMES(b), CEREUS_NAMES(c), CEREUS_NAMES(d), CEREUS_NAMES(e),
               CEREUS_NAMES(h),)
  CEREUS_EIGHT(56, j, CEREUS_NAMES(a), CEREUS_NAMES(b), CEREUS_NAMES(c), CEREUS_NAMES(d), CEREUS_NAMES(e),
               CEREUS_NAMES(h), CEREUS_NAMES(i),)
}
#undef CEREUS_EIGHT
#undef CEREUS_MEMBERS
#undef CEREUS_NAMES
// clang-format on

template <class T> inline constexpr bool is_pointer = false;
template <class T> inline constexpr bool is_pointer<T*> = true;
template <class T> inline constexpr bool is_pointer<T* const> = true;

// Calls f(handle) for each member that is a handle: first for those that only read, then for the others. Handles are
// numbered in this order, whatever the order of the members.
template <bool reads, class F> struct OnlyHandles {
  F& f;
  template <class M> CEREUS_KERNEL constexpr void operator()(M& member) {
    static_assert(!is_pointer<M>, "a kernel has no pointer: where it runs there may be other memory");
    using T = HandleTraits<M>;
    if constexpr (T::is_handle)
      if constexpr ((T::mode == Mode::read) == reads) f(member);
  }
};
template <class K, class F> CEREUS_KERNEL constexpr void for_each_handle(K& k, F&& f) {
  for_each_member(k, OnlyHandles<true, F>{f});
  for_each_member(k, OnlyHandles<false, F>{f});
}

template <class T> struct bare { using type = T; };
template <class T> struct bare<const T> { using type = T; };

// Numbers the handles. Applied to the loop owner's local copy, so they fold to constants.
struct Numberer {
  int next = 0;
  template <class Handle, int... c> CEREUS_KERNEL void number(Handle* handles, ints<c...>) {
    ((handles[c].n = next++), ...);
  }
  template <class M> CEREUS_KERNEL void operator()(M& member) {
    using T = HandleTraits<M>;
    auto* handles = reinterpret_cast<typename T::Handle*>(&member);
    number(handles, typename count_up<T::count>::type{});  // a fold, not a loop: the numbers must be constants at once
  }
};
struct HandleCounter {
  int all = 0, outputs = 0;
  template <class M> CEREUS_KERNEL constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    all += T::count;
    if (T::mode != Mode::read) outputs += T::count;
  }
};
template <class K> CEREUS_KERNEL void number_handles(K& k) { for_each_handle(k, Numberer{}); }
template <class K>
inline constexpr HandleCounter handle_count = [] {
  HandleCounter c;
  K k{};
  for_each_handle(k, c);
  return c;
}();
}  // namespace cereus::detail
