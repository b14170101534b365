// Parts of a kernel that is too large for a device's registers. Its author marks what belongs to part n alone by
// `if constexpr (P::part(n))`; then Part<K, n> is a kernel, too: K at points for which there is only that part. What
// parts share each computes for itself, and what a part does not need the compiler drops.
#pragma once
#include "member.hpp"
#include "point.hpp"
namespace cereus::detail {
template <class K> constexpr int part_count() {
  if constexpr (requires { K::parts; }) {
    static_assert(K::parts >= 2, "a kernel has at least 2 parts, or does not speak of parts");
    return K::parts;
  } else return 1;
}

// Notes what is written, by output: all is inlined, so that the compiler knows it, and stores nothing else.
template <class P, int n, int first_output> struct PartPoint : P {
  bool* written;
  static CEREUS_KERNEL constexpr bool part(int m) { return m == n; }
  template <class Real, class R> CEREUS_KERNEL Real operator()(In<Real, R> v) const { return P::operator()(v); }
  template <class Real> CEREUS_KERNEL Real& operator()(Out<Real> v) const {
    written[v.n - first_output] = true;
    return P::operator()(v);
  }
};
template <class K, int n> struct Part {
  K whole;
  template <class P> CEREUS_KERNEL void apply(const P& p, bool* written) const {
    PartPoint<P, n, handle_count<K>.all - handle_count<K>.outputs> mine{p, written};
    whole(mine);
  }
  template <class P> CEREUS_KERNEL void operator()(const P& p) const {
    bool written[handle_count<K>.outputs];
    apply(p, written);
  }
};
template <class K> inline constexpr bool is_part = false;
template <class K, int n> inline constexpr bool is_part<Part<K, n>> = true;

template <class K, int n, class F> CEREUS_KERNEL constexpr void for_each_member(Part<K, n>& k, F&& f) {
  for_each_member(k.whole, f);
}

// Parts run one after another over all points, so that a later one would read what an earlier one has written.
template <class K> bool reads_what_it_writes(const Launch& l) {
  constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs;
  for (int b = 0; b < l.n_blocks; ++b) {
    char* const* address = l.blocks[b].address;
    for (int o = 0; o < outputs; ++o)
      for (int h = 0; h < handles - outputs; ++h)
        if (address[h] == address[handles + o * Epilogue::addresses]) return true;
  }
  return false;
}
}  // namespace cereus::detail
