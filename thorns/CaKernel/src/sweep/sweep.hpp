// A sweep: several steps of a program in one go through memory. A warp holds a few rows of a tile, a vector of points a lane;
// planes (in 2D rows) come in through a ring in shared memory, and of each version of a field those that are still needed stay
// in registers. Neighbours along x come from other lanes, along y from other warps, through shared memory. Tiles overlap by
// what the steps eat from their edges. In 1D there is no plane to come: all is there at once.
// Compiled late, with the program, the number of steps and the tile as constants.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "program.hpp"
namespace cereus::sweep {
using detail::count_up;
using detail::ints;

template <int n, class F> __device__ __forceinline__ void each(F&& f) {
  [&]<int... i>(ints<i...>) __attribute__((always_inline)) { (f.template operator()<i>(), ...); }(typename count_up<n>::type{});
}
template <int bytes> __device__ __forceinline__ void copy_async(unsigned to, const void* from) {
  if constexpr (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(from) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(from), "n"(bytes) : "memory");
}
__device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int later> __device__ __forceinline__ void wait_group() { asm volatile("cp.async.wait_group %0;" : : "n"(later) : "memory"); }
__device__ __forceinline__ int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }

enum class Mask { none, plane, all };  // whether points may lie outside of what changes: none, along x and y, along all axes

// What one stage reads around a row of a lane, for all its handles, and what it writes there.
template <int handles, int nz, int ny, int nx, class Real> struct Patch { Real at[handles][nz][ny][nx]; };

template <int dim, int oz, int oy, int ox, class P, class Real> struct SweepPoint : Place<dim> {
  const P& patch;
  Real* kept;  // of outputs, by handle
  int x;
  template <class R, class Reach> __device__ __forceinline__ R operator()(In<R, Reach> v) const { return patch.at[v.n][oz][oy][ox + x]; }
  __device__ __forceinline__ Real& operator()(Out<Real> v) const { return kept[v.n]; }
  __device__ __forceinline__ Real& operator()(InOut<Real> v) const { return kept[v.n]; }
  template <int i, int j, int k, class R, class Reach> __device__ __forceinline__ R neighbour(In<R, Reach> v) const {
    return patch.at[v.n][oz + (dim == 3 ? k : dim == 2 ? j : 0)][oy + (dim == 3 ? j : 0)][ox + x + i];
  }
};

