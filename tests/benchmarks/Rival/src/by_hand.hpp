// The wave equation as a specialist would write it for one periodic cube: the loops that the shipped path is held
// against. Same flags, same layout (rows aligned at the first interior point), restrict pointers, `omp simd`.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>
namespace Rival {
struct Grid {
  int n, g = 2;
  long sj, sk;
  double h2[3], c2;
  explicit Grid(int cells, double inv_h2, double speed2) : n(cells), h2{inv_h2, inv_h2, inv_h2}, c2(speed2) {
    sj = (n + 1 + 2 * g + 15) / 16 * 16;
    if (sj >= 512 && (sj & (sj - 1)) == 0) sj += 16;
    sk = sj * (n + 1 + 2 * g);
  }
  long front() const { return (g + g * sj + g * sk + 15) / 16 * 16; }
  long size() const { return front() + sk * (n + 1 + 2 * g); }
};
struct Array {
  std::unique_ptr<double, void (*)(void*)> memory;
  double* at;  // the first interior point
  explicit Array(const Grid& g)
      : memory(static_cast<double*>(
                   std::aligned_alloc(4096, (static_cast<std::size_t>(g.size()) * 8 + 4095) / 4096 * 4096)),
            std::free),
        at(memory.get() + g.front()) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < g.size(); ++i) memory.get()[i] = 1e-3 * static_cast<double>(i % 1000);
  }
};

// (Δu) at one point, order 4.
inline double laplacian(const double* __restrict u, long i, long sj, long sk, const double* h2) {
  const double a = 4. / 3, b = -1. / 12, c = -5. / 2 * u[i];
  return (h2[0] * (c + (a * (u[i + 1] + u[i - 1]) + b * (u[i + 2] + u[i - 2]))) +
             h2[1] * (c + (a * (u[i + sj] + u[i - sj]) + b * (u[i + 2 * sj] + u[i - 2 * sj])))) +
         h2[2] * (c + (a * (u[i + sk] + u[i - sk]) + b * (u[i + 2 * sk] + u[i - 2 * sk])));
}
// Rows of the cube in one of four orders, shared among threads.
enum class Tiling { rows, j_blocks, jk_blocks, k_sweep };
template <class Row> void for_each_row(const Grid& g, Tiling tiling, Row&& row) {
  const int n = g.n, block = 32;
  switch (tiling) {
    case Tiling::rows:
#pragma omp parallel for collapse(2) schedule(static)
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) row(j, k);
      break;
    case Tiling::j_blocks:  // threads share k; blocks of j within
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int kk = 0; kk < n; kk += 16)
        for (int jj = 0; jj < n; jj += block)
          for (int k = kk; k < std::min(kk + 16, n); ++k)
            for (int j = jj; j < std::min(jj + block, n); ++j) row(j, k);
    } break;
    case Tiling::jk_blocks:
#pragma omp parallel for collapse(2) schedule(static)
      for (int kk = 0; kk < n; kk += 32)
        for (int jj = 0; jj < n; jj += 16)
          for (int k = kk; k < std::min(kk + 32, n); ++k)
            for (int j = jj; j < std::min(jj + 16, n); ++j) row(j, k);
      break;
    case Tiling::k_sweep:  // a column of rows is walked through all k
