// A rival of the host's loops: a mean of 7 points on 512³ doubles, one step at a time, written by hand, as good as we
// can, with the flags that thorns get. Prints the best rate of each way to do it, in Gpoint/s; `copy` moves as many
// bytes with the same stores.
//   benchmark_host_stencil [POINTS [STEPS]]
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {
constexpr long line = 8;  // doubles
struct Grid {
  long n, row, plane;
  std::unique_ptr<double[], void (*)(void*)> memory[2];
  double* field[2];  // at the first interior point
  explicit Grid(long n_) : n(n_), row((n_ + 2 * line) / line * line), plane(row * (n_ + 2)), memory{make(), make()} {
    for (int f = 0; f < 2; ++f) {
      field[f] = memory[f].get() + line + row + plane;
#pragma omp parallel for schedule(static)
      for (long k = -1; k <= n; ++k)
        for (long i = 0; i < plane; ++i)
          memory[f][static_cast<std::size_t>((k + 1) * plane + i)] = 1e-3 * static_cast<double>((i * 7919 + k) % 1000);
    }
  }
  std::unique_ptr<double[], void (*)(void*)> make() const {
    const std::size_t bytes = static_cast<std::size_t>(plane * (n + 2) + 2 * line) * sizeof(double),
                      page = std::size_t{2} << 20;
    return {static_cast<double*>(std::aligned_alloc(page, (bytes + page - 1) / page * page)), std::free};
  }
};

template <bool past_caches> inline void row_of(double* to, const double* u, long n, long row, long plane) {
  if constexpr (past_caches) {
    const __m256d c = _mm256_set1_pd(0.143);
    for (long i = 0; i < n; i += 4) {
      const double* const p = u + i;
      __m256d s = _mm256_add_pd(_mm256_loadu_pd(p), _mm256_loadu_pd(p - 1));
      s = _mm256_add_pd(s, _mm256_loadu_pd(p + 1));
      s = _mm256_add_pd(s, _mm256_loadu_pd(p - row));
      s = _mm256_add_pd(s, _mm256_loadu_pd(p + row));
      s = _mm256_add_pd(s, _mm256_loadu_pd(p - plane));
      s = _mm256_add_pd(s, _mm256_loadu_pd(p + plane));
      _mm256_stream_pd(to + i, _mm256_mul_pd(c, s));
    }
  } else {
#pragma omp simd
    for (long i = 0; i < n; ++i)
      to[i] = 0.143 * (u[i] + u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] + u[i + plane]);
  }
}

// Blocks of `rows` rows go up through all planes, so that three planes of a block stay in a core's own cache.
template <bool past_caches> void step(const Grid& g, double* to, const double* u, long rows) {
#pragma omp parallel for schedule(dynamic)
  for (long block = 0; block < (g.n + rows - 1) / rows; ++block)
    for (long k = 0; k < g.n; ++k)
      for (long j = block * rows; j < std::min(g.n, (block + 1) * rows); ++j)
        row_of<past_caches>(to + j * g.row + k * g.plane, u + j * g.row + k * g.plane, g.n, g.row, g.plane);
}
void copy(const Grid& g, double* to, const double* u) {
#pragma omp parallel for schedule(static)
  for (long k = 0; k < g.n; ++k)
    for (long j = 0; j < g.n; ++j)
      for (long i = 0; i < g.n; i += 4)
        _mm256_stream_pd(to + i + j * g.row + k * g.plane, _mm256_loadu_pd(u + i + j * g.row + k * g.plane));
}
template <class F> double rate(Grid& g, long steps, F&& f) {
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (long s = 0; s < steps; ++s) f(g.field[(s + 1) % 2], g.field[s % 2]);
    best = std::max(best, 1e-9 * static_cast<double>(g.n * g.n * g.n * steps) /
                              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}
}  // namespace

int main(int n, char** words) {
  Grid g(n > 1 ? std::atol(words[1]) : 512);
  const long steps = n > 2 ? std::atol(words[2]) : 10;
  for (long rows : {4L, 8L, 16L, 32L, 64L, g.n}) {
    std::printf(
        "rows %ld\t%.3f\n", rows, rate(g, steps, [&](double* to, const double* u) { step<false>(g, to, u, rows); }));
    std::printf("rows %ld, past the caches\t%.3f\n", rows,
        rate(g, steps, [&](double* to, const double* u) { step<true>(g, to, u, rows); }));
  }
  std::printf("copy\t%.3f\n", rate(g, steps, [&](double* to, const double* u) { copy(g, to, u); }));
}
