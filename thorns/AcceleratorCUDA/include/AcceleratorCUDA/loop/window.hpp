// What a thread's points read, as aligned vectors of 16 bytes, the widest loads that there are. All that the handles'
// types allow is asked for; the compiler drops what the kernel does not use.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
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

// The vectors around one point (`lanes` points side by side): in its plane a cross (or all, with corners), above and
// below one vector a plane (or all). Numbered from below: what a thread that goes up (along the last axis) has seen
// before moves down in this order.
template <int reach, bool corners, int dim, int lanes> struct Window {
  static constexpr int side = (reach + lanes - 1) / lanes, row = 2 * side + 1;
  static constexpr int ry = dim > 1 ? reach : 0, rz = dim > 2 ? reach : 0;
  static constexpr int plane = corners ? row * (2 * ry + 1) : row + 2 * ry;
  static constexpr int size = corners ? plane * (2 * rz + 1) : plane + 2 * rz;

  static constexpr int index(int q, int j, int k) {
    if (corners) return (k + rz) * plane + (j + ry) * row + q + side;
    if (k < 0) return k + rz;
    if (k > 0) return rz + plane + k - 1;
    return rz + (j < 0 ? j + ry : j > 0 ? ry + row + j - 1 : ry + q + side);
  }
  struct Place {
    int q, j, k;
    constexpr Place above() const { return dim == 3 ? Place{q, j, k + 1} : Place{q, j + 1, k}; }
  };
  static constexpr Place place(int n) {
    if (corners) return {n % plane % row - side, n % plane / row - ry, n / plane - rz};
    if (n < rz) return {0, 0, n - rz};
    if (n >= rz + plane) return {0, 0, n - rz - plane + 1};
    const int in_plane = n - rz;
    if (in_plane < ry) return {0, in_plane - ry, 0};
    if (in_plane >= ry + row) return {0, in_plane - ry - row + 1, 0};
    return {in_plane - ry - side, 0, 0};
  }
  static constexpr bool has(Place at) {
    return at.j <= ry && at.k <= rz && (corners || (at.q != 0) + (at.j != 0) + (at.k != 0) <= 1);
  }
  // Whether it is in the window of the point below too, one plane (row, in 2D) higher.
  static constexpr bool seen_before(Place at) { return dim > 1 && has(at.above()); }
};

// How many vectors each handle of a kernel may need, at most and in all; 0 if there is one whose type does not fit.
template <int dim, int lanes> struct WindowSizes {
  int most = 1, all = 0;
  bool fits = true;
  template <class M> constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    if constexpr (T::mode == Mode::read) {
      constexpr int size = Window<T::reach, T::corners, dim, lanes>::size;
      most = size > most ? size : most;
      all += size * T::count;
      fits = fits && sizeof(typename T::Real) * lanes == 16;
    }
  }
};
template <class K, int dim, int lanes>
inline constexpr WindowSizes<dim, lanes> window_sizes = [] {
  WindowSizes<dim, lanes> s;
  K k{};
  for_each_handle(k, s);
  return s;
}();

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
