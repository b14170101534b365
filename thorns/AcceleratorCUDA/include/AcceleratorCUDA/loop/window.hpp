// What a thread's points read, as aligned vectors of 16 bytes, the widest loads that there are. All that the handles'
// types allow is asked for; the compiler drops what the kernel does not use.
#pragma once
#include "window_sizes.hpp"
namespace cereus::detail {
struct alignas(16) Vector16 {
  unsigned long long half[2];
};

// In assembly, because the compiler takes a vector apart again and loads the elements that each point needs. No side
// effect: what is not used vanishes, and what is must be settled before memory changes.
__device__ __forceinline__ Vector16 load16(const void* p) {
  Vector16 v;
  asm("ld.global.v2.b64 {%0, %1}, [%2];" : "=l"(v.half[0]), "=l"(v.half[1]) : "l"(p));
  return v;
}
// What an update uses once, its sources and its result, leaves the caches first (`evict_first`), so that they keep what
// neighbours will read: order 4, RK4, 512³ on an H200: 17.7 → 18.1 Gcell/s; 64³ and 128³ as before. In loops of updates
// from many sources in 3D; in 2D it would be 1 % slower.
template <bool evict_first, class V> __device__ __forceinline__ V load_once(const void* p) {
  if constexpr (evict_first && sizeof(V) == 16) {
    Vector16 v;
    asm("ld.global.cs.v2.b64 {%0, %1}, [%2];" : "=l"(v.half[0]), "=l"(v.half[1]) : "l"(p));
    return __builtin_bit_cast(V, v);
  } else return *static_cast<const V*>(p);
}
template <bool evict_first, class V> __device__ __forceinline__ void store_once(void* p, const V& x) {
  if constexpr (sizeof(V) == 16) {
    const auto v = __builtin_bit_cast(Vector16, x);
    if constexpr (evict_first)
      asm volatile("st.global.cs.v2.b64 [%0], {%1, %2};" : : "l"(p), "l"(v.half[0]), "l"(v.half[1]) : "memory");
    else asm volatile("st.global.v2.b64 [%0], {%1, %2};" : : "l"(p), "l"(v.half[0]), "l"(v.half[1]) : "memory");
  } else *static_cast<V*>(p) = x;
}
template <class Real> __device__ __forceinline__ void settle(Real& x) {  // from here on nothing is loaded to make x
  if constexpr (sizeof(Real) == 8) {
    auto bits = __builtin_bit_cast(unsigned long long, x);
    asm volatile("" : "+l"(bits) : : "memory");
    x = __builtin_bit_cast(Real, bits);
  } else {
    auto bits = __builtin_bit_cast(unsigned, x);
    asm volatile("" : "+r"(bits) : : "memory");
    x = __builtin_bit_cast(Real, bits);
  }
}
template <class Real> __device__ __forceinline__ Real lane_of(const Vector16& v, int lane) {
  if constexpr (sizeof(Real) == 8) return __builtin_bit_cast(Real, v.half[lane]);
  else return __builtin_bit_cast(Real, static_cast<unsigned>(v.half[lane / 2] >> (lane % 2 * 32)));
}

// Fills the windows of all handles around points that `at_point` names, by handle; but for the lowest plane of a
// thread, what the plane below had is moved, not loaded. `row`, `plane`: bytes.
template <int dim, int lanes, int most, bool lowest> struct WindowLoader {
  Vector16 (*vectors)[most];
  const char* const* at_point;
  Offset row, plane;
  int n = 0;
  template <class M> __device__ __forceinline__ void operator()(M&) {
    using T = HandleTraits<M>;
    if constexpr (T::mode == Mode::read) {
      using W = Window<T::reach, T::corners, dim, lanes>;
#pragma unroll
      for (int h = 0; h < T::count; ++h)
#pragma unroll
        for (int m = 0; m < W::size; ++m) {
          const typename W::Place at = W::place(m), above = at.above();
          if (!lowest && W::seen_before(at)) vectors[n + h][m] = vectors[n + h][W::index(above.q, above.j, above.k)];
          else vectors[n + h][m] = load16(at_point[n + h] + at.q * 16 + at.j * row + at.k * plane);
        }
      n += T::count;
    }
  }
};

// The point of one lane: reads come from the window, writes stay in registers.
template <int dim, class Real, int first_output, int lanes, int most, int lane>
struct WindowPoint : FusedPoint<dim, Real, first_output> {
  const Vector16 (*vectors)[most];
  template <int i, int j, int k, class R, class Reach> __device__ __forceinline__ R read(In<R, Reach> v) const {
    constexpr int e = lane + i, q = (e + 64 * lanes) / lanes - 64;
    return lane_of<R>(vectors[v.n][Window<Reach::reach, Reach::corners, dim, lanes>::index(q, j, k)], e - q * lanes);
  }
  template <class R, class Reach> __device__ __forceinline__ R operator()(In<R, Reach> v) const {
    return read<0, 0, 0>(v);
  }
  __device__ __forceinline__ WriteOnly<Real> operator()(Out<Real> v) const { return {this->kept[v.n - first_output]}; }
  __device__ __forceinline__ Real& operator()(InOut<Real> v) const { return this->kept[v.n - first_output]; }
  template <int i, int j, int k, class R, class Reach> __device__ __forceinline__ R neighbour(In<R, Reach> v) const {
    return read<i, j, k>(v);
  }
};
}  // namespace cereus::detail
