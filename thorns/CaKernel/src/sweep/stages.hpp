// Several stages of an integrator at one point. Where a stage reads neighbours of what an earlier one makes, that is
// made anew there, from what lies in memory; of a kernel only the output that is asked for is used, and compilers drop
// the rest, loads included. So a wave takes two stages by the loads of one: u at a neighbour needs ρ there, and no
// more.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "tile.hpp"
namespace cereus::sweep {
struct Pass {                  // through memory, of a few stages; what a launch is told beside Arguments
  int first;                   // of its stages
  Extent box;                  // points of which it stores what its last stage makes
  void* between[most_fields];  // what a step's first pass leaves to the second
};

// States have numbers: 0 is the step's first, n + 1 what stage n makes of its sources.
struct Chain {
  int source[most_substeps][Epilogue::max_sources] = {};
};
constexpr Chain chain_of(const Program& g) {
  Chain c;
  int holds[1 + most_substeps] = {};  // buffers
  for (int n = 0; n < g.substeps; ++n) {
    const Substep& s = g.substep[n];
    for (int i = 0; i < s.sources; ++i) c.source[n][i] = holds[s.source[i]];
    holds[s.destination] = holds[0], holds[0] = n + 1;
  }
  return c;
}
constexpr int output_of(const Program& g, int field) {  // the handle of a field's rate; −1: it has none
  for (int h = 0; h < g.stage[0].handles; ++h)
    if (g.stage[0].use[h].field == field && g.stage[0].use[h].mode != Mode::read) return h;
  return -1;
}
// A buffer of the integrator, neither where the step begins nor where it ends; 0: there is none.
constexpr int buffer_between(const Program& g) {
  int most = 0;
  for (int n = 0; n < g.substeps; ++n) most = max(most, g.substep[n].destination);
  return most > 1 ? most : 0;
}
// How far the stages from there on read, at most.
constexpr int reach_from(const Program& g, int first, int axis, bool up) {
  int reach = 0;
  for (int h = 0; h < g.stage[0].handles; ++h)
    reach = max(reach, up ? g.stage[0].use[h].hi[axis] : g.stage[0].use[h].lo[axis]);
  return (g.substeps - first) * reach;
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
    Real sum = static_cast<Real>(a.b[n - 1]) * rates[output_of(about, f)];
    [&]<int... s>(detail::ints<s...>) __attribute__((always_inline)) {
      ((sum += static_cast<Real>(a.a[n - 1][s]) * state<chain.source[n - 1][s], f, i, j, k>()), ...);
    }
    (typename detail::count_up<about.substep[n - 1].sources>::type{});
    return sum;
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
};

// What a thread does: a column of `rows` points along z, all at once where nothing needs a mask, so that compilers see
// what neighbours share.
template <class Prog, int first>
CEREUS_KERNEL void take_stages(
    const Arguments& a, const Pass& pass, typename Prog::Kernels& kernels, int x, int y, int z) {
  using Real = typename Prog::Real;
  constexpr Program about = Prog::about;
  constexpr int rows = Prog::tile.rows, fields = about.fields,
                last = first + Prog::tile.stages < about.substeps ? first + Prog::tile.stages : about.substeps;
  const Extent &box = pass.box, &e = a.changing[0];
  if (x < box.lo[0] || x >= box.hi[0] || y >= box.hi[1]) return;
  const auto store = [&](int q, const Real(&what)[fields]) __attribute__((always_inline)) {
    for (int f = 0; f < fields; ++f)
      if (output_of(about, f) >= 0)
        static_cast<Real*>(last == about.substeps ? a.out[f] : pass.between[f])[x + y * Prog::row + q * Prog::plane] =
            what[f];
  };
  const int at[3] = {x, y, z}, size[3] = {1, 1, rows};
  bool inside = z + rows <= box.hi[2];
  for (int d = 0; d < 3; ++d)
    inside = inside && at[d] - reach_from(about, 0, d, false) >= e.lo[d] &&
             at[d] + size[d] + reach_from(about, 0, d, true) <= e.hi[d];
  if (inside) {
    Real made[rows][fields];
    [&]<int... r>(detail::ints<r...>) __attribute__((always_inline)) {
      (StagesAt<Prog, first, false>{a, pass, kernels, x, y, z + r}.template all<last>(made[r]), ...);
    }
    (typename detail::count_up<rows>::type{});
    for (int r = 0; r < rows; ++r) store(z + r, made[r]);
  } else
    for (int q = z; q < z + rows && q < box.hi[2]; ++q) {
      Real made[fields];
      StagesAt<Prog, first, true>{a, pass, kernels, x, y, q}.template all<last>(made);
      store(q, made);
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
