// A whole step of an integrator in one sweep, by levels (level_plan.hpp). A state that is computed
// pointwise is recomputed at neighbour offsets instead of stored; hence RK4 of a wave needs two levels, not four.
// Planes of what neighbours are read of lie in shared memory; what is read at a point alone waits in registers. Of a
// kernel only the outputs that are asked for are used, and compilers drop the rest: were something asked for that is
// not there, it would not compile.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>

#include "level_planes.hpp"
namespace cereus::sweep {
// Where the kernel stands that makes state n + 1 at level l: at an offset from a point of a thread.
template <class At, int l, int n, int ox, int oy, int oz> struct LevelPoint : Place<3> {
  using Real = typename At::Real;
  const At& at;
  const typename At::Made& made;
  int row, lane;
  Real* rates;
  template <class R, class Reach> CEREUS_KERNEL R operator()(In<R, Reach> v) const {
    return at.template read<l, n, ox, oy, oz, 0, 0, 0>(v.n, made, row, lane);
  }
  CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const { return {rates[v.n]}; }
  template <int i, int j, int k, class R, class Reach> CEREUS_KERNEL R neighbour(In<R, Reach> v) const {
    return at.template read<l, n, ox, oy, oz, i, j, k>(v.n, made, row, lane);
  }
};

// What a thread makes of its planes. `masked`: points may lie outside of what changes.
template <class Prog, bool masked> struct LevelThread : LevelPlanes<Prog> {
  using P = LevelPlanes<Prog>;
  using Real = typename P::Real;
  using Vector = typename P::Vector;
  using P::a, P::at_least_one, P::facts, P::lanes, P::load, P::old, P::rows, P::shape, P::slot, P::x, P::y, P::z;
  static constexpr Program about = P::about;  // g++ 12 loses what `using` names in lambdas that are templates
  static constexpr Levels plan = P::plan;
  static constexpr Chain chain = chain_of(Prog::about);
  static constexpr int handles = about.stage[0].handles;
  struct Made {  // of one row, at one level
    Vector at[1 + most_substeps][about.fields];
  };

  typename Prog::Kernels& kernels;
  unsigned storable[about.fields];  // rows (bits) that are stored; from bit 16 on, those of which some points are
  int first, last;                  // planes that are stored
  Vector wait[at_least_one(plan.items)][plan.step][rows];

  template <int l, int n, int i, int j, int k, int di, int dj, int dk>
  CEREUS_KERNEL Real read(int handle, const Made& made, int row, int lane) const {
    Real value{};
    for_each_number<handles>([&]<int h>() __attribute__((always_inline)) {
      constexpr Use u = about.stage[0].use[h];
      constexpr bool near =
          -di <= u.lo[0] && di <= u.hi[0] && -dj <= u.lo[1] && dj <= u.hi[1] && -dk <= u.lo[2] && dk <= u.hi[2];
      if constexpr (u.mode == Mode::read && near)
        if (handle == h) value = state<l, n, u.field, i + di, j + dj, k + dk>(made, row, lane);
    });
    return value;
  }
  // State n of a field at an offset, as level l can have it.
  template <int l, int n, int f, int i, int j, int k>
  CEREUS_KERNEL Real state(const Made& made, int row, int lane) const {
    constexpr int away = (i != 0) + (j != 0) + (k != 0), level = plan.level[n][f], v = plan.version[n][f];
    constexpr bool here = away == 0;
    if constexpr (away > 1 || !P::reached(i, j, k)) return unavailable<Real>();
    else if constexpr (output_of(about, f) < 0) return this->template constant<l, i, j, k>(f, row, lane);
    else if constexpr (here && n > 0 && level == l) return made.at[n][f].at[lane];
    else if constexpr (v >= 0 && level == l - 1) return this->template version<v, i, j, k>(row, lane);
    else if constexpr (here && n == 0 && plan.recalls[l][f]) return old[f].at[lane];
    else if constexpr (n > 0 && level == 0) return updated<l, n, f, i, j, k>(made, row, lane);
    else if constexpr (here && level < l && plan.item[l - 1][n][f] >= 0)
      return wait[plan.item[l - 1][n][f]][plan.step - 1][row].at[lane];
    else return unavailable<Real>();
  }
  // The sum of the first `count` sources of state n, of which a part may have waited.
  template <int l, int n, int f, int count, int i, int j, int k>
  CEREUS_KERNEL Real sum_of_sources(const Made& made, int row, int lane) const {
    constexpr bool waited = i == 0 && j == 0 && k == 0 && l > 0 && plan.sum[l - 1][n][f] >= 0;
    constexpr int begin = waited ? plan.sources[l - 1][n][f] : 0;
    Real sum = Real(-0.);
    if constexpr (waited) sum = wait[plan.sum[l - 1][n][f]][plan.step - 1][row].at[lane];
    for_each_number<count - begin>([&]<int s>() __attribute__((always_inline)) {
      constexpr Real factor = static_cast<Real>(about.substep[n - 1].factor[begin + s]);
      sum += factor * state<l, chain.source[n - 1][begin + s], f, i, j, k>(made, row, lane);
    });
    return sum;
  }
  CEREUS_KERNEL int index(int axis, int local) const {
    const int n = a.first[axis] + local, lo = a.period.lo[axis], hi = a.period.hi[axis];
    return n < lo ? n + hi - lo : n >= hi ? n - hi + lo : n;
  }
  CEREUS_KERNEL bool changes(int i, int j, int k) const {
    const Extent& e = a.changing[0];
    return i >= e.lo[0] && i < e.hi[0] && j >= e.lo[1] && j < e.hi[1] && k >= e.lo[2] && k < e.hi[2];
  }
  template <int l, int n, int i, int j, int k>
  CEREUS_KERNEL void apply(Real* rates, const Made& made, int row, int lane) const {
    LevelPoint<LevelThread, l, n - 1, i, j, k> p{
        {a.g[0], index(0, x + lane + i), index(1, y + row + j), index(2, this->template plane_of<l>() + k)}, *this,
        made, row, lane, rates};
    auto kernel = kernels.template get<0>();
    detail::number_handles(kernel);  // here, so that compilers see the numbers at once
    kernel(p);
  }
  template <int l, int n, int f, int i, int j, int k>
  CEREUS_KERNEL Real from_rate(Real rate, const Made& made, int row, int lane) const {
    if constexpr (masked)
      if (!changes(x + lane + i, y + row + j, this->template plane_of<l>() + k))
        return state<l, 0, f, i, j, k>(made, row, lane);
    return sum_of_sources<l, n, f, about.substep[n - 1].sources, i, j, k>(made, row, lane) +
           static_cast<Real>(a.b[n - 1]) * rate;
  }
  template <int l, int n, int f, int i, int j, int k>
  CEREUS_KERNEL Real updated(const Made& made, int row, int lane) const {
    Real rates[handles];
    apply<l, n, i, j, k>(rates, made, row, lane);
    return from_rate<l, n, f, i, j, k>(rates[output_of(about, f)], made, row, lane);
  }

  // All states of level l in a row.
  template <int l> CEREUS_KERNEL void make(Made& made, int row) const {
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane)
      for_each_number<about.substeps>([&]<int m>() __attribute__((always_inline)) {
        constexpr int n = m + 1;
        Real rates[handles];
        apply<l, n, 0, 0, 0>(rates, made, row, lane);
        for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
          if constexpr (output_of(about, f) >= 0 && plan.level[n][f] == l)
            made.at[n][f].at[lane] = from_rate<l, n, f, 0, 0, 0>(rates[output_of(about, f)], made, row, lane);
        });
      });
  }
  // Calls visit<n, f> for states of a level.
  template <int l, class F> CEREUS_KERNEL static void each_of_level(F&& visit) {
    for_each_number<about.substeps + 1>([&]<int n>() __attribute__((always_inline)) {
      for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
        if constexpr (output_of(about, f) >= 0 && plan.level[n][f] == l && (n > 0) == (l > 0))
          visit.template operator()<n, f>();
      });
    });
  }
  template <int f> CEREUS_KERNEL void store(int plane, const Vector& made, int row) const {
    const unsigned mine = plane >= first && plane < last ? storable[f] : 0;
    Real* const to = static_cast<Real*>(a.out[f]) + x + (y + row) * Prog::row + plane * Prog::plane;
    put_vector_if(mine >> row & 1, to, made);
    if constexpr (about.ragged)
#pragma unroll
      for (int lane = 0; lane < lanes; ++lane)
        put_if((mine >> (16 + row) & 1) && x + lane >= a.stored[f].lo[0] && x + lane < a.stored[f].hi[0], to + lane,
            made.at[lane]);
  }
  // What the next level will find here, in the planes and among what waits.
  template <int l>
  CEREUS_KERNEL void hand_on(const Made& made, Vector (&next)[at_least_one(plan.items)][rows], int row) {
    this->template keep_below<l>(row);
    each_of_level<l>([&]<int n, int f>() __attribute__((always_inline)) {
      if constexpr (plan.version[n][f] >= 0) this->template share<plan.version[n][f]>(made.at[n][f], row);
    });
    for_each_number<about.substeps + 1>([&]<int n>() __attribute__((always_inline)) {
      for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
          if constexpr (plan.item[l][n][f] >= 0)
            next[plan.item[l][n][f]][row].at[lane] = state<l, n, f, 0, 0, 0>(made, row, lane);
          if constexpr (plan.sum[l][n][f] >= 0)
            next[plan.sum[l][n][f]][row].at[lane] =
                sum_of_sources<l, n, f, plan.sources[l][n][f], 0, 0, 0>(made, row, lane);
        }
      });
    });
  }
  // Level l takes a step, row by row.
  template <int l> CEREUS_KERNEL void advance(Vector (&next)[at_least_one(plan.items)][rows]) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      Made made;
      this->template look_around<l>(row);
      if constexpr (l == 1) load(z + 1, slot[0][plan.step + 1], row);
      make<l>(made, row);
      this->template age_below<l - 1>(row);
      each_of_level<l>([&]<int n, int f>() __attribute__((always_inline)) {
        if constexpr (n == about.substeps) store<f>(this->template plane_of<l>(), made.at[n][f], row);
      });
      if constexpr (l < plan.levels) hand_on<l>(made, next, row);
    }
  }
  CEREUS_KERNEL void plane() {  // one more
    Vector next[at_least_one(plan.items)][rows];
    for_each_number<plan.levels>([&]<int l>() __attribute__((always_inline)) { advance<l + 1>(next); });
    move_on(next);
  }
  CEREUS_KERNEL void move_on(const Vector (&next)[at_least_one(plan.items)][rows]) {
    constexpr int items = plan.items, step = plan.step;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
#pragma unroll
      for (int n = 0; n < items; ++n) {
#pragma unroll
        for (int d = step - 1; d > 0; --d) wait[n][d][row] = wait[n][d - 1][row];
        wait[n][0][row] = next[n][row];
      }
    }
    P::move_up();
  }

  // Takes its place in a tile.
  CEREUS_KERNEL void begin(char* all, int thread, int column) {
    constexpr int margin_lo = facts.lo[1], margin_hi = facts.hi[1];
    const int in_x = thread % shape.columns * lanes, in_y = thread / shape.columns * rows;
    P::take_place(all, in_x, in_y, column);
    const bool mine = in_x >= facts.margin_lo && in_x < facts.width - facts.margin_hi;
    for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
      const Extent& e = a.stored[f];
      storable[f] = 0;
      const int shift = x >= e.lo[0] && x + lanes <= e.hi[0] ? 0 : 16;
#pragma unroll
      for (int row = 0; row < rows; ++row) {
        const int line = in_y + row;
        if (mine && x + lanes > e.lo[0] && x < e.hi[0] && line >= margin_lo && line < facts.height - margin_hi &&
            y + row >= e.lo[1] && y + row < e.hi[1])
          storable[f] |= 1U << (shift + row);
      }
    });
  }
  CEREUS_KERNEL void start(int first_plane, int last_plane) {
    constexpr int margin = facts.lo[2];
    first = first_plane, last = last_plane, z = first - margin;
#pragma unroll
    for (int row = 0; row < rows; ++row) load(z, slot[0][plan.step], row);
  }
};