#pragma omp parallel for schedule(static)
      for (int jj = 0; jj < n; jj += block)
        for (int k = 0; k < n; ++k)
          for (int j = jj; j < std::min(jj + block, n); ++j) row(j, k);
      break;
  }
}
inline void rhs(const Grid& g, Tiling tiling, const double* u0, const double* r0, double* du0, double* dr0) {
  for_each_row(g, tiling, [=](int j, int k) {
    const long o = j * g.sj + k * g.sk, sj = g.sj, sk = g.sk;
    const double* __restrict u = u0 + o, * __restrict r = r0 + o;
    double* __restrict du = du0 + o, * __restrict dr = dr0 + o;
    const double h2[3] = {g.h2[0], g.h2[1], g.h2[2]}, c2 = g.c2;
#pragma omp simd
    for (int i = 0; i < g.n; ++i) {
      du[i] = r[i];
      dr[i] = c2 * laplacian(u, i, sj, sk, h2);
    }
  });
}
// Two arrays read and two written, in the same order as `rhs`: what memory allows.
inline void copy(const Grid& g, const double* u0, const double* r0, double* du0, double* dr0) {
  for_each_row(g, Tiling::rows, [=](int j, int k) {
    const long o = j * g.sj + k * g.sk;
    const double* __restrict u = u0 + o, * __restrict r = r0 + o;
    double* __restrict du = du0 + o, * __restrict dr = dr0 + o;
#pragma omp simd
    for (int i = 0; i < g.n; ++i) du[i] = r[i], dr[i] = u[i];
  });
}
// Ghost zones of one periodic array, faces only.
inline void fill_ghosts(const Grid& g, double* a) {
  const int n = g.n, w = g.g;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j)
      for (int m = 1; m <= w; ++m) {
        double* row = a + j * g.sj + k * g.sk;
        row[-m] = row[n - m];
        row[n - 1 + m] = row[m - 1];
      }
    for (int m = 1; m <= w; ++m) {
      std::copy_n(a + (n - m) * g.sj + k * g.sk, n, a - m * g.sj + k * g.sk);
      std::copy_n(a + (m - 1) * g.sj + k * g.sk, n, a + (n - 1 + m) * g.sj + k * g.sk);
    }
  }
#pragma omp parallel for schedule(static)
  for (int j = 0; j < n; ++j)
    for (int m = 1; m <= w; ++m) {
      std::copy_n(a + j * g.sj + (n - m) * g.sk, n, a + j * g.sj - m * g.sk);
      std::copy_n(a + j * g.sj + (m - 1) * g.sk, n, a + j * g.sj + (n - 1 + m) * g.sk);
    }
}
// One classical RK4 step in stage form, updates fused by hand: 208 B a point (docs/concepts/updates-as-data.md).
struct State {
  double *u, *r;
};
template <int sources>
void stage(const Grid& g, Tiling tiling, State in, State out, const State* from, const double* a, double b) {
  for_each_row(g, tiling, [=](int j, int k) {
    const long o = j * g.sj + k * g.sk, sj = g.sj, sk = g.sk;
    const double* __restrict u = in.u + o, *r = in.r + o;
    double *fu = out.u + o, *fr = out.r + o;
    const double *su[4], *sr[4];
    double f[4];
    for (int s = 0; s < sources; ++s) su[s] = from[s].u + o, sr[s] = from[s].r + o, f[s] = a[s];
    const double h2[3] = {g.h2[0], g.h2[1], g.h2[2]}, c2 = g.c2;
#pragma omp simd
    for (int i = 0; i < g.n; ++i) {
      double x = b * r[i], y = b * (c2 * laplacian(u, i, sj, sk, h2));
      x += f[0] * su[0][i], y += f[0] * sr[0][i];
      if constexpr (sources == 4) {
        x += f[1] * su[1][i], y += f[1] * sr[1][i];
        x += f[2] * su[2][i], y += f[2] * sr[2][i];
        x += f[3] * su[3][i], y += f[3] * sr[3][i];
      }
      fu[i] = x, fr[i] = y;
    }
  });
}
inline void rk4(const Grid& g, Tiling tiling, State y, State y1, State y2, State y3, double dt) {
  const double one[1] = {1}, last[4] = {-1. / 3, 1. / 3, 2. / 3, 1. / 3};
  const State all[4] = {y, y1, y2, y3};
  fill_ghosts(g, y.u);
  stage<1>(g, tiling, y, y1, &y, one, dt / 2);
  fill_ghosts(g, y1.u);
  stage<1>(g, tiling, y1, y2, &y, one, dt / 2);
  fill_ghosts(g, y2.u);
  stage<1>(g, tiling, y2, y3, &y, one, dt);
  fill_ghosts(g, y3.u);
  stage<4>(g, tiling, y3, y, all, last, dt / 6);
}
}  // namespace Rival