// Prog: the kernels and what they do, in which scalar type, and the strides of the block.
template <class Prog> struct Sweep {
  using Real = typename Prog::Real;
  static constexpr Program about = Prog::about;
  static constexpr TileShape tile = Prog::tile;
  static constexpr auto plan = make_plan<tile.steps>(Prog::about);
  static constexpr Facts facts = facts_of<tile.steps>(Prog::about, Prog::tile, sizeof(Real));
  static constexpr int dim = about.dim, rows = tile.rows, lanes = tile.lanes, stream = dim - 1;
  static constexpr int vector = facts.vector, vectors = facts.vectors, vector_bytes = vector * sizeof(Real), threads = 32 * tile.warps;
  static constexpr int lo_y = plan.lo[1], hi_y = plan.hi[1], lo_stream = plan.lo[stream], lag = plan.lag;
  struct alignas(vector_bytes) Vector { Real at[vector]; };

  // Rows at the edges of warps: of each version that has them, so many planes, warps, rows and points.
  static constexpr int edge_rows(int v) { return plan.version[v].below + plan.version[v].above; }
  static constexpr int edge_offset(int v) {  // in points
    int at = 0;
    for (int n = 0; n < v; ++n) at += edge_rows(n) ? edge_slots(plan.version[n]) * tile.warps * edge_rows(n) * facts.width : 0;
    return at;
  }

  const Arguments& a;
  typename Prog::Kernels& kernels;
  char* memory;
  int lane, warp, x, y;                 // local coordinates of the lane's first point
  bool readable;                        // whether all points of the warp are, along x and y
  unsigned changing[about.stages];      // which points of the lane a stage changes, along x and y: bit r · lanes + i
  unsigned storable[about.fields];      // which it stores: bit r; all others: only some points of a vector
  Real kept[plan.planes][rows][lanes];  // planes of versions, the newest of each first

  __device__ __forceinline__ Offset place(int i, int j, int k) const { return i + j * Prog::row + k * Prog::plane; }
  __device__ __forceinline__ int y_of(int r, int k) const { return dim == 2 ? k : y + r; }
  __device__ __forceinline__ int z_of(int k) const { return dim == 3 ? k : 0; }

  // The global index of a point, or of the one that it repeats across a periodic axis.
  __device__ __forceinline__ int index(int axis, int local) const {
    const int n = a.first[axis] + local, lo = a.period.lo[axis], hi = a.period.hi[axis];
    return n < lo ? n + hi - lo : n >= hi ? n - hi + lo : n;
  }

  template <int v> __device__ __forceinline__ Real* edge(int k, int w) const {
    return reinterpret_cast<Real*>(memory + facts.ring_bytes) + edge_offset(v) + ((k & (edge_slots(plan.version[v]) - 1)) * tile.warps + w) * edge_rows(v) * facts.width + lane * lanes;
  }
  template <int v> __device__ __forceinline__ void load(int k) {  // asks for plane k of what comes in
    const Real* in = static_cast<const Real*>(a.in[plan.version[v].field]);
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(memory)) +
                        (((k & (tile.ring - 1)) * plan.loaded + v) * rows * vectors * threads + threadIdx.x) * vector_bytes;
    if (readable && (dim == 1 || (k >= a.readable.lo[stream] && k < a.readable.hi[stream]))) {
      const Real* from = in + place(x, y_of(0, k), z_of(k));
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int n = 0; n < vectors; ++n) copy_async<vector_bytes>(to + (r * vectors + n) * threads * vector_bytes, from + r * Prog::row + n * vector);
    } else {  // what is not there is not needed either
      const int z = dim == 3 ? clamp(k, a.readable.lo[2], a.readable.hi[2] - 1) : 0;
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const Real* from = in + place(0, dim == 1 ? 0 : clamp(y_of(r, k), a.readable.lo[1], a.readable.hi[1] - 1), z);
#pragma unroll
        for (int n = 0; n < vectors; ++n)
          copy_async<vector_bytes>(to + (r * vectors + n) * threads * vector_bytes, from + clamp(x + n * vector, a.readable.lo[0], a.readable.hi[0] - vector));
      }
    }
  }
  template <int v> __device__ __forceinline__ void take(int k) {
    const char* from = memory + (((k & (tile.ring - 1)) * plan.loaded + v) * rows * vectors * threads + threadIdx.x) * vector_bytes;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int n = 0; n < vectors; ++n) {
        const Vector got = *reinterpret_cast<const Vector*>(from + (r * vectors + n) * threads * vector_bytes);
#pragma unroll
        for (int i = 0; i < vector; ++i) kept[plan.version[v].first][r][n * vector + i] = got.at[i];
      }
  }
  template <int v> __device__ __forceinline__ void age() {  // makes room for a new plane
    constexpr Version me = plan.version[v];
#pragma unroll
    for (int n = me.keep; n > 0; --n)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int i = 0; i < lanes; ++i) kept[me.first + n][r][i] = kept[me.first + n - 1][r][i];
  }
  template <int v> __device__ __forceinline__ void publish(int k) {  // rows for the warps next to this one
    constexpr Version me = plan.version[v];
    if constexpr (edge_rows(v) > 0) {
      Real* to = edge<v>(k, warp);
#pragma unroll
      for (int n = 0; n < edge_rows(v); ++n) {
        const int r = n < me.above ? n : rows - edge_rows(v) + n;  // the first rows, then the last
#pragma unroll
        for (int i = 0; i < lanes; i += vector) {
          Vector got;
#pragma unroll
          for (int e = 0; e < vector; ++e) got.at[e] = kept[me.first][r][i + e];
          *reinterpret_cast<Vector*>(to + n * facts.width + i) = got;
        }
      }
    }
  }

  // How far a stage reads at most, and the box around a point that follows.
  template <int s> struct Reads {
    static constexpr int most(int d, bool up) {
      int n = 0;
      for (int h = 0; h < about.stage[s].handles; ++h) n = larger(n, up ? about.stage[s].use[h].hi[d] : about.stage[s].use[h].lo[d]);
      return n;
    }
    static constexpr int handles = about.stage[s].handles;
    static constexpr int oz = dim > 1 ? most(stream, false) : 0, oy = dim == 3 ? most(1, false) : 0, ox = most(0, false);
    static constexpr int nz = oz + 1 + (dim > 1 ? most(stream, true) : 0), ny = oy + 1 + (dim == 3 ? most(1, true) : 0), nx = ox + lanes + most(0, true);
  };
  static constexpr int age_of(int m, int h) { return plan.node[m].lag - plan.version[plan.node[m].reads[h]].lag; }  // of the plane of a node's points

  // What a node needs of other lanes and warps.
  template <int m> struct Halo {
    using R = Reads<m % about.stages>;
    static constexpr int at_least_one(int n) { return n > 0 ? n : 1; }
    Real left[R::handles][R::nz][rows][at_least_one(R::ox)], right[R::handles][R::nz][rows][at_least_one(R::nx - lanes - R::ox)];
    Real below[R::handles][at_least_one(R::oy)][lanes], above[R::handles][at_least_one(R::ny - 1 - R::oy)][lanes];
  };
  // Whether all that was there before this plane came in: then it can be asked for before it is needed.
  static constexpr bool early(int m) {
    for (int h = 0; h < about.stage[m % about.stages].handles; ++h) {
      const Use& u = about.stage[m % about.stages].use[h];
      if (plan.node[m].reads[h] < 0 || !(u.lo[0] || u.hi[0] || (dim == 3 && (u.lo[1] || u.hi[1])))) continue;
      if (age_of(m, h) - (u.corners && dim > 1 ? u.hi[stream] : 0) < 1) return false;
    }
    return true;
  }
  template <int v> __device__ __forceinline__ void row_from(int k, int other, int n, Real* to) const {
    const Real* from = edge<v>(k, other) + n * facts.width;
#pragma unroll
    for (int i = 0; i < lanes; i += vector) {
      const Vector got = *reinterpret_cast<const Vector*>(from + i);
#pragma unroll
      for (int e = 0; e < vector; ++e) to[i + e] = got.at[e];
    }
  }
  template <int m> __device__ __forceinline__ void fetch(int k, Halo<m>& halo) const {
    using R = Reads<m % about.stages>;
    each<R::handles>([&]<int h>() __attribute__((always_inline)) {
      constexpr Use use = about.stage[m % about.stages].use[h];
      constexpr int v = plan.node[m].reads[h];
      if constexpr (v >= 0) {
        static_assert(dim < 3 || !use.corners, "in 3D a sweep reads along the axes only");
        constexpr int down = use.corners && dim > 1 ? use.lo[stream] : 0, up = use.corners && dim > 1 ? use.hi[stream] : 0;
#pragma unroll
        for (int dk = -down; dk <= up; ++dk)
#pragma unroll
          for (int r = 0; r < rows; ++r) {
            const Real* row = kept[plan.version[v].first + age_of(m, h) - dk][r];
#pragma unroll
            for (int i = 1; i <= use.lo[0]; ++i) halo.left[h][R::oz + dk][r][R::ox - i] = __shfl_up_sync(~0u, row[lanes - i], 1);
#pragma unroll
            for (int i = 0; i < use.hi[0]; ++i) halo.right[h][R::oz + dk][r][i] = __shfl_down_sync(~0u, row[i], 1);
          }
        if constexpr (dim == 3) {
          const int under = warp > 0 ? warp - 1 : 0, over = warp + 1 < tile.warps ? warp + 1 : warp, made = k - age_of(m, h);
          constexpr int all = edge_rows(v);
#pragma unroll
          for (int j = 1; j <= use.lo[1]; ++j) row_from<v>(made, under, all - j, halo.below[h][R::oy - j]);
#pragma unroll
          for (int j = 0; j < use.hi[1]; ++j) row_from<v>(made, over, j, halo.above[h][j]);
        }
      }
    });
  }

  template <int m, Mask mask> __device__ __forceinline__ void apply(int k, const Halo<m>& halo) {
    constexpr int s = m % about.stages;
    using R = Reads<s>;
    using Around = Patch<R::handles, R::nz, R::ny, R::nx, Real>;
    auto& kernel = kernels.template get<s>();
    const int q = k - plan.node[m].lag;
    const unsigned bits = mask == Mask::plane || dim == 1 || (q >= a.changing[s].lo[stream] && q < a.changing[s].hi[stream]) ? changing[s] : 0;
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
                for (int i = 0; i < lanes; ++i) around.at[h][R::oz][R::oy - j][R::ox + i] = r >= j ? plane[r >= j ? r - j : 0][i] : halo.below[h][r >= j ? 0 : R::oy + r - j][i];
#pragma unroll
              for (int j = 1; j <= use.hi[1]; ++j)
#pragma unroll
                for (int i = 0; i < lanes; ++i) around.at[h][R::oz][R::oy + j][R::ox + i] = r + j < rows ? plane[r + j < rows ? r + j : 0][i] : halo.above[h][r + j < rows ? 0 : r + j - rows][i];
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
        SweepPoint<dim, R::oz, R::oy, R::ox, Around, Real> p{{a.g[s], index(0, x + i), index(1, dim == 1 ? 0 : y_of(r, q)), index(2, z_of(q))}, around, written, i};
        kernel(p);
        each<R::handles>([&]<int h>() __attribute__((always_inline)) {
          if constexpr (about.stage[s].use[h].mode != Mode::read) {
            Real now = written[h];
            if constexpr (about.stage[s].integrates) {
              now = static_cast<Real>(a.b[s]) * now;
              now += static_cast<Real>(a.a[s]) * around.at[h][R::oz][R::oy][R::ox + i];
            }
            if constexpr (mask != Mask::none)
              if (!(bits >> (r * lanes + i) & 1)) now = before<m, h>(q, r, i);
            kept[plan.version[plan.node[m].writes[h]].first][r][i] = now;
          }
        });
      }
    }
    finish<m, s>(k, q);
  }
  template <int m, Mask mask> __device__ __forceinline__ void nodes_from(int k, const Halo<m>& halo) {
    if constexpr (m + 1 < plan.nodes) {
      Halo<m + 1> next;
      if constexpr (early(m + 1)) fetch<m + 1>(k, next);
      apply<m, mask>(k, halo);
      if constexpr (!early(m + 1)) fetch<m + 1>(k, next);
      nodes_from<m + 1, mask>(k, next);
    } else apply<m, mask>(k, halo);
  }

  // What an output of a node was: still in a register, or, as it never changes where this is asked for, in memory.
  template <int m, int h> __device__ __forceinline__ Real before(int q, int r, int i) const {
    constexpr int v = plan.node[m].before[h], f = about.stage[m % about.stages].use[h].field;
    if constexpr (v >= 0) return kept[plan.version[v].first + plan.node[m].lag - plan.version[v].lag][r][i];
    else {
      const auto in = [&](int d, int at) { return clamp(at, a.readable.lo[d], a.readable.hi[d] - 1); };
      return static_cast<const Real*>(a.in[f])[place(in(0, x + i), dim > 1 ? in(1, y_of(r, q)) : 0, dim > 2 ? in(2, q) : 0)];
    }
  }
  template <int m, int s> __device__ __forceinline__ void finish(int k, int q) {
    each<about.stage[s].handles>([&]<int h>() __attribute__((always_inline)) {
      if constexpr (about.stage[s].use[h].mode != Mode::read) {
        constexpr int v = plan.node[m].writes[h];
        publish<v>(k);
        if constexpr (plan.version[v].last && about.stored[plan.version[v].field]) store<v>(q);
      }
    });
  }

  int from, to;  // the planes that this thread block stores
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

  template <Mask mask> __device__ __forceinline__ void plane(int k) {
    each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { load<v>(k + tile.ring - 1); });
    end_group();
    each<plan.versions>([&]<int v>() __attribute__((always_inline)) { age<v>(); });
    Halo<0> halo;
    if constexpr (early(0)) fetch<0>(k, halo);
    wait_group<tile.ring - 1>();
    each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { take<v>(k), publish<v>(k); });
    if constexpr (!early(0)) fetch<0>(k, halo);
    nodes_from<0, mask>(k, halo);
    if constexpr (dim == 3 && tile.warps > 1) asm volatile("bar.sync 0;" : : : "memory");  // warps may be in different loops
  }

  template <Mask mask> __device__ __forceinline__ void planes(int& k, int end) {
#pragma unroll 1
    for (; k < end; k += tile.unroll)
#pragma unroll
      for (int n = 0; n < tile.unroll; ++n) plane<mask>(k + n);
  }
  __device__ __forceinline__ void run() {
    // Those at the ends along x first, because they take longest.
    const int column = dim == 1 ? blockIdx.x : blockIdx.y == 0 ? 0 : blockIdx.y == 1 ? gridDim.y - 1 : blockIdx.y - 1;
    const int number = dim == 3 ? column : column * tile.warps + warp;
    x = a.begin[0] + number * facts.inner_x - facts.margin_lo + lane * lanes;
    y = dim == 3 ? a.begin[1] + static_cast<int>(blockIdx.x) * facts.inner_y - lo_y + warp * rows : 0;
    if (dim < 3 && x - lane * lanes + facts.margin_lo >= a.end[0]) return;  // the whole warp
    const int chunk = dim == 3 ? blockIdx.z : dim == 2 ? blockIdx.x : 0;
    const int x0 = x - lane * lanes;
    const auto covers = [&](const Extent& e) { return x0 >= e.lo[0] && x0 + facts.width <= e.hi[0] && (dim < 3 || (y >= e.lo[1] && y + rows <= e.hi[1])); };
    readable = covers(a.readable);
    bool inside = true;
    each<about.stages>([&]<int s>() __attribute__((always_inline)) {
      const Extent& e = a.changing[s];
      inside = inside && covers(e);
      changing[s] = 0;
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int i = 0; i < lanes; ++i) {
          const bool row = dim < 3 || (y + r >= e.lo[1] && y + r < e.hi[1]);
          changing[s] |= row && x + i >= e.lo[0] && x + i < e.hi[0] ? 1U << (r * lanes + i) : 0;
        }
    });
    each<about.fields>([&]<int f>() __attribute__((always_inline)) {
      const Extent& e = a.stored[f];
      storable[f] = x >= e.lo[0] && x + lanes <= e.hi[0] ? 1U << 16 : 0;
      const bool mine = lane * lanes >= facts.margin_lo && lane * lanes < facts.width - facts.margin_hi && x < e.hi[0] && x + lanes > e.lo[0];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int line = warp * rows + r;
        const bool row = dim < 3 || (line >= lo_y && line < facts.height - hi_y && y + r >= e.lo[1] && y + r < e.hi[1]);
        storable[f] |= mine && row ? 1U << r : 0;
      }
    });
    from = dim > 1 ? a.begin[stream] + chunk * a.chunk : 0;
    to = dim > 1 ? (from + a.chunk < a.end[stream] ? from + a.chunk : a.end[stream]) : 1;
