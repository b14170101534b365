// Passes of two stages, and whole steps by levels, by the text that a device compiles, are stages one by one, bit for
// bit: in a periodic box whose ghost zones repeat it, or which is read across its faces, and between faces that stay;
// with borders of thread blocks inside.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cereus/kernel.hpp>
#include <cereus/make_table.hpp>
#include <limits>
#include <vector>

#include "sweep/levels.hpp"
#include "sweep/stages.hpp"
namespace cereus::sweep {
namespace {
constexpr int most[3] = {37, 11, 9}, ghosts = 8;
constexpr Offset row_stride = most[0] + 2 * ghosts, plane_stride = row_stride * (most[1] + 2 * ghosts),
                 all_points = plane_stride * (most[2] + 2 * ghosts), origin = ghosts * (1 + row_stride + plane_stride);
enum { u, v, w, fields };

template <class F> struct State { F u, v, w; };
template <class F> struct Rhs { F u_rhs, v_rhs, w_rhs; };
// v' wants neighbours of u, and u' those of both where they are `coupled`; w goes its own way. Where a point lies
// matters, too.
template <bool coupled, class Real, int reach> struct Rates {
  Read<State, star<reach>, Real> s;
  Write<Rhs, interior, Real> r;
  Real c;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.u_rhs) = p(s.v);
    if constexpr (coupled) p(r.u_rhs) = p(s.v) + at<0, 1, 0>(p, s.v) * at<-reach, 0, 0>(p, s.u);
    p(r.v_rhs) =
        c * (at<reach, 0, 0>(p, s.u) + at<0, -reach, 0>(p, s.u) - at<0, 0, 1>(p, s.u) + at<0, 0, -reach>(p, s.u)) -
        p(s.u) * p(s.v) + Real(0.125) * Real(p.index(0)) - Real(p.index(2));
    p(r.w_rhs) = p(s.w) * p(s.w) + Real(p.index(1));
  }
};
constexpr Use use(int field, Mode mode, int around) {
  return {field, mode, true, {around, around, around}, {around, around, around}};
}
// As MoL has them: buffers are exchanged with the present after each stage.
constexpr Substep methods[][most_substeps] = {  // by number of stages
    {}, {}, {{1, 1, {0}}, {1, 2, {0, 1}}}, {{1, 1, {0}}, {2, 2, {1, 0}}, {1, 2, {2, 0}}},
    {{1, 1, {0}}, {2, 1, {1}}, {3, 1, {1}}, {2, 4, {1, 2, 3, 0}}}};

// Factors of sources, as `arguments` has them.
constexpr Substep with_factors(Substep s, int n) {
  for (int i = 0; i < s.sources; ++i) s.factor[i] = (i + 1.0) / (n + 3);
  return s;
}
// Whether ghost zones repeat the box, or faces stay, or no ghost zones are read, or those across z alone.
enum Box { repeated, fixed, wrapped, stacked };
template <bool coupled_, int substeps, TileShape tile_, Box box_, class Real_ = double, int reach_ = 2> struct Of {
  using Real = Real_;
  static constexpr bool coupled = coupled_;
  static constexpr Box box = box_;
  static constexpr int wraps = box == wrapped ? 7 : box == stacked ? 3 : 0;
  static constexpr int reach = reach_, size[3] = {most[0] - (wraps & 1), most[1], most[2]};
  static constexpr Offset row = row_stride, plane = plane_stride;
  static constexpr TileShape tile = tile_;
  struct Kernels {
    Rates<coupled, Real, reach> k;
    template <int> auto& get() { return k; }
    void number() { detail::number_handles(k); }
  };
  static constexpr Program about = [] {
    Program g;
    g.fields = fields, g.stages = 1, g.substeps = substeps;
    g.stage[0] = {6,
        {use(u, Mode::read, reach), use(v, Mode::read, coupled ? reach : 0), use(w, Mode::read, 0),
            use(u, Mode::write, 0), use(v, Mode::write, 0), use(w, Mode::write, 0)},
        true, {{}, {}, {}, {2, coupled ? 3U : 0}, {3, 1}, {4, 0}}};
    for (int n = 0; n < substeps; ++n) g.substep[n] = with_factors(methods[substeps][n], n);
    g.faces = box == fixed, g.ragged = !(wraps & 1);
    for (int f = 0; f < fields; ++f) g.stored[f] = true;
    return g;
  }();
};
template <class Real> using Fields = std::vector<std::vector<Real>>;

