// The host's loop over a kernel: OpenMP over cache blocks, SIMD along rows.
// Handles, addresses and geometry are copied into each thread: through a reference the compiler must assume that a
// write changes them, and nothing vectorises.
#pragma once
#include <omp.h>

#include "member.hpp"
#include "point.hpp"
#include "record.hpp"
#include "reduce.hpp"
#include "row_sum.hpp"
namespace cereus::detail {
inline int host_threads() { return omp_get_max_threads(); }
constexpr Offset serial_below = 8192;  // points: a team costs more than it saves

// Calls row(block, j, k) for all rows of all blocks; threads share planes, and each walks cache blocks of rows in k.
template <class Row> void for_each_row(const BlockLaunch& b, int tile_rows, int threads, int thread, Row&& row) {
  const int nj = b.hi[1] - b.lo[1], nk = b.hi[2] - b.lo[2];
  if (nj <= 0 || nk <= 0) return;
  const bool split_k = nk >= threads;  // flat blocks (and 2D, 1D) are shared along j instead
  auto share = [&](int n, int part) { return static_cast<int>(static_cast<Offset>(n) * part / threads); };
  const int k0 = b.lo[2] + (split_k ? share(nk, thread) : 0), k1 = b.lo[2] + (split_k ? share(nk, thread + 1) : nk);
  const int j0 = b.lo[1] + (split_k ? 0 : share(nj, thread)), j1 = b.lo[1] + (split_k ? nj : share(nj, thread + 1));
  const int step = tile_rows > 0 ? tile_rows : (j1 > j0 ? j1 - j0 : 1);
  for (int jj = j0; jj < j1; jj += step)
    for (int k = k0; k < k1; ++k)
      for (int j = jj; j < (jj + step < j1 ? jj + step : j1); ++j) row(j, k);
}

template <class K, class P> inline constexpr bool callable = requires(K& k, P& p) { k(p); };

template <class K, int dim> struct HostLoop {
  static_assert(callable<const K, DirectPoint<dim>> || !callable<K, DirectPoint<dim>>,
      "a kernel's operator() is const: CEREUS_KERNEL void operator()(auto& p) const { … }");
  static constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs;
  static constexpr int first_output = handles - outputs;
  static const K& some_kernel();
  static DirectPoint<dim>& some_point();
  using Value = decltype(some_kernel()(some_point()));
  static constexpr bool reduces = !same_type<Value, void>;

  static bool worth_a_team(const BlockList& l, Offset least) {
    Offset n = 0;
    for (int b = 0; b < l.n_blocks && n < least; ++b) {
      Offset m = 1;
      for (int d = 0; d < 3; ++d)
        m *= l.blocks[b].hi[d] > l.blocks[b].lo[d] ? l.blocks[b].hi[d] - l.blocks[b].lo[d] : 0;
      n += m;
    }
    return n >= least;
  }
  // Elements from the first point of a slab to the point (0, j, k), whether or not the block has it.
  static Offset row_start(const BlockLaunch& b, const Offset* stride, int j, int k) {
    return b.at + (j - b.first[1]) * stride[1] + (k - b.first[2]) * stride[2] - b.first[0];
  }

  // A function, not the body of the loop: a local of the loop's body would become an array over SIMD lanes.
  template <class Axes>
  CEREUS_KERNEL static auto apply(
      const K& k, const Geometry& g, char* const* address, int i, int j, int l, Offset c, Offset sj, Offset sk) {
    DirectPoint<dim, Axes> p{{g, i, j, l}, address, c, sj, sk};
    return k(p);
  }

  // Calls part(kernel, launch, thread, threads) in a team; without one where it costs more than it saves, for fewer
  // than so many points, or where one is at work.
  template <class Part>
  static void share(Part part, const void* kernel, const Launch& launch, Offset least = serial_below) {
    const int threads = omp_in_parallel() || !worth_a_team(launch.list, least) ? 1 : host_threads();
    if (threads == 1) return part(kernel, launch, 0, 1);
#pragma omp parallel num_threads(threads)
    part(kernel, launch, omp_get_thread_num(), threads);
  }

  template <class Axes> static void direct(const void* kernel, const Launch& launch) {
    share(direct_part<Axes>, kernel, launch);
  }
  template <class Axes>
  __attribute__((noinline)) static void direct_part(const void* kernel, const Launch& launch, int thread, int threads) {
    K k = *static_cast<const K*>(kernel);
    number_handles(k);
    char* address[handles];
    for (int h = 0; h < handles; ++h) address[h] = launch.address[h];
    const Offset sj = launch.stride[1], sk = launch.stride[2];
    for (int n = 0; n < launch.list.n_blocks; ++n) {
      const BlockLaunch& b = launch.list.blocks[n];
      const Geometry g = launch.geometry[b.geometry];
      const int i0 = b.lo[0], i1 = b.hi[0];
      if constexpr (reduces) {
        Value sum = Value::identity();
        for_each_row(b, launch.tile_rows, threads, thread, [&](int j, int l) {
          const Offset c = row_start(b, launch.stride, j, l);
          for (int i = i0; i < i1; ++i) sum.combine(apply<Axes>(k, g, address, i, j, l, c + i, sj, sk));
        });
#pragma omp critical(cereus_reduce)
        static_cast<Value*>(launch.result)->combine(sum);
      } else {
        for_each_row(
            b, launch.tile_rows, threads, thread, [&](int j, int l) __attribute__((always_inline)) {
              const Offset c = row_start(b, launch.stride, j, l);
#pragma omp simd
              for (int i = i0; i < i1; ++i) apply<Axes>(k, g, address, i, j, l, c + i, sj, sk);
            });
      }
    }
  }

  // Folds and values, not loops, lambdas or references: only then does g++ keep what is written in registers.
  template <class Real, class Axes> struct Targets {
    Real* to[outputs];
    const Real* from[outputs];
    Real a, w;
    template <int... o> CEREUS_KERNEL void store(const Real* written, Offset c, ints<o...>) const {
      ((to[o][c] = Real(-0.) + a * from[o][c] + w * written[o]), ...);
    }
    CEREUS_KERNEL void apply(const K& k, const Geometry& g, char* const* address, int i, int j, int l, Offset c,
        Offset sj, Offset sk) const {
      Real kept[outputs];
      if constexpr (!may_record<K>())  // nobody has checked that all are written
        for (Real& x : kept) x = Real(__builtin_nan(""));
      FusedPoint<dim, Real, first_output, Axes> p{{{g, i, j, l}, address, c, sj, sk}, kept};
      k(p);
      store(kept, c, typename count_up<outputs>::type{});
    }
  };

  template <class Real, class Axes> static void fused(const void* kernel, const Launch& launch) {
    share(fused_part<Real, Axes>, kernel, launch);
  }
  template <class Real, class Axes>
  __attribute__((noinline)) static void fused_part(const void* kernel, const Launch& launch, int thread, int threads) {
    K k = *static_cast<const K*>(kernel);
    number_handles(k);
    const Epilogue& e = *launch.epilogue;
    char* const* places = launch.address + handles;
    RowSums<Real, outputs> sums(places, e);
    Targets<Real, Axes> t{{}, {}, static_cast<Real>(sums.weight()), static_cast<Real>(e.b)};
    for (int o = 0; o < outputs; ++o) {
      t.to[o] = reinterpret_cast<Real*>(places[o * Epilogue::addresses]);
      if (!sums.needed()) t.from[o] = reinterpret_cast<const Real*>(places[o * Epilogue::addresses + 1]);
    }
    char* address[first_output + 1];
    for (int h = 0; h < first_output; ++h) address[h] = launch.address[h];
    const Offset sj = launch.stride[1], sk = launch.stride[2];
    for (int n = 0; n < launch.list.n_blocks; ++n) {
      const BlockLaunch& b = launch.list.blocks[n];
      const Geometry g = launch.geometry[b.geometry];
      const int length = sums.needed() ? sums.length() : b.hi[0] - b.lo[0];
      for_each_row(
          b, launch.tile_rows, threads, thread, [&](int j, int l) __attribute__((always_inline)) {
            const Offset c = row_start(b, launch.stride, j, l);
            for (int from = b.lo[0]; from < b.hi[0]; from += length) {
              const int end = min(from + length, b.hi[0]);
              if (sums.needed()) {
                sums.make(c + from, end - from);
                for (int o = 0; o < outputs; ++o) t.from[o] = sums.row(o) - c - from;
              }
#pragma omp simd
              for (int i = from; i < end; ++i) t.apply(k, g, address, i, j, l, c + i, sj, sk);
            }
            if (e.pushed) push_row(t.to, outputs, e, b, c, j, l);
          });
    }
  }
};
}  // namespace cereus::detail
