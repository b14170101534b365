// Several stages of an integrator at one point. Where a stage reads neighbours of what an earlier one makes, that is
// made anew there, from what lies in memory; of a kernel only the output that is asked for is used, and compilers drop
// the rest, loads included. So a wave takes two stages by the loads of one: u at a neighbour needs ρ there, and no
// more.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "chain.hpp"
#include "tile.hpp"
namespace cereus::sweep {
struct Pass {                  // through memory, of a few stages; what a launch is told beside Arguments
  int first;                   // of its stages
  Extent box;                  // points of which it stores what its last stage makes
  void* between[most_fields];  // what a step's first pass leaves to the second
};

constexpr Extent reach_of(const Program& g) {  // of all stages
  Extent e{};
  for (int d = 0; d < 3; ++d) e.lo[d] = reach_from(g, 0, d, false), e.hi[d] = reach_from(g, 0, d, true);
  return e;
}

// A pass over what `a` stores, and as far around it as later ones read, but not beyond what changes.
constexpr Pass pass_of(const Program& g, const Arguments& a, int first, int last) {
  Pass p{first, {}, {}};
  for (int d = 0; d < 3; ++d) {
    const int lo = a.begin[d] - reach_from(g, last, d, false), hi = a.end[d] + reach_from(g, last, d, true);
    p.box.lo[d] = max(lo, a.changing[0].lo[d]);
    p.box.hi[d] = hi < a.changing[0].hi[d] ? hi : a.changing[0].hi[d];
  }
  return p;
}
constexpr int first_thread(const Pass& p) { return p.box.lo[0] & ~3; }  // along x: where a sector of memory begins

// Where the kernel stands that makes state n + 1: at an offset from a thread's point.
template <class At, int n, int ox, int oy, int oz> struct StagePoint : Place<3> {
  using Real = typename At::Real;
  const At& at;
  Real* rates;
  template <class R, class Reach> CEREUS_KERNEL R operator()(In<R, Reach> v) const {
    return at.template read<n, ox, oy, oz, 0, 0, 0>(v.n);
  }
  CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const { return {rates[v.n]}; }
  template <int di, int dj, int dk, class R, class Reach> CEREUS_KERNEL R neighbour(In<R, Reach> v) const {
    return at.template read<n, ox, oy, oz, di, dj, dk>(v.n);
  }
};

// The states at a thread's point and around it. `masked`: points may lie outside of what changes; those keep what they
// had. In memory lie the step's first state and that before stage `first`.
template <class Prog, int first, bool masked> struct StagesAt {
  using Real = typename Prog::Real;
  static constexpr Program about = Prog::about;
  static constexpr Chain chain = chain_of(Prog::about);
  static constexpr int handles = about.stage[0].handles;
  const Arguments& a;
  const Pass& pass;
  typename Prog::Kernels& kernels;
  int x, y, z;

  CEREUS_KERNEL Real load(const void* field, int i, int j, int k) const {
    const Real* from =
        static_cast<const Real*>(field) + (x + y * Prog::row + z * Prog::plane) + (i + j * Prog::row + k * Prog::plane);
#ifdef __CUDA_ARCH__
    return __ldg(from);
#else
    return *from;
#endif
  }
  CEREUS_KERNEL bool changes(int i, int j, int k) const {
    const Extent& e = a.changing[0];
    return x + i >= e.lo[0] && x + i < e.hi[0] && y + j >= e.lo[1] && y + j < e.hi[1] && z + k >= e.lo[2] &&
           z + k < e.hi[2];
  }
  // The global index of a point, or of the one that it repeats across a periodic axis.
  CEREUS_KERNEL int index(int axis, int local) const {
    const int n = a.first[axis] + local, lo = a.period.lo[axis], hi = a.period.hi[axis];
    return n < lo ? n + hi - lo : n >= hi ? n - hi + lo : n;
  }
  template <int n, int i, int j, int k, int di, int dj, int dk> CEREUS_KERNEL Real read(int handle) const {
    Real value{};
    [&]<int... h>(detail::ints<h...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            constexpr Use u = about.stage[0].use[h];
            constexpr bool near =
                -di <= u.lo[0] && di <= u.hi[0] && -dj <= u.lo[1] && dj <= u.hi[1] && -dk <= u.lo[2] && dk <= u.hi[2];
            if constexpr (u.mode == Mode::read && near)
              if (handle == h) value = state<n, u.field, i + di, j + dj, k + dk>();
          }(),
          ...);
    }
    (typename detail::count_up<handles>::type{});
    return value;
  }
  template <int n, int f, int i, int j, int k> CEREUS_KERNEL Real state() const {
    constexpr int output = output_of(about, f);
    if constexpr (n == 0 || output < 0) return load(a.in[f], i, j, k);
    else {
      if constexpr (masked)
        if (!changes(i, j, k)) return load(a.in[f], i, j, k);
      if constexpr (n == first) return load(pass.between[f], i, j, k);
      else return made<n, f, i, j, k>();
    }
  }
  template <int n, int f, int i, int j, int k> CEREUS_KERNEL Real made() const {
    Real rates[handles];
    StagePoint<StagesAt, n - 1, i, j, k> p{{a.g[0], index(0, x + i), index(1, y + j), index(2, z + k)}, *this, rates};
    auto kernel = kernels.template get<0>();
    detail::number_handles(kernel);  // here, so that compilers see the numbers at once
    kernel(p);
    Real sum = Real(-0.);
    [&]<int... s>(detail::ints<s...>) __attribute__((always_inline)) {
      ((sum += static_cast<Real>(a.a[n - 1][s]) * state<chain.source[n - 1][s], f, i, j, k>()), ...);
    }
    (typename detail::count_up<about.substep[n - 1].sources>::type{});
    return sum + static_cast<Real>(a.b[n - 1]) * rates[output_of(about, f)];
  }
  template <int n> CEREUS_KERNEL void all(Real (&to)[about.fields]) const {
    [&]<int... f>(detail::ints<f...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            if constexpr (output_of(about, f) >= 0) to[f] = state<n, f, 0, 0, 0>();
          }(),
          ...);
    }
    (typename detail::count_up<about.fields>::type{});
  }
  template <int n> CEREUS_KERNEL void store(const Real (&what)[about.fields]) const {
    [&]<int... f>(detail::ints<f...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            if constexpr (output_of(about, f) >= 0)
              static_cast<Real*>(
                  n == about.substeps ? a.out[f] : pass.between[f])[x + y * Prog::row + z * Prog::plane] = what[f];
          }(),
          ...);
    }
    (typename detail::count_up<about.fields>::type{});
  }
};