template <class F> void for_each_point(const int (&size)[3], int beyond, F f) {
  for (int z = -beyond; z < size[2] + beyond; ++z)
    for (int y = -beyond; y < size[1] + beyond; ++y)
      for (int x = -beyond; x < size[0] + beyond; ++x) f(x, y, z);
}
Offset place(int x, int y, int z) { return origin + x + y * row_stride + z * plane_stride; }
template <class Prog> void repeat(Fields<typename Prog::Real>& all) {  // in ghost zones
  constexpr auto& size = Prog::size;
  for (auto& f : all)
    for_each_point(size, ghosts, [&](int x, int y, int z) {
      const auto in = [](int i, int n) { return (i + n) % n; };
      f[place(x, y, z)] = f[place(in(x, size[0]), in(y, size[1]), in(z, size[2]))];
    });
}
template <class Prog> Fields<typename Prog::Real> beginning() {
  using Real = typename Prog::Real;
  Fields<Real> y(fields, std::vector<Real>(all_points));
  for (int f = 0; f < fields; ++f)
    for (Offset n = 0; n < all_points; ++n) y[f][n] = Real(((n * 7919 + f * 31) % 1009) / 1009.0 - 0.5);
  if (Prog::box != fixed) repeat<Prog>(y);
  return y;
}
// Points beyond the box along axes that it goes on along as itself.
template <class Prog> void spoil(Fields<typename Prog::Real>& all) {
  for (auto& f : all) {
    auto spoilt = std::vector(f.size(), std::numeric_limits<typename Prog::Real>::quiet_NaN());
    const auto read = [](int d, int i) { return !(Prog::wraps >> d & 1) || (i >= 0 && i < Prog::size[d]); };
    for_each_point(Prog::size, ghosts, [&](int x, int y, int z) {
      if (read(0, x) && read(1, y) && read(2, z)) spoilt[place(x, y, z)] = f[place(x, y, z)];
    });
    f = spoilt;
  }
}
template <class Prog> Arguments arguments() {
  constexpr bool periodic = Prog::box != fixed;
  Arguments a{};
  a.wraps = Prog::wraps;
  for (int d = 0; d < 3; ++d) {
    const int n = Prog::size[d], around = Prog::wraps >> d & 1 ? 0 : ghosts;
    a.end[d] = n, a.first[d] = 3;
    a.readable.lo[d] = -around, a.readable.hi[d] = n + around;
    for (int f = 0; f < fields; ++f) a.stored[f].hi[d] = n;
    a.changing[0].lo[d] = periodic ? -far : 0, a.changing[0].hi[d] = periodic ? far : n;
    a.period.lo[d] = periodic ? 3 : -far, a.period.hi[d] = periodic ? 3 + n : far;
  }
  for (int n = 0; n < Prog::about.substeps; ++n) {
    a.b[n] = 0.1 / (n + 1);
    for (int i = 0; i < Epilogue::max_sources; ++i) a.a[n][i] = (i + 1.0) / (n + 3);
  }
  return a;
}

// Loops over points, a stage after another, each in buffers of its own.
template <class Prog> void stage_by_stage(const Arguments& a, Fields<typename Prog::Real>& y) {
  using Real = typename Prog::Real;
  constexpr int R = Prog::reach;
  constexpr Program g = Prog::about;
  Fields<Real> buffer[1 + most_substeps];
  buffer[0] = y;
  for (int n = 0; n < g.substeps; ++n) {
    const Fields<Real>& old = buffer[0];
    Fields<Real> made = old;
    for_each_point(Prog::size, 0, [&](int x, int yy, int z) {
      const auto at = [&](int f, int i, int j, int k) { return old[f][place(x + i, yy + j, z + k)]; };
      Real rate[fields] = {at(v, 0, 0, 0)};
      if (Prog::coupled) rate[u] = at(v, 0, 0, 0) + at(v, 0, 1, 0) * at(u, -R, 0, 0);
      rate[v] = Real(0.3) * (at(u, R, 0, 0) + at(u, 0, -R, 0) - at(u, 0, 0, 1) + at(u, 0, 0, -R)) -
                at(u, 0, 0, 0) * at(v, 0, 0, 0) + Real(0.125) * Real(x + 3) - Real(z + 3);
      rate[w] = at(w, 0, 0, 0) * at(w, 0, 0, 0) + Real(yy + 3);
      for (int f = 0; f < fields; ++f) {
        Real sum = Real(-0.0);
        for (int i = 0; i < g.substep[n].sources; ++i)
          sum += Real(a.a[n][i]) * buffer[g.substep[n].source[i]][f][place(x, yy, z)];
        made[f][place(x, yy, z)] = sum + Real(a.b[n]) * rate[f];
      }
    });
    if (Prog::box != fixed) repeat<Prog>(made);
    buffer[g.substep[n].destination] = std::exchange(buffer[0], made);
  }
  y = buffer[0];
}

