// A rival of thorn Hydro on the host: Euler's equations with van Leer's slopes, HLLC and SSPRK2 on a periodic cube, in
// double, written by hand, as good as we can, with the flags that thorns get: primitives, slopes and fluxes once each,
// four cells side by side. Prints the best rate of whole steps in Mcell-steps/s, and the largest speed at the end.
//   benchmark_hydro_host [CELLS [STEPS]]
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numbers>
#include <vector>

namespace {
#ifdef __AVX512F__
constexpr long lanes = 8;
#else
constexpr long lanes = 4;
#endif
typedef double V __attribute__((vector_size(8 * lanes)));
constexpr double gas_gamma = 5. / 3, courant = 0.3;
inline V load(const double* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(double* to, V v) { std::memcpy(to, &v, sizeof v); }
inline V least(V a, V b) { return a < b ? a : b; }
inline V largest(V a, V b) { return a < b ? b : a; }
inline V root(V a) {
#ifdef __AVX512F__
  return V(_mm512_sqrt_pd(__m512d(a)));
#else
  return V(_mm256_sqrt_pd(__m256d(a)));
#endif
}
constexpr int fields = 5;  // density, three along the axes, energy or pressure
struct Five {
  V q[fields];
};
inline Five load(const double* from, long apart) {
  Five f;
  for (int n = 0; n < fields; ++n) f.q[n] = load(from + n * apart);
  return f;
}
inline void store(double* to, long apart, const Five& f) {
  for (int n = 0; n < fields; ++n) store(to + n * apart, f.q[n]);
}
inline Five primitive(const Five& u) {
  const V d = largest(u.q[0], V{} + 1e-12), i = 1. / d, x = i * u.q[1], y = i * u.q[2], z = i * u.q[3];
  return {{d, x, y, z, largest((gas_gamma - 1) * (u.q[4] - 0.5 * d * (x * x + y * y + z * z)), V{} + 1e-14)}};
}
inline V fastest(const Five& u) {
  const Five w = primitive(u);
  const V speed = largest(largest(largest(w.q[1], -w.q[1]), largest(w.q[2], -w.q[2])), largest(w.q[3], -w.q[3]));
  return speed + root(gas_gamma * w.q[4] / w.q[0]);
}
struct Pair {
  Five lower, upper;  // a cell's values at its two faces
};
inline Pair linear(const Five& before, const Five& here, const Five& after) {
  Pair p;
  for (int n = 0; n < fields; ++n) {
    const V a = here.q[n] - before.q[n], b = after.q[n] - here.q[n], product = a * b;
    const V half = product > 0. ? product / (a + b) : V{};
    p.lower.q[n] = here.q[n] - half, p.upper.q[n] = here.q[n] + half;
  }
  return p;
}
// The flux across a face with this axis as normal. The three quotients of the wave speeds are one division.
template <int axis> inline Five hllc(const Five& l, const Five& r) {
  constexpr int x = 1 + axis, y = axis == 0 ? 2 : 1, z = axis == 2 ? 2 : 3;
  const V a = root(l.q[0]), b = root(r.q[0]), i = 1. / (a * b * (a + b)), mean = i * a * b;
  const V cl = root(gas_gamma * l.q[4]) * (i * b * (a + b)), cr = root(gas_gamma * r.q[4]) * (i * a * (a + b));
  const V left = a * mean, right = b * mean, jump = r.q[x] - l.q[x], q = left * l.q[x] + right * r.q[x];
  const V c = root(left * cl * cl + right * cr * cr + 0.5 * left * right * jump * jump);
  const V slow = least(q - c, l.q[x] - cl), fast = largest(q + c, r.q[x] + cr);
  const V ml = l.q[0] * (slow - l.q[x]), mr = r.q[0] * (fast - r.q[x]);
  const V contact = (r.q[4] - l.q[4] + ml * l.q[x] - mr * r.q[x]) / (ml - mr);
  const auto from_left = contact >= 0.;
  Five w;
  for (int n = 0; n < fields; ++n) w.q[n] = from_left ? l.q[n] : r.q[n];
  const V speed = from_left ? least(slow, V{}) : largest(fast, V{}), g = speed - w.q[x];
  const V energy =
      w.q[4] * (1 / (gas_gamma - 1)) + 0.5 * w.q[0] * (w.q[1] * w.q[1] + w.q[2] * w.q[2] + w.q[3] * w.q[3]);
  const V share = contact / (speed - contact), m = w.q[0] * g, mass = m * share, p = w.q[4] + m * (contact - w.q[x]);
  Five f;
  f.q[0] = mass, f.q[x] = mass * contact + p, f.q[y] = mass * w.q[y], f.q[z] = mass * w.q[z];
  f.q[4] = (g * energy - w.q[4] * w.q[x] + p * contact) * share + p * contact;
  return f;
}

struct Cube {  // fields one after another, with ghost zones of two cells
  static constexpr long before = 8, ghosts = 2;
  long n, row, plane, field;
  std::unique_ptr<double[], void (*)(void*)> memory;
  double* at;  // the first cell
  explicit Cube(long n_)
      : n(n_),
        row((n_ + 2 * before + 7) / 8 * 8 + 8),
        plane(row * (n_ + 2 * ghosts)),
        field(plane * (n_ + 2 * ghosts) + 64),
        memory(static_cast<double*>(std::aligned_alloc(64, static_cast<std::size_t>(fields * field + 128) * 8)),
            std::free),
        at(memory.get() + before + ghosts * (row + plane)) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < fields * field + 128; ++i) memory[static_cast<std::size_t>(i)] = 1;
  }
  void fill_ghosts() {  // along one axis each: nobody looks at edges
#pragma omp parallel for schedule(static) collapse(2)
    for (int f = 0; f < fields; ++f)
      for (long k = -ghosts; k < n + ghosts; ++k) {
        double* const p = at + f * field + k * plane;
        if (k < 0 || k >= n) {
          const double* const from = p + (k < 0 ? n : -n) * plane;
          for (long j = 0; j < n; ++j) std::memcpy(p + j * row, from + j * row, static_cast<std::size_t>(n) * 8);
          continue;
        }
        for (long j = 0; j < n; ++j)
          for (long g = 0; g < ghosts; ++g)
            p[j * row - 1 - g] = p[j * row + n - 1 - g], p[j * row + n + g] = p[j * row + g];
        for (long g = 0; g < ghosts; ++g) {
          std::memcpy(p - (1 + g) * row, p + (n - 1 - g) * row, static_cast<std::size_t>(n) * 8);
          std::memcpy(p + (n + g) * row, p + g * row, static_cast<std::size_t>(n) * 8);
        }
      }
  }
};

