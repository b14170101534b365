// A sweep: several steps of a program in one go through memory. A warp holds a few rows of a tile, a vector of points a
// lane; planes (in 2D rows) come in through a ring in shared memory, and of each version of a field those that are
// still needed stay in registers. Neighbours along x come from other lanes, along y from other warps, through shared
// memory. Tiles overlap by what the steps eat from their edges. In 1D there is no plane to come: all is there at once.
// Compiled late, with the program, the number of steps and the tile as constants.
#pragma once
#include "halo.hpp"
#include "point.hpp"
namespace cereus::sweep {
enum class Mask {
  none,
  plane,
  all
};  // whether points may lie outside of what changes: none, along x and y, along all axes

// What a kernel writes is a number from here on. The compiler would take it apart where it is read, and keep more:
// three steps of t + c Δt spilled 236 bytes a thread, and spill 48.
template <class Real> __device__ __forceinline__ void settle(Real& x) {
  if constexpr (sizeof(Real) == 8) asm("" : "+d"(x));
  else asm("" : "+f"(x));
}

template <class Prog> struct Sweep : Halos<Prog> {
  using H = Halos<Prog>;
  using Real = typename H::Real;
  using Vector = typename H::Vector;
  using H::a, H::about, H::dim, H::facts, H::kept, H::kernels, H::lag, H::lane, H::lanes, H::lo_stream, H::lo_y,
      H::hi_y, H::plan, H::readable, H::rows, H::stream, H::tile, H::vector, H::warp, H::x, H::y;
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

  template <Mask mask> __device__ __forceinline__ void plane(int k) {
    each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { this->template load<v>(k + tile.ring - 1); });
    end_group();
    each<plan.versions>([&]<int v>() __attribute__((always_inline)) { this->template age<v>(); });
    Halo<0> halo;
    if constexpr (early(0)) this->template fetch<0>(k, halo);
    wait_group<tile.ring - 1>();
    each<plan.loaded>([&]<int v>()
            __attribute__((always_inline)) { this->template take<v>(k), this->template publish<v>(k); });
    if constexpr (!early(0)) this->template fetch<0>(k, halo);
    nodes_from<0, mask>(k, halo);
    if constexpr (dim == 3 && tile.warps > 1)
      asm volatile("bar.sync 0;" : : : "memory");  // warps may be in different loops
  }

  template <Mask mask> __device__ __forceinline__ void planes(int& k, int end) {
#pragma unroll 1
    for (; k < end; k += tile.unroll)
#pragma unroll
      for (int n = 0; n < tile.unroll; ++n) plane<mask>(k + n);
  }
  __device__ __forceinline__ void run() {
    // Long marches first; and those at the ends along x, because they take longest.
    const March& march = a.march;
    const int block = blockIdx.x,
              longs = dim == 3 ? march.whole * pieces(a.end[stream] - a.begin[stream], march.planes) : 0;
    const bool is_long = block < longs;
    const int others = max(1, a.columns[0] * a.columns[1] - march.whole), length = is_long ? march.planes : march.rest;
    const int place = is_long ? block % march.whole : march.whole + (block - longs) % others;
    const int part = dim == 1 ? 0 : dim == 2 ? block : is_long ? block / march.whole : (block - longs) / others;
    const int column_y = dim == 3 ? place % a.columns[1] : 0, turn = dim == 3   ? place / a.columns[1]
                                                                     : dim == 2 ? blockIdx.y
                                                                                : blockIdx.x;
    const int column = turn == 0 ? 0 : turn == 1 ? a.columns[0] - 1 : turn - 1;
    const int number = dim == 3 ? column : column * tile.warps + warp;
    const int x0 = a.begin[0] + number * facts.inner_x -
                   facts.margin_lo;  // whole sectors: shifted by less, stores would split them
    const int y0 = dim == 3 ? a.begin[1] + a.spare[0] + column_y * facts.inner_y - lo_y : 0;
    x = x0 + lane * lanes, y = dim == 3 ? y0 + warp * rows : 0;
    if (dim < 3 && x0 + facts.margin_lo >= a.end[0]) return;  // the whole warp
    // Beside an outer face all rows are right.
    const int below = column_y == 0 && a.spare[0] ? 0 : lo_y,
              above = a.spare[1] && y0 + facts.height - hi_y + a.spare[1] >= a.end[1] ? 0 : hi_y;
    const auto covers = [&](const Extent& e) {
      return x0 >= e.lo[0] && x0 + facts.width <= e.hi[0] && (dim < 3 || (y >= e.lo[1] && y + rows <= e.hi[1]));
    };
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
      const bool mine = lane * lanes >= facts.margin_lo && lane * lanes < facts.width - facts.margin_hi &&
                        x < e.hi[0] && x + lanes > e.lo[0];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int line = warp * rows + r;
        const bool row =
            dim < 3 || (line >= below && line < facts.height - above && y + r >= e.lo[1] && y + r < e.hi[1]);
        storable[f] |= mine && row ? 1U << r : 0;
      }
    });
    from = dim > 1 ? a.begin[stream] + part * length : 0;
    to = dim > 1 ? (from + length < a.end[stream] ? from + length : a.end[stream]) : 1;
#pragma unroll
    for (int n = 0; n < plan.planes; ++n)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int i = 0; i < lanes; ++i) kept[n][r][i] = Real(0);
    const int begin = dim > 1 ? from - lo_stream : 0, end = dim > 1 ? to + lag : 1;
    int first = begin, last = end;  // planes that lie within what changes
    each<about.stages>([&]<int s>() __attribute__((always_inline)) {
      if (dim > 1)
        first = max(first, a.changing[s].lo[stream] + lag),
        last = last < a.changing[s].hi[stream] ? last : a.changing[s].hi[stream];
    });
    if (first > last) first = last = end;
    last = first + (last - first) / tile.unroll * tile.unroll;
#pragma unroll
    for (int n = 0; n < tile.ring - 1; ++n) {
      each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { this->template load<v>(begin + n); });
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
  Sweep<Prog> s{{{a, kernels, memory}}};
  s.lane = threadIdx.x & 31, s.warp = threadIdx.x >> 5;
  s.run();
}
}  // namespace cereus::sweep
