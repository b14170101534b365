// What a node of the plan does with a plane: it applies a stage's kernel to the points of a lane, keeps what that
// makes, lets neighbours have it, and stores the last version of a field.
#pragma once
#include "halo.hpp"
#include "point.hpp"
namespace cereus::sweep {
// Along which axes points may lie outside of what changes: none, x and y, all.
enum class Mask { none, plane, all };

// Ends the computation of what a kernel writes. Without it the compiler needs more registers: three steps of t + c Δt
// then spill 236 bytes a thread, and 48 with it (NVRTC 13.0, sm_90).
template <class Real> __device__ __forceinline__ void settle(Real& x) {
  if constexpr (sizeof(Real) == 8) asm("" : "+d"(x));
  else asm("" : "+f"(x));
}

template <class Prog> struct Nodes : Halos<Prog> {
  using H = Halos<Prog>;
  using Real = typename H::Real;
  using Vector = typename H::Vector;
  using H::a, H::about, H::dim, H::kept, H::kernels, H::lanes, H::plan, H::rows, H::stream, H::vector, H::x, H::y;
  using H::age_of, H::early, H::place, H::y_of, H::z_of;
  template <int m> using Halo = typename H::template Halo<m>;
  template <int s> using Reads = typename H::template Reads<s>;

  unsigned changing[about.stages];  // which points of the lane a stage changes, along x and y: bit r · lanes + i
  unsigned storable[about.fields];  // which it stores: bit r; all others: only some points of a vector
  int from, to;                     // the planes that this thread block stores

  // The global index of a point, or of the one that it repeats across a periodic axis.
  __device__ __forceinline__ int index(int axis, int local) const {
    const int n = a.first[axis] + local, lo = a.period.lo[axis], hi = a.period.hi[axis];
    return n < lo ? n + hi - lo : n >= hi ? n - hi + lo : n;
  }

  // What becomes of what a node has written: where that is a rate, Σ a · source + b · rate.
  template <int m, int h> __device__ __forceinline__ Real integrated(Real written, int r, int i) const {
    constexpr int n = m / about.stages % about.substeps;
    if constexpr (!about.stage[m % about.stages].integrates) return written;
    else {
      Real sum = Real(-0.);
      each<about.substep[n].sources>([&]<int source>() __attribute__((always_inline)) {
        constexpr int v = plan.node[m].sources[h][source];
        sum += static_cast<Real>(a.a[n][source]) *
               kept[plan.version[v].first + plan.node[m].lag - plan.version[v].lag][r][i];
      });
      return sum + static_cast<Real>(a.b[n]) * written;
    }
  }

  template <int m, Mask mask> __device__ __forceinline__ void apply(int k, const Halo<m>& halo) {
    constexpr int s = m % about.stages;
    using R = Reads<s>;
    using Around = Patch<R::handles, R::nz, R::ny, R::nx, Real>;
    auto& kernel = kernels.template get<s>();
    const int q = k - plan.node[m].lag;
    const unsigned bits =
        mask == Mask::plane || dim == 1 || (q >= a.changing[s].lo[stream] && q < a.changing[s].hi[stream]) ? changing[s]
                                                                                                           : 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      Around around;
      each<R::handles>([&]<int h>() __attribute__((always_inline)) {
        constexpr Use use = about.stage[s].use[h];
        constexpr int v = plan.node[m].reads[h];
        if constexpr (v >= 0) {
          constexpr int down = dim > 1 ? use.lo[stream] : 0, up = dim > 1 ? use.hi[stream] : 0;
#pragma unroll
          for (int dk = -down; dk <= up; ++dk) {
            const auto& plane = kept[plan.version[v].first + age_of(m, h) - dk];
            Real* row = around.at[h][R::oz + dk][R::oy] + R::ox;
#pragma unroll
            for (int i = 0; i < lanes; ++i) row[i] = plane[r][i];
            if (use.corners || dk == 0) {
#pragma unroll
              for (int i = 1; i <= use.lo[0]; ++i) row[-i] = halo.left[h][R::oz + dk][r][R::ox - i];
#pragma unroll
              for (int i = 0; i < use.hi[0]; ++i) row[lanes + i] = halo.right[h][R::oz + dk][r][i];
            }
            if (dim == 3 && dk == 0) {
#pragma unroll
              for (int j = 1; j <= use.lo[1]; ++j)
#pragma unroll
                for (int i = 0; i < lanes; ++i)
                  around.at[h][R::oz][R::oy - j][R::ox + i] =
                      r >= j ? plane[r >= j ? r - j : 0][i] : halo.below[h][r >= j ? 0 : R::oy + r - j][i];
#pragma unroll
              for (int j = 1; j <= use.hi[1]; ++j)
#pragma unroll
                for (int i = 0; i < lanes; ++i)
                  around.at[h][R::oz][R::oy + j][R::ox + i] = r + j < rows
                                                                  ? plane[r + j < rows ? r + j : 0][i]
                                                                  : halo.above[h][r + j < rows ? 0 : r + j - rows][i];
            }
          }
        }
      });
#pragma unroll
      for (int i = 0; i < lanes; ++i) {
        Real written[R::handles];
        each<R::handles>([&]<int h>() __attribute__((always_inline)) {
          if constexpr (about.stage[s].use[h].mode == Mode::update) written[h] = around.at[h][R::oz][R::oy][R::ox + i];
        });
        SweepPoint<dim, R::oz, R::oy, R::ox, Around, Real> p{
            {a.g[s], index(0, x + i), index(1, dim == 1 ? 0 : y_of(r, q)), index(2, z_of(q))}, around, written, i};
        kernel(p);
        each<R::handles>([&]<int h>() __attribute__((always_inline)) {
          if constexpr (about.stage[s].use[h].mode != Mode::read) {
            settle(written[h]);
            Real now = integrated<m, h>(written[h], r, i);
            if constexpr (mask != Mask::none)
              if (!(bits >> (r * lanes + i) & 1)) now = before<m, h>(q, r, i);
            kept[plan.version[plan.node[m].writes[h]].first][r][i] = now;
          }
        });
      }
    }
    finish<m>(k, q);
  }
  template <int m, Mask mask> __device__ __forceinline__ void nodes_from(int k, const Halo<m>& halo) {
    if constexpr (m + 1 < plan.nodes) {
      Halo<m + 1> next;
      if constexpr (early(m + 1)) this->template fetch<m + 1>(k, next);
      apply<m, mask>(k, halo);
      if constexpr (!early(m + 1)) this->template fetch<m + 1>(k, next);
      nodes_from<m + 1, mask>(k, next);
    } else apply<m, mask>(k, halo);
  }

