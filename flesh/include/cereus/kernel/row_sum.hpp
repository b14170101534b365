// What goes with a fused update on a host and knows no kernel, so that it is compiled once a scalar type: the sum
// Σ a_s · from_s of several sources, and the ghost points that repeat a row. A kernel's loop is compiled for one
// source; the sum of several is made before the loop, along a piece of a row, in the first-level cache.
#pragma once
#include "launch.hpp"
#include "math.hpp"
#include "member.hpp"
namespace cereus::detail {
// sum = Σ a_s · from_s of n points, added in this order from −0.
template <class Real, int... s>
__attribute__((noinline)) void sum_row(
    Real* sum, char* const* sources, Offset at, const double* weights, int n, ints<s...>) {
  const Real a[] = {static_cast<Real>(weights[s])...};
  const Real* const from[] = {reinterpret_cast<const Real*>(sources[s]) + at...};
#pragma omp simd
  for (int i = 0; i < n; ++i) {
    Real x = Real(-0.);
    ((x += a[s] * from[s][i]), ...);
    sum[i] = x;
  }
}

template <class Real, int outputs> class RowSums {
 public:
  // places: Epilogue::addresses of each output.
  RowSums(char* const* places, const Epilogue& e) : places_(places), e_(e) {
    if (e.sources == 0)
      for (auto& row : sums_)
        for (Real& x : row) x = Real(-0.);
  }
  // Whether the loop reads sums from here; of one source it reads that source itself.
  bool needed() const { return e_.sources != 1; }
  static constexpr int length() { return piece; }  // the most points of a piece
  double weight() const { return needed() ? 1. : e_.a[0]; }
  // Makes the sums of n points from an element on.
  __attribute__((noinline)) void make(Offset at, int n) {
    for (int o = 0; o < outputs; ++o) {
      char* const* from = places_ + o * Epilogue::addresses + 1;
      if (e_.sources == 2) sum_row(sums_[o], from, at, e_.a, n, ints<0, 1>{});
      if (e_.sources == 3) sum_row(sums_[o], from, at, e_.a, n, ints<0, 1, 2>{});
      if (e_.sources == 4) sum_row(sums_[o], from, at, e_.a, n, ints<0, 1, 2, 3>{});
    }
  }
  const Real* row(int o) const { return sums_[o]; }

 private:
  static_assert(Epilogue::max_sources == 4);
  static constexpr int fits = 8192 / static_cast<int>(sizeof(Real)) / outputs, piece = fits < 64 ? 64 : fits - 8;
  char* const* places_;
  const Epilogue& e_;
  alignas(64) Real sums_[outputs][piece];
};

// Fills the ghost points that repeat points of a row, once the row is done.
template <class Real>
__attribute__((noinline)) void push_row(
    Real* const* to, int outputs, const Epilogue& e, const BlockLaunch& b, Offset row, int j, int l) {
  const int at[3] = {0, j, l};
  for (int face = 0; face < 6; ++face) {
    const int d = face / 2, n = e.layers[d];
    if (b.ghosts[face] == BlockLaunch::nowhere) continue;
    int i0 = b.lo[0], i1 = b.hi[0];
    if (d > 0 && !(face % 2 ? at[d] >= b.end[d] - n : at[d] < b.first[d] + n)) continue;
    if (face == 0) i1 = min(i1, b.first[0] + n);
    if (face == 1) i0 = max(i0, b.end[0] - n);
    const Offset ghosts = row - b.at + b.ghosts[face];
    for (int o = 0; o < outputs; ++o)
      for (int i = i0; (e.pushed >> o & 1) && i < i1; ++i) to[o][ghosts + i] = to[o][row + i];
  }
}
}  // namespace cereus::detail