// Some rows of all planes: goes up, and keeps what the next row and plane need.
class Tile {
 public:
  Tile(const Cube& from, Cube& to, const Cube& old, long first, long rows)
      : u_(from),
        to_(to),
        old_(old),
        first_(first),
        rows_(rows),
        row_(from.n + 24),
        primitives_(make(slots * fields * (rows + 4))),
        z_upper_(make(fields * rows)),
        z_flux_(make(fields * rows)),
        line_(make(5 * fields)) {}
  // to = a old + b (u + dt rhs); returns the largest speed of that if asked for.
  double step(double dt_h, double a, double b, bool wants_speed) {
    a_ = a, b_ = b, scale_ = b * dt_h;
    V speed{};
    for (long k = -2; k < 2; ++k) fill(k);
    for (long j = 0; j < rows_; ++j)  // the lower face of the first plane
      for (long i = 0; i < u_.n; i += lanes) {
        const Five upper = linear(get(-2, j, i), get(-1, j, i), get(0, j, i)).upper;
        const Pair here = linear(get(-1, j, i), get(0, j, i), get(1, j, i));
        store(&z_upper_[kept(j, i)], row_, here.upper), store(&z_flux_[kept(j, i)], row_, hllc<2>(upper, here.lower));
      }
    for (long k = 0; k < u_.n; ++k) {
      fill(k + 2);
      for (long j = 0; j < rows_; ++j) {
        if (j == 0) lower_face(k);
        along_x(k, j);
        speed = finish(k, j, speed, wants_speed);
      }
    }
    double most = 0;
    for (int l = 0; l < lanes; ++l) most = std::max(most, speed[l]);
    return most;
  }