// What a thread does: a column of `rows` points along z, all at once where nothing needs a mask, so that compilers see
// what neighbours share.
template <class Prog, int first>
CEREUS_KERNEL void take_stages(
    const Arguments& a, const Pass& pass, typename Prog::Kernels& kernels, int x, int y, int z) {
  constexpr int rows = Prog::tile.rows, stages = Prog::about.substeps,
                last = first + Prog::tile.stages < stages ? first + Prog::tile.stages : stages;
  constexpr Extent beyond = reach_of(Prog::about);
  const Extent &box = pass.box, &e = a.changing[0];
  if (x < box.lo[0] || x >= box.hi[0] || y >= box.hi[1]) return;
  using At = StagesAt<Prog, first, false>;
  typename Prog::Real made[rows][Prog::about.fields];
  if (z + rows <= box.hi[2] && x - beyond.lo[0] >= e.lo[0] && x + beyond.hi[0] < e.hi[0] &&
      y - beyond.lo[1] >= e.lo[1] && y + beyond.hi[1] < e.hi[1] && z - beyond.lo[2] >= e.lo[2] &&
      z + rows - 1 + beyond.hi[2] < e.hi[2]) {
    [&]<int... r>(detail::ints<r...>) __attribute__((always_inline)) {
      (At{a, pass, kernels, x, y, z + r}.template all<last>(made[r]), ...);
      (At{a, pass, kernels, x, y, z + r}.template store<last>(made[r]), ...);
    }
    (typename detail::count_up<rows>::type{});
  } else
    for (int q = z; q < z + rows && q < box.hi[2]; ++q) {
      const StagesAt<Prog, first, true> at{a, pass, kernels, x, y, q};
      at.template all<last>(made[0]);
      at.template store<last>(made[0]);
    }
}

#ifdef __CUDACC__
template <class Prog>
__device__ __forceinline__ void run_stages(const Arguments& a, const Pass& pass, typename Prog::Kernels kernels) {
  const int x = first_thread(pass) + static_cast<int>(blockIdx.x * 32 + threadIdx.x),
            y = pass.box.lo[1] + static_cast<int>(blockIdx.y * Prog::tile.warps + threadIdx.y),
            z = pass.box.lo[2] + static_cast<int>(blockIdx.z * Prog::tile.rows);
  if (pass.first == 0) take_stages<Prog, 0>(a, pass, kernels, x, y, z);
  else if constexpr (Prog::tile.stages < Prog::about.substeps)
    take_stages<Prog, Prog::tile.stages>(a, pass, kernels, x, y, z);
}
#endif
}  // namespace cereus::sweep
