// The loop of large kernels. It is compiled late, for one size of blocks: with strides that are constants, all that is
// read of a variable has one address and offsets that stand in the instructions (1.8 times as fast, on an H200).
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "large_arguments.hpp"
namespace cereus::detail {
template <class K>
inline constexpr int large_addresses = handle_count<K>.all + handle_count<K>.outputs* Epilogue::addresses;

// What is written, which begins with the sources of an update, times the weight of the update.
template <class Real> struct Weighted {
  Real& to;
  Real weight;
  __device__ __forceinline__ void operator=(Real x) const { to = weight * x; }
};

// Slots lie in shared memory. They are volatile, so that the compiler leaves values there until they are needed.
template <class K, int dim, class Real, Offset row_, Offset plane_, int sources, int threads>
struct LargePoint : Place<dim> {
  static constexpr int handles = handle_count<K>.all, first_output = handles - handle_count<K>.outputs;
  using Arguments = LargeArguments<large_addresses<K>>;
  const Arguments& a;
  Offset c;
  volatile Real* slots;
  template <int n> __device__ __forceinline__ void put(Real x) const { slots[n * threads] = x; }
  template <int n> __device__ __forceinline__ Real get() const { return slots[n * threads]; }
  __device__ __forceinline__ const Real* at(int n) const { return reinterpret_cast<const Real*>(a.address[n]) + c; }
  template <class R> __device__ __forceinline__ Real operator()(In<Real, R> v) const { return *at(v.n); }
  template <int i, int j, int k, class R> __device__ __forceinline__ Real neighbour(In<Real, R> v) const {
    return at(v.n)[i + j * row_ + k * plane_];
  }
  __device__ __forceinline__ char* const* row(int n) const {
    return a.address + handles + (n - first_output) * Epilogue::addresses;
  }
  __device__ __forceinline__ Real begin(Out<Real> v) const {  // a.update.a is over the weight already
    Real sum = 0;
#pragma unroll
    for (int s = 0; s < sources; ++s)
      sum += static_cast<Real>(a.update.a[s]) * reinterpret_cast<const Real*>(row(v.n)[1 + s])[c];
    return sum;
  }
  __device__ __forceinline__ Weighted<Real> operator()(Out<Real> v) const {
    return {reinterpret_cast<Real*>(row(v.n)[0])[c], static_cast<Real>(a.update.b)};
  }
};

template <class K, int dim, class Real, Offset row, Offset plane, int sources, int x, int y, int z>
__device__ __forceinline__ void large_loop(const K& parameters, const LargeArguments<large_addresses<K>>& a) {
  K k = parameters;
  number_handles(k);
  const BlockLaunch& b = a.blocks ? a.blocks[blockIdx.y] : a.block;
  const Walk& w = a.walk;
  int n = static_cast<int>(blockIdx.x);
  const int in_x = n % w.tile_x;
  n /= w.tile_x;
  const int in_y = n % w.tile_y;
  n /= w.tile_y;
  const int up = n % w.planes, tile = n / w.planes, t = static_cast<int>(threadIdx.x);
  const int i = b.lo[0] + (tile % w.tiles_x * w.tile_x + in_x) * x + t % x,
            j = b.lo[1] + (tile / w.tiles_x * w.tile_y + in_y) * y + t / x % y, l = b.lo[2] + up * z + t / (x * y);
  if (i >= b.hi[0] || j >= b.hi[1] || l >= b.hi[2]) return;
  const Offset c = b.at + (i - b.first[0]) + (j - b.first[1]) * row + (l - b.first[2]) * plane;
  extern __shared__ double shared[];
  LargePoint<K, dim, Real, row, plane, sources, x * y * z> p{
      {a.geometry[b.geometry], i, j, l}, a, c, reinterpret_cast<Real*>(shared) + t};
  k(p);
}
}  // namespace cereus::detail