#ifdef __CUDACC__
template <class Prog, bool masked>
__device__ __forceinline__ void sweep_levels(const Arguments& a, typename Prog::Kernels& kernels, char* memory) {
  using Thread = LevelThread<Prog, masked>;
  constexpr int threads = Thread::shape.columns * (Thread::shape.height / Thread::rows);
  if (threadIdx.x >= threads) return;
  // Planes of all columns of tiles are dealt out evenly.
  const int planes = a.end[2] - a.begin[2];
  const long long all = static_cast<long long>(a.columns[0] * a.columns[1]) * planes;
  const int end = static_cast<int>(all * (blockIdx.x + 1) / gridDim.x);
#pragma unroll 1
  for (int at = static_cast<int>(all * blockIdx.x / gridDim.x); at < end;) {
    const int first = at % planes, count = end - at < planes - first ? end - at : planes - first;
    Thread t{{a}, kernels};
    t.begin(memory, static_cast<int>(threadIdx.x), at / planes);
    __syncthreads();
    t.start(a.begin[2] + first, a.begin[2] + first + count);
    const int stop = t.last + Thread::facts.lag;
#pragma unroll 1
    while (t.z < stop)
#pragma unroll
      for (int n = 0; n < Thread::tile.unroll; ++n) {
        all_brought();
        __syncthreads();
        t.plane();
      }
    all_brought();
    at += count;
  }
}
template <class Prog> __device__ __forceinline__ void run_levels(const Arguments& a, typename Prog::Kernels kernels) {
  extern __shared__ __align__(128) char memory[];
  sweep_levels<Prog, Prog::about.faces>(a, kernels, memory);
}
#endif
}  // namespace cereus::sweep
