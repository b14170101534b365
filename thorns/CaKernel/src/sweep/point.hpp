// The point of a sweep: what a kernel reads around it and writes there lies in registers.
#pragma once
#include <cereus/kernel/member.hpp>
#include <cereus/kernel/point.hpp>
namespace cereus::sweep {
// What one stage reads around a row of a lane, for all its handles, and what it writes there.
template <int handles, int nz, int ny, int nx, class Real> struct Patch { Real at[handles][nz][ny][nx]; };

template <int dim, int oz, int oy, int ox, class P, class Real> struct SweepPoint : Place<dim> {
  const P& patch;
  Real* kept;  // of outputs, by handle
  int x;
  template <class R, class Reach> __device__ __forceinline__ R operator()(In<R, Reach> v) const {
    return patch.at[v.n][oz][oy][ox + x];
  }
  __device__ __forceinline__ WriteOnly<Real> operator()(Out<Real> v) const { return {kept[v.n]}; }
  __device__ __forceinline__ Real& operator()(InOut<Real> v) const { return kept[v.n]; }
  template <int i, int j, int k, class R, class Reach> __device__ __forceinline__ R neighbour(In<R, Reach> v) const {
    return patch.at[v.n][oz + (dim == 3 ? k : dim == 2 ? j : 0)][oy + (dim == 3 ? j : 0)][ox + x + i];
  }
};
}  // namespace cereus::sweep