#pragma unroll
    for (int n = 0; n < plan.planes; ++n)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int i = 0; i < lanes; ++i) kept[n][r][i] = Real(0);
    const int begin = dim > 1 ? from - lo_stream : 0, end = dim > 1 ? to + lag : 1;
    int first = begin, last = end;  // planes that lie within what changes
    each<about.stages>([&]<int s>() __attribute__((always_inline)) {
      if (dim > 1) first = larger(first, a.changing[s].lo[stream] + lag), last = last < a.changing[s].hi[stream] ? last : a.changing[s].hi[stream];
    });
    if (first > last) first = last = end;
    last = first + (last - first) / tile.unroll * tile.unroll;
#pragma unroll
    for (int n = 0; n < tile.ring - 1; ++n) {
      each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { load<v>(begin + n); });
      end_group();
    }
    int k = begin;
    if constexpr (dim > 1) {
#pragma unroll 1
      for (; k < first; ++k) plane<Mask::all>(k);
    }
    // Unrolled as often as planes move on until they are where they were, so that no register is copied.
    if (inside) planes<Mask::none>(k, last);
    else planes<Mask::plane>(k, last);
    if constexpr (dim > 1) {
#pragma unroll 1
      for (; k < end; ++k) plane<Mask::all>(k);
    }
    wait_group<0>();
  }
};

template <class Prog> __device__ __forceinline__ void run(const Arguments& a, typename Prog::Kernels kernels) {
  extern __shared__ __align__(128) char memory[];
  kernels.number();
  Sweep<Prog> s{a, kernels, memory};
  s.lane = threadIdx.x & 31, s.warp = threadIdx.x >> 5;
  s.run();
}
}  // namespace cereus::sweep
