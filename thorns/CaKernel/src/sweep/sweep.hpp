// A sweep: several steps of a program in one go through memory. A warp holds a few rows of a tile, a vector of points a
// lane; planes (in 2D rows) come in through a ring in shared memory, and of each version of a field those that are
// still needed stay in registers. Neighbours along x come from other lanes, along y from other warps, through shared
// memory. Tiles overlap by what the steps eat from their edges. In 1D there is no plane to come: all is there at once.
// Compiled late, with the program, the number of steps and the tile as constants.
#pragma once
#include "nodes.hpp"
namespace cereus::sweep {
template <class Prog> struct Sweep : Nodes<Prog> {
  using N = Nodes<Prog>;
  using Real = typename N::Real;
  using N::a, N::about, N::dim, N::facts, N::kept, N::lag, N::lane, N::lanes, N::lo_stream, N::lo_y, N::hi_y, N::plan,
      N::readable, N::rows, N::stream, N::tile, N::warp, N::x, N::y;
  using N::changing, N::early, N::from, N::storable, N::to;

  template <Mask mask> __device__ __forceinline__ void plane(int k) {
    each<plan.loaded>([&]<int v>() __attribute__((always_inline)) { this->template load<v>(k + tile.ring - 1); });
    end_group();
    each<plan.versions>([&]<int v>() __attribute__((always_inline)) { this->template age<v>(); });
    typename N::template Halo<0> halo;
    if constexpr (early(0)) this->template fetch<0>(k, halo);
    wait_group<tile.ring - 1>();
    each<plan.loaded>([&]<int v>()
            __attribute__((always_inline)) { this->template take<v>(k), this->template publish<v>(k); });
    if constexpr (!early(0)) this->template fetch<0>(k, halo);
    this->template nodes_from<0, mask>(k, halo);
    if constexpr (dim == 3 && tile.warps > 1)
      asm volatile("bar.sync 0;" : : : "memory");  // warps may be in different loops
  }

  template <Mask mask> __device__ __forceinline__ void planes(int& k, int end) {
#pragma unroll 1
    for (; k < end; k += tile.unroll)
#pragma unroll
      for (int n = 0; n < tile.unroll; ++n) plane<mask>(k + n);
  }

  // The tile of this thread block and warp: its first point and row, its march, and the rows at its edges that are
  // wrong at the end; beside an outer face none is.
  struct Place {
    int x0, y0, begin, length, below, above;
  };
  // Long marches first; and those at the ends along x, because they take longest.
  __device__ __forceinline__ Place find_place() const {
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
    return {x0, y0, dim > 1 ? a.begin[stream] + part * length : 0, length, column_y == 0 && a.spare[0] ? 0 : lo_y,
        a.spare[1] && y0 + facts.height - hi_y + a.spare[1] >= a.end[1] ? 0 : hi_y};
  }

  // Notes which points of this thread change and which are stored. Returns whether all of the warp change.
  __device__ __forceinline__ bool mask(const Place& p) {
    const auto covers = [&](const Extent& e) {
      return p.x0 >= e.lo[0] && p.x0 + facts.width <= e.hi[0] && (dim < 3 || (y >= e.lo[1] && y + rows <= e.hi[1]));
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
            dim < 3 || (line >= p.below && line < facts.height - p.above && y + r >= e.lo[1] && y + r < e.hi[1]);
        storable[f] |= mine && row ? 1U << r : 0;
      }
    });
    return inside;
  }

  __device__ __forceinline__ void run() {
    const Place p = find_place();
    x = p.x0 + lane * lanes, y = dim == 3 ? p.y0 + warp * rows : 0;
    if (dim < 3 && p.x0 + facts.margin_lo >= a.end[0]) return;  // the whole warp
    const bool inside = mask(p);
    from = p.begin, to = dim > 1 ? (from + p.length < a.end[stream] ? from + p.length : a.end[stream]) : 1;
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
  Sweep<Prog> s{{{{a, kernels, memory}}}};
  s.lane = threadIdx.x & 31, s.warp = threadIdx.x >> 5;
  s.run();
}
}  // namespace cereus::sweep
