// What a stage of a sweep reads beyond a lane's own points: from other lanes along x, from other warps along y.
#pragma once
#include "planes.hpp"
namespace cereus::sweep {
template <class Prog> struct Halos : Planes<Prog> {
  using P = Planes<Prog>;
  using Real = typename P::Real;
  using P::about, P::dim, P::kept, P::lanes, P::plan, P::rows, P::stream, P::tile, P::warp;

  // How far a stage reads at most, and the box around a point that follows.
  template <int s> struct Reads {
    static constexpr int most(int d, bool up) {
      int n = 0;
      for (int h = 0; h < about.stage[s].handles; ++h)
        n = max(n, up ? about.stage[s].use[h].hi[d] : about.stage[s].use[h].lo[d]);
      return n;
    }
    static constexpr int handles = about.stage[s].handles;
    static constexpr int oz = dim > 1 ? most(stream, false) : 0, oy = dim == 3 ? most(1, false) : 0,
                         ox = most(0, false);
    static constexpr int nz = oz + 1 + (dim > 1 ? most(stream, true) : 0), ny = oy + 1 + (dim == 3 ? most(1, true) : 0),
                         nx = ox + lanes + most(0, true);
  };
  static constexpr int age_of(int m, int h) {
    return plan.node[m].lag - plan.version[plan.node[m].reads[h]].lag;
  }  // of the plane of a node's points

  // What a node needs of other lanes and warps.
  template <int m> struct Halo {
    using R = Reads<m % about.stages>;
    static constexpr int at_least_one(int n) { return n > 0 ? n : 1; }
    Real left[R::handles][R::nz][rows][at_least_one(R::ox)],
        right[R::handles][R::nz][rows][at_least_one(R::nx - lanes - R::ox)];
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
  template <int m> __device__ __forceinline__ void fetch(int k, Halo<m>& halo) const {
    using R = Reads<m % about.stages>;
    each<R::handles>([&]<int h>() __attribute__((always_inline)) {
      constexpr Use use = about.stage[m % about.stages].use[h];
      constexpr int v = plan.node[m].reads[h];
      if constexpr (v >= 0) {
        static_assert(dim < 3 || !use.corners, "in 3D a sweep reads along the axes only");
        constexpr int down = use.corners && dim > 1 ? use.lo[stream] : 0,
                      up = use.corners && dim > 1 ? use.hi[stream] : 0;
#pragma unroll
        for (int dk = -down; dk <= up; ++dk)
#pragma unroll
          for (int r = 0; r < rows; ++r) {
            const Real* row = kept[plan.version[v].first + age_of(m, h) - dk][r];
#pragma unroll
            for (int i = 1; i <= use.lo[0]; ++i)
              halo.left[h][R::oz + dk][r][R::ox - i] = __shfl_up_sync(~0u, row[lanes - i], 1);
#pragma unroll
            for (int i = 0; i < use.hi[0]; ++i) halo.right[h][R::oz + dk][r][i] = __shfl_down_sync(~0u, row[i], 1);
          }
        if constexpr (dim == 3) {
          const int under = warp > 0 ? warp - 1 : 0, over = warp + 1 < tile.warps ? warp + 1 : warp,
                    made = k - age_of(m, h);
          constexpr int all = P::edge_rows(v);
#pragma unroll
          for (int j = 1; j <= use.lo[1]; ++j)
            this->template row_from<v>(made, under, all - j, halo.below[h][R::oy - j]);
#pragma unroll
          for (int j = 0; j < use.hi[1]; ++j) this->template row_from<v>(made, over, j, halo.above[h][j]);
        }
      }
    });
  }
};
}  // namespace cereus::sweep
