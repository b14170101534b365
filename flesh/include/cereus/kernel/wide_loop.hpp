// The host's loop over a large kernel: one function for all that is done with its results, several points of a row at a
// time.
#pragma once
#include <array>

#include "host_loop.hpp"
#include "large.hpp"
#include "record.hpp"
#include "wide_faces.hpp"
namespace cereus::detail {
template <class K, int dim, class Real, class Axes = UniformAxes> struct WideLoop {
  static constexpr int handles = handle_count<K>.all, outputs = handle_count<K>.outputs;
  static constexpr int first_output = handles - outputs;
  // Sides and the fluxes between them are chains of divisions and roots.
  static constexpr bool waits = has_sides<K, WidePoint<dim, Real, first_output, Axes>>;
  using Many = std::conditional_t<waits, TwoLanes<Real>, Lanes<Real>>;
  static constexpr int lanes = Many::lanes;
  static_assert(sizeof(Many) <= read_beyond);
  using Wide = WidePoint<dim, Real, first_output, Axes, Many>;
  using Faces = std::conditional_t<shares_faces<K>(), KnownFaces<K, Wide>, NoFaces<K, Wide>>;
  using Point = typename Faces::Point;
  using Loop = HostLoop<K, dim>;

  // The only place where all of the kernel's text is compiled.
  __attribute__((noinline)) static void apply(const K& kernel, Point p) {
    K k = kernel;
    number_handles(k);
    Many slots[slots_of<K, same_type<Axes, MappedAxes>>()];
    p.slots = slots;
    k(p);
  }

  struct Update {  // of an output: `to` = Σ a[s] · from[s] + w · written; or, along outer faces, `plain` = written
    Real *to[outputs], *plain[outputs];
    const Real* from[outputs][Epilogue::max_sources];
    Real a[Epilogue::max_sources], w = 1;
    int sources = 0;
    explicit Update(const Launch& l) {
      for (int o = 0; o < outputs; ++o) to[o] = plain[o] = reinterpret_cast<Real*>(l.address[first_output + o]);
      if (!l.epilogue) return;
      sources = l.epilogue->sources, w = static_cast<Real>(l.epilogue->b);
      for (int s = 0; s < sources; ++s) a[s] = static_cast<Real>(l.epilogue->a[s]);
      for (int o = 0; o < outputs; ++o) {
        char* const* row = l.address + handles + o * Epilogue::addresses;
        to[o] = reinterpret_cast<Real*>(row[0]);
        for (int s = 0; s < sources; ++s) from[o][s] = reinterpret_cast<const Real*>(row[1 + s]);
      }
    }
    // The last vector of a row may end behind it: another thread may be writing there, so points are stored singly. Of
    // those the ones from `first` to `end` are updated.
    void store(const Many* kept, Offset c, int points, int first, int end) const {
      for (int o = 0; o < outputs; ++o)
        if (points < lanes || first > 0 || end < lanes) {
          for (int n = 0; n < points; ++n) {
            if (n < first || n >= end) {
              plain[o][c + n] = kept[o].at(n);
              continue;
            }
            Real sum = Real(-0.);
            for (int s = 0; s < sources; ++s) sum = sum + a[s] * from[o][s][c + n];
            to[o][c + n] = sum + w * kept[o].at(n);
          }
        } else {
          Many sum = Real(-0.);
          for (int s = 0; s < sources; ++s) sum = sum + a[s] * Many::load(from[o][s] + c);
          sum = sum + w * kept[o];
          sum.store(to[o] + c);
        }
    }
  };

  // Of a row the points that are updated.
  static std::array<int, 2> updated(const Launch& launch, const BlockLaunch& b, int j, int l) {
    if (!launch.epilogue || !launch.epilogue->partial) return {b.lo[0], b.hi[0] + lanes};
    const bool in = j >= b.updated_lo[1] && j < b.updated_hi[1] && l >= b.updated_lo[2] && l < b.updated_hi[2];
    return {b.updated_lo[0], in ? b.updated_hi[0] : b.updated_lo[0]};
  }

  static constexpr Offset serial = 64;  // points for which a team costs more than it saves
  static void launch(const void* kernel, const Launch& launch) { Loop::share(part, kernel, launch, serial); }
  static void part(const void* kernel, const Launch& launch, int thread, int threads) {
    const K& k = *static_cast<const K*>(kernel);
    const Update update(launch);
    char* address[handles];
    for (int h = 0; h < handles; ++h) address[h] = launch.address[h];
    for (int n = 0; n < launch.list.n_blocks; ++n) {
      const BlockLaunch& b = launch.list.blocks[n];
      const Geometry& g = launch.geometry[b.geometry];
      Faces faces(b, launch.tile_rows);
      const auto at = [&](int i, int j, int l) {
        return Wide{{g, i, j, l}, address, Loop::row_start(b, launch.stride, j, l) + i, launch.stride[1],
            launch.stride[2], nullptr, nullptr};
      };
      for_each_row(b, launch.tile_rows, threads, thread, [&](int j, int l) {
        const Offset c = Loop::row_start(b, launch.stride, j, l);
        const auto [first, end] = updated(launch, b, j, l);
        faces.begin_row(k, j, l, at);
        for (int i = b.lo[0]; i < b.hi[0]; i += lanes) {
          Many kept[outputs];
          Wide p = at(i, j, l);
          p.kept = kept;
          apply(k, faces.point(p, (i - b.lo[0]) / lanes));
          update.store(kept, c + i, min(lanes, b.hi[0] - i), first - i, end - i);
        }
        if (launch.epilogue && launch.epilogue->pushed) push_row(update.to, outputs, *launch.epilogue, b, c, j, l);
      });
    }
  }
};

// What a large kernel says that it reads.
template <class K> void record_declared(const void*, Recording* list) {
  constexpr int handles = handle_count<K>.all, inputs = handles - handle_count<K>.outputs;
  static_assert(sizeof(K::reads) / sizeof(Reads) == inputs, "`reads` has an entry for each handle that only reads");
  for (int h = 0; h < handles; ++h) list[h] = {}, list[h].written = h >= inputs;
  for (int h = 0; h < inputs; ++h) {
    const Reads& r = K::reads[h];
    list[h].corners = r.corners;
    for (int d = 0; d < 3; ++d) {
      list[h].lo[d] = list[h].hi[d] = r.along[d];
      list[h].reach = max(list[h].reach, r.along[d]);
    }
  }
}
}  // namespace cereus::detail