template <class Prog, int first> void launch(const Arguments& a, const Pass& pass, typename Prog::Kernels& kernels) {
  for (int z = pass.box.lo[2]; z < pass.box.hi[2]; z += Prog::tile.rows)
    for (int y = pass.box.lo[1];
         y < pass.box.lo[1] + pieces(pass.box.hi[1] - pass.box.lo[1], Prog::tile.warps) * Prog::tile.warps; ++y)
      for (int x = first_thread(pass); x < pass.box.hi[0] + 32; ++x)
        take_stages<Prog, first>(a, pass, kernels, x, y, z);
}

// Passes of two stages.
template <class Prog>
void take_passes(Arguments a, Fields<typename Prog::Real>& between, typename Prog::Kernels& kernels) {
  constexpr Program g = Prog::about;
  for (int first = 0; first < g.substeps; first += 2) {
    Pass pass = pass_of(g, a, first, std::min(first + 2, g.substeps));
    for (int f = 0; f < fields; ++f) pass.between[f] = &between[f][origin];
    if (first == 0) launch<Prog, 0>(a, pass, kernels);
    else if constexpr (g.substeps > 2) launch<Prog, 2>(a, pass, kernels);
  }
}
// By levels: each column of tiles in two parts, its threads in turn.
template <class Prog> void take_levels(Arguments a, typename Prog::Kernels& kernels) {
  using Thread = LevelThread<Prog, Prog::about.faces>;
  static_assert(Thread::plan.possible && Thread::facts.inner_x > 0 && Thread::facts.inner_y > 0);
  struct alignas(16) Line {
    char bytes[16];
  };
  std::vector<Line> memory(Thread::facts.shared_bytes / 16 + 1);
  const int planes = Prog::size[2];
  a.columns[0] = pieces(Prog::size[0], Thread::facts.inner_x);
  a.columns[1] = pieces(Prog::size[1], Thread::facts.inner_y);
  for (int column = 0; column < a.columns[0] * a.columns[1]; ++column)
    for (const auto& [first, last] : {std::pair{0, 4}, std::pair{4, planes}}) {
      std::vector<Thread> threads(Thread::shape.columns * (Thread::shape.height / Thread::rows), Thread{{a}, kernels});
      for (std::size_t n = 0; n < threads.size(); ++n)
        threads[n].begin(memory[0].bytes, static_cast<int>(n), column), threads[n].start(first, last);
      while (threads[0].z < last + Thread::facts.lag)
        for (Thread& t : threads) t.plane();
    }
}

template <class Prog> void check() {
  using Real = typename Prog::Real;
  constexpr Real untouched = Real(1e30);
  auto y = beginning<Prog>(), want = y;
  Fields<Real> between(fields, std::vector<Real>(all_points, untouched)), end = between;
  Arguments a = arguments<Prog>();
  stage_by_stage<Prog>(a, want);
  if (Prog::wraps) spoil<Prog>(y);
  for (int f = 0; f < fields; ++f) a.in[f] = &y[f][origin], a.out[f] = &end[f][origin];
  typename Prog::Kernels kernels{{{}, {}, Real(0.3)}};
  kernels.number();
  if constexpr (Prog::tile.levels > 0) take_levels<Prog>(a, kernels);
  else take_passes<Prog>(a, between, kernels);
  int wrong[fields] = {}, beyond = 0;
  for_each_point(Prog::size, ghosts, [&](int x, int yy, int z) {
    const bool mine = x >= 0 && x < Prog::size[0] && yy >= 0 && yy < Prog::size[1] && z >= 0 && z < Prog::size[2];
    for (int f = 0; f < fields; ++f) {
      wrong[f] += mine && end[f][place(x, yy, z)] != want[f][place(x, yy, z)];
      beyond += !mine && end[f][place(x, yy, z)] != untouched;
    }
  });
  for (int f = 0; f < fields; ++f)
    EXPECT_EQ(wrong[f], 0) << "field " << f << ", " << Prog::about.substeps << " stages, reach " << Prog::reach
                           << (Prog::box == fixed ? ", fixed" : ", periodic");
  EXPECT_EQ(beyond, 0);
}
constexpr TileShape passes(int rows, int warps) { return {1, rows, warps, 1, 1, 1, 1, 2}; }
constexpr TileShape levels(int rows, int warps, int columns) { return {1, rows, warps, columns, 1, 1, 1, 0, 1}; }
}  // namespace
}  // namespace cereus::sweep
