// The loop of kernels that are compiled when a run begins, for one size of blocks: with strides that are constants, all
// that is read of a variable has one address and offsets that stand in the instructions (BSSN on an H200: 1.8 times as
// fast).
#pragma once
#include <cereus/kernel/faces.hpp>
#include <cereus/kernel/large.hpp>
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "late_arguments.hpp"
namespace cereus::detail {
template <class K>
inline constexpr int late_addresses = handle_count<K>.all + handle_count<K>.outputs* Epilogue::addresses;

template <class K, int dim, class Real, Offset row_, Offset plane_, class Axes = UniformAxes>
struct LatePoint : Place<dim, Axes> {
  static constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs,
                       first_output = handles - outputs;
  using Arguments = LateArguments<late_addresses<K>>;
  const Arguments& a;
  Offset c;
  __device__ __forceinline__ const Real* at(int n) const { return reinterpret_cast<const Real*>(a.address[n]) + c; }
  // Nothing that is read is written by the same kernel: so loads may come before stores of the point below. In a large
  // one that would take registers which it needs for what waits.
  __device__ __forceinline__ static Real read(const Real* from) {
    if constexpr (is_large<K>()) return *from;
    else return __ldg(from);
  }
  template <class R> __device__ __forceinline__ Real operator()(In<Real, R> v) const { return read(at(v.n)); }
  template <int i, int j, int k, class R> __device__ __forceinline__ Real neighbour(In<Real, R> v) const {
    return read(at(v.n) + (i + j * row_ + k * plane_));
  }
  // Of output o where it goes, and what is added to it.
  __device__ __forceinline__ Real& to(int o) const { return reinterpret_cast<Real*>(row(o)[0])[c]; }
  __device__ __forceinline__ Real source(int o, int s) const {
    return static_cast<Real>(a.update.a[s]) * reinterpret_cast<const Real*>(row(o)[1 + s])[c];
  }
  __device__ __forceinline__ char* const* row(int o) const { return a.address + handles + o * Epilogue::addresses; }
};

// What is written, which begins with the sources of an update, times the weight of the update.
template <class Real> struct Weighted {
  Real& to;
  Real weight;
  __device__ __forceinline__ void operator=(Real x) const { to = weight * x; }
};
// Of a large kernel. Slots lie in shared memory. They are volatile, so that the compiler leaves values there until they
// are needed. One more slot, number `flag`, tells whether a partial update goes to this point: no register is left.
inline constexpr int not_partial = -1;
template <class Late, class Real, int sources, int threads, int flag = not_partial> struct LargePoint : Late {
  static constexpr bool partial = flag != not_partial;
  volatile Real* slots;
  using Late::operator();
  template <int n> __device__ __forceinline__ void put(Real x) const { slots[n * threads] = x; }
  template <int n> __device__ __forceinline__ Real get() const { return slots[n * threads]; }
  __device__ __forceinline__ bool updated() const {
    if constexpr (partial) return get<flag>() != 0;
    else return true;
  }
  __device__ __forceinline__ Real begin(Out<Real> v) const {  // the weights of sources are over that of the update
    Real sum = 0;
#pragma unroll
    for (int s = 0; s < sources; ++s) sum += this->source(v.n - Late::first_output, s);
    return updated() ? sum : Real(0);
  }
  __device__ __forceinline__ Weighted<Real> operator()(Out<Real> v) const {
    Real& to = this->to(v.n - Late::first_output);
    const auto weight = static_cast<Real>(this->a.update.b);
    if constexpr (!partial) return {to, weight};
    else {
      const bool here = updated();
      Real* const plain = reinterpret_cast<Real*>(this->a.address[v.n]) + this->c;
      return {*(here ? &to : plain), here ? weight : Real(1)};
    }
  }
};
// Of a kernel that is written by hand: what is written is kept until the update.
template <class Late, class Real> struct KeptPoint : Late {
  Real* kept;
  using Late::operator();
  __device__ __forceinline__ WriteOnly<Real> operator()(Out<Real> v) const { return {kept[v.n - Late::first_output]}; }
};

template <class K, int dim, class Real, Offset row, Offset plane, int sources, int threads, class Axes, bool partial>
__device__ __forceinline__ void late_point(
    const K& k, const LateArguments<late_addresses<K>>& a, const BlockLaunch& b, int i, int j, int l, Offset c) {
  const Geometry& g = a.geometry[b.geometry];
  using Late = LatePoint<K, dim, Real, row, plane, Axes>;
  const Late here{{g, i, j, l}, a, c};
  if constexpr (is_large<K>()) {
    extern __shared__ double shared[];
    constexpr int slots = slots_of<K, same_type<Axes, MappedAxes>>();
    LargePoint<Late, Real, sources, threads, partial ? slots : not_partial> p{
        here, reinterpret_cast<Real*>(shared) + threadIdx.x};
    if constexpr (partial)
      p.template put<slots>(i >= b.updated_lo[0] && i < b.updated_hi[0] && j >= b.updated_lo[1] &&
                            j < b.updated_hi[1] && l >= b.updated_lo[2] && l < b.updated_hi[2]);
    k(p);
  } else {
    Real kept[Late::outputs];
    KeptPoint<Late, Real> p{here, kept};
    k(p);
#pragma unroll
    for (int o = 0; o < Late::outputs; ++o) {
      Real sum = Real(-0.);
#pragma unroll
      for (int s = 0; s < sources; ++s) sum += here.source(o, s);
      here.to(o) = sources == 0 ? kept[o] : sum + static_cast<Real>(a.update.b) * kept[o];
    }
  }
}

template <class K, int dim, class Real, Offset row, Offset plane, int sources, int x, int y, int z, int march,
    class Axes = UniformAxes, bool partial = false>
__device__ __forceinline__ void late_loop(const K& parameters, const LateArguments<late_addresses<K>>& a) {
  K k = parameters;
  number_handles(k);
  const BlockLaunch& b = a.blocks ? a.blocks[blockIdx.y] : a.block;
  const int t = static_cast<int>(threadIdx.x);
  const WalkedPoint p(a.walk, b, blockIdx.x, x * y, t % (x * y), false);
  const int i = p.i, j = p.j, first = b.lo[2] + p.plane * (z * march) + t / (x * y);
  if (i >= b.hi[0] || j >= p.rows) return;
  Offset c = b.at + (i - b.first[0]) + (j - b.first[1]) * row + (first - b.first[2]) * plane;
  if constexpr (march == 1) {  // without a loop, in which BSSN would keep more than there are registers
    if (first < b.hi[2])
      late_point<K, dim, Real, row, plane, sources, x * y * z, Axes, partial>(k, a, b, i, j, first, c);
  } else {
#pragma unroll 2
    for (int l = first; l < min(first + z * march, b.hi[2]); l += z, c += z * plane)
      late_point<K, dim, Real, row, plane, sources, x * y * z, Axes, partial>(k, a, b, i, j, l, c);
  }
}
}  // namespace cereus::detail