 private:
  static constexpr long slots = 4;
  std::vector<double> make(long rows) const { return std::vector<double>(static_cast<std::size_t>(rows * row_), 1); }
  std::size_t kept(long j, long i) const { return static_cast<std::size_t>(j * fields * row_ + i); }
  double* place(long k, long j, long i) {
    return primitives_.data() + (((k + slots) % slots) * (rows_ + 4) + j + 2) * fields * row_ + 8 + i;
  }
  Five get(long k, long j, long i) { return load(place(k, j, i), row_); }
  double* line(int which) { return line_.data() + which * fields * row_ + 8; }
  void fill(long k) {
    for (long j = -2; j < rows_ + 2; ++j)
      for (long i = -4; i < u_.n + 2; i += lanes)
        store(place(k, j, i), row_, primitive(load(u_.at + k * u_.plane + (first_ + j) * u_.row + i, u_.field)));
  }
  void lower_face(long k) {  // of the first row
    for (long i = 0; i < u_.n; i += lanes) {
      const Five upper = linear(get(k, -2, i), get(k, -1, i), get(k, 0, i)).upper;
      const Pair here = linear(get(k, -1, i), get(k, 0, i), get(k, 1, i));
      store(line(0) + i, row_, here.upper), store(line(1) + i, row_, hllc<1>(upper, here.lower));
    }
  }
  void along_x(long k, long j) {
    for (long i = -1; i <= u_.n; i += lanes) {
      const Pair p = linear(get(k, j, i - 1), get(k, j, i), get(k, j, i + 1));
      store(line(2) + i, row_, p.lower), store(line(3) + i, row_, p.upper);
    }
    for (long i = 0; i <= u_.n; i += lanes)
      store(line(4) + i, row_, hllc<0>(load(line(3) + i - 1, row_), load(line(2) + i, row_)));
  }
  V finish(long k, long j, V speed, bool wants_speed) {
    const long at = k * u_.plane + (first_ + j) * u_.row;
    for (long i = 0; i < u_.n; i += lanes) {
      const Pair y = linear(get(k, j, i), get(k, j + 1, i), get(k, j + 2, i));
      const Five fy = hllc<1>(load(line(0) + i, row_), y.lower), fy0 = load(line(1) + i, row_);
      store(line(0) + i, row_, y.upper), store(line(1) + i, row_, fy);
      double *const upper = &z_upper_[kept(j, i)], *const flux = &z_flux_[kept(j, i)];
      const Pair z = linear(get(k, j, i), get(k + 1, j, i), get(k + 2, j, i));
      const Five fz = hllc<2>(load(upper, row_), z.lower), fz0 = load(flux, row_);
      store(upper, row_, z.upper), store(flux, row_, fz);
      const Five fx0 = load(line(4) + i, row_), fx = load(line(4) + i + 1, row_);
      const Five u = load(u_.at + at + i, u_.field);
      Five sum;
      for (int n = 0; n < fields; ++n)
        sum.q[n] = scale_ * ((fx0.q[n] - fx.q[n]) + (fy0.q[n] - fy.q[n]) + (fz0.q[n] - fz.q[n])) + b_ * u.q[n];
      if (a_ != 0)
        for (int n = 0; n < fields; ++n) sum.q[n] += a_ * load(old_.at + at + i + n * old_.field);
      store(to_.at + at + i, to_.field, sum);
      if (wants_speed) speed = largest(speed, fastest(sum));
    }
    return speed;
  }
  const Cube& u_;
  Cube& to_;
  const Cube& old_;
  long first_, rows_, row_;
  std::vector<double> primitives_, z_upper_, z_flux_, line_;
  double a_ = 0, b_ = 0, scale_ = 0;
};

double stage(const Cube& from, Cube& to, const Cube& old, double dt_h, double a, double b, bool speed, long rows) {
  double most = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : most)
  for (long j = 0; j < from.n; j += rows)
    most = std::max(most, Tile(from, to, old, j, std::min(rows, from.n - j)).step(dt_h, a, b, speed));
  return most;
}
double begin(Cube& u) {
  const double h = 1. / static_cast<double>(u.n), turn = 2 * std::numbers::pi;
  double most = 0;
  for (long k = 0; k < u.n; ++k)
    for (long j = 0; j < u.n; ++j)
      for (long i = 0; i < u.n; ++i) {
        const auto place = [h](long m) { return (static_cast<double>(m) + 0.5) * h; };
        const double d = 1 + 0.2 * std::sin(turn * (place(i) + place(j)));
        const double v[3] = {0.1 * std::cos(turn * place(j)), 0.1 * std::sin(turn * place(k)), 0.05};
        double* const p = u.at + i + j * u.row + k * u.plane;
        p[0] = d, p[4 * u.field] = 1 / (gas_gamma - 1) + 0.5 * d * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int a = 0; a < 3; ++a) p[(1 + a) * u.field] = d * v[a];
        most = std::max(most, std::max({std::fabs(v[0]), std::fabs(v[1]), v[2]}) + std::sqrt(gas_gamma / d));
      }
  return most;
}
}  // namespace

int main(int count, char** words) {
  const long n = count > 1 ? std::atol(words[1]) / lanes * lanes : 128, steps = count > 2 ? std::atol(words[2]) : 4;
  Cube u(n), half(n);
  double best = 0, speed = 0;
  long best_rows = 0;
  for (const long rows : {4L, 8L, 16L}) {
    speed = begin(u);
    const auto start = std::chrono::steady_clock::now();
    for (long s = 0; s < steps; ++s) {
      const double dt_h = courant / speed;
      u.fill_ghosts(), stage(u, half, u, dt_h, 0, 1, false, rows);
      half.fill_ghosts(), speed = stage(half, u, u, dt_h, 0.5, 0.5, true, rows);
    }
    const double rate = 1e-6 * static_cast<double>(n * n * n * steps) /
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (rate > best) best = rate, best_rows = rows;
  }
  std::printf("%.4f %.17g %ld\n", best, speed, best_rows);
}