  // What an output of a node was: still in a register, or, as it never changes where this is asked for, in memory.
  template <int m, int h> __device__ __forceinline__ Real before(int q, int r, int i) const {
    constexpr int v = plan.node[m].before[h], f = about.stage[m % about.stages].use[h].field;
    if constexpr (v >= 0) return kept[plan.version[v].first + plan.node[m].lag - plan.version[v].lag][r][i];
    else {
      const auto in = [&](int d, int at) { return clamp(at, a.readable.lo[d], a.readable.hi[d] - 1); };
      return static_cast<const Real*>(
          a.in[f])[place(in(0, x + i), dim > 1 ? in(1, y_of(r, q)) : 0, dim > 2 ? in(2, q) : 0)];
    }
  }
  template <int m> __device__ __forceinline__ void finish(int k, int q) {
    constexpr int s = m % about.stages;
    each<about.stage[s].handles>([&]<int h>() __attribute__((always_inline)) {
      if constexpr (about.stage[s].use[h].mode != Mode::read) {
        constexpr int v = plan.node[m].writes[h];
        this->template publish<v>(k);
        if constexpr (plan.version[v].last && about.stored[plan.version[v].field]) store<v>(q);
      }
    });
  }

  template <int v> __device__ __forceinline__ void store(int q) const {
    constexpr int f = plan.version[v].field;
    if (dim > 1 && (q < from || q >= to)) return;
    Real* out = static_cast<Real*>(a.out[f]) + place(x, y_of(0, q), z_of(q));
    const auto& stored = a.stored[f];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!(storable[f] >> r & 1)) continue;
#pragma unroll
      for (int i = 0; i < lanes; i += vector) {
        Real* const to = out + r * Prog::row + i;
        if (storable[f] >> 16) {
          Vector vec;
#pragma unroll
          for (int e = 0; e < vector; ++e) vec.at[e] = kept[plan.version[v].first][r][i + e];
          *reinterpret_cast<Vector*>(to) = vec;
        } else {
#pragma unroll
          for (int e = 0; e < vector; ++e)
            if (x + i + e >= stored.lo[0] && x + i + e < stored.hi[0]) to[e] = kept[plan.version[v].first][r][i + e];
        }
      }
    }
  }
};
}  // namespace cereus::sweep
