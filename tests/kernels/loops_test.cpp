// Each form of a kernel against a loop written here, with coefficients of its own: direct, fused with 0 … 4 sources,
// boxes, gather, reductions; odd sizes, several blocks with different strides.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "cereus/make_table.hpp"

using namespace cereus;

namespace {
template <class F> struct V { F v; };
template <class F> struct W { F w; };

template <int order, int dim, class Real> struct Laplace {
  Read<V, star<order / 2>, Real> s;
  Write<W, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.w) = laplacian<order>(p, s.v); }
};
template <int order, int axis, int derivative_> struct Differentiate {
  Read<V, star<order / 2>, double> s;
  Write<W, interior, double> r;
  CEREUS_KERNEL void operator()(auto& p) const {
    if constexpr (derivative_ == 1) p(r.w) = derivative<order, axis>(p, s.v);
    else p(r.w) = second_derivative<order, axis>(p, s.v);
  }
};
struct Corners {
  Read<V, box<2>, double> s;
  Write<W, interior, double> r;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.w) = at<2, -1, 1>(p, s.v) + 2 * at<-2, 2, 0>(p, s.v) + 3 * at<1, 0, -2>(p, s.v);
  }
};
struct Gathered {
  Read<V, box<2>, double> s;
  Write<W, interior, double> r;
  int by;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.w) = gather(p, s.v, by, -by, p.index(0) % 2); }
};
struct FromElsewhere {
  Read<V, elsewhere, double> s;
  Write<W, interior, double> r;
  Elsewhere grid;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Offset n = grid(-(p.index(0) & 15), 3, 4 + (p.index(2) & 3));
    p(r.w) = element(p, s.v, n) + 2 * element(p, s.v, n - grid.stride[1]) + 3 * element(p, s.v, n + grid.stride[2]);
  }
};
// Large kernels whose loop shares faces: what flows in less what flows out.
template <int dim> CEREUS_KERNEL auto change_of(const auto& kernel, const auto& p) {
  const auto along_axis = [&]<int axis>() __attribute__((always_inline)) {
    const auto f = faces_of<axis>(kernel, p);
    return f.lower - f.upper;
  };
  auto sum = along_axis.template operator()<0>();
  if constexpr (dim > 1) sum = sum + along_axis.template operator()<1>();
  if constexpr (dim > 2) sum = sum + along_axis.template operator()<2>();
  return sum;
}
template <int dim, class Scalar> struct Transport {
  Read<V, star<1>, Scalar> s;
  Write<W, interior, Scalar> r;
  static constexpr Reads reads[] = {{{1, dim > 1, dim > 2}, false}};
  static constexpr bool reads_time = false, reads_place = false, shares_faces = true;
  static constexpr int slots = 1;
  template <int axis, int n> CEREUS_KERNEL auto face(const auto& p) const {
    using Real = Number<decltype(p), Scalar>;
    const Real before = along<axis, n - 1>(p, s.v), here = along<axis, n>(p, s.v);
    return (before + Real(2) * here) * here;
  }
  template <int axis> CEREUS_KERNEL auto faces(const auto& p) const {
    return Sides<Number<decltype(p), Scalar>>{face<axis, 0>(p), face<axis, 1>(p)};
  }
  CEREUS_KERNEL void operator()(auto& p) const { p(r.w) = p.begin(r.w) + change_of<dim>(*this, p); }
};
// The same, of numbers of cells and their sides, which the loop keeps.
template <int dim, class Scalar> struct Reconstructed {
  Read<V, star<2>, Scalar> s;
  Write<W, interior, Scalar> r;
  static constexpr Reads reads[] = {{{2, dim > 1 ? 2 : 0, dim > 2 ? 2 : 0}, false}};
  static constexpr bool reads_time = false, reads_place = false, shares_faces = true, keeps_cells = true;
  static constexpr int slots = 1;
  template <int axis, int n> CEREUS_KERNEL auto cell(const auto& p) const {
    const Number<decltype(p), Scalar> v = along<axis, n>(p, s.v);
    return v * v;
  }
  template <int axis, int n> CEREUS_KERNEL auto sides(const auto& p) const {
    using Real = Number<decltype(p), Scalar>;
    const Real here = cell_of<axis, n>(*this, p);
    const Real slope = cell_of<axis, n + 1>(*this, p) - cell_of<axis, n - 1>(*this, p);
    return Sides<Real>{here - slope, here + slope};
  }
  template <int axis, int n> CEREUS_KERNEL auto across(const auto&, auto below, auto above) const {
    return (below + below) * above - below;
  }
  template <int axis, int n> CEREUS_KERNEL auto face(const auto& p) const {
    return across<axis, n>(p, sides<axis, n - 1>(p).upper, sides<axis, n>(p).lower);
  }
  template <int axis> CEREUS_KERNEL auto faces(const auto& p) const {
    return Sides<Number<decltype(p), Scalar>>{face<axis, 0>(p), face<axis, 1>(p)};
  }
  CEREUS_KERNEL void operator()(auto& p) const { p(r.w) = p.begin(r.w) + change_of<dim>(*this, p); }
};
struct AtFaces {  // a digit for each face, and for a vertex that is one or two ahead
  Write<W, interior, double> r;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(r.w) = p.at_face(0, 0) + 10 * p.at_face(0, 1) + 100 * p.at_face(1, 0) + 1e3 * p.at_face(1, 1) +
             1e4 * p.at_face(2, 0) + 1e5 * p.at_face(2, 1) + 1e6 * p.at_face(2, 1, 1) + 1e7 * p.at_face(0, 0, -2);
  }
};
template <class R> struct Reduced {
  Read<V, pointwise, double> s;
  CEREUS_KERNEL R operator()(auto& p) const { return {p(s.v)}; }
};

using Index = std::array<int, 3>;
constexpr int ghosts = 4;
double value(int i, int j, int k) {
  return std::sin(1.3 * i + 0.1) * std::cos(0.7 * j) + 0.3 * std::sin(0.9 * k + 0.5 * i);
}

// A block of points lo ≤ index < hi with ghosts: a slot in the slabs of several variables.
template <class Real> struct Patch {
  int lo[3], hi[3], slot, slots;
  Offset stride[3], front, size;
  std::shared_ptr<std::vector<Real>> data;
  // Slots have room for 71 × 11 × 9 points and ghosts.
  Patch(int dim, Index from, Index to, int number, int all, std::shared_ptr<std::vector<Real>> memory)
      : slot(number),
        slots(all),
        data(std::move(memory)) {
    constexpr Offset most[3] = {71, 11, 9};
    const int g[3] = {ghosts, dim > 1 ? ghosts : 0, dim > 2 ? ghosts : 0};
    for (int d = 0; d < 3; ++d) lo[d] = from[d], hi[d] = to[d];
    stride[0] = 1, stride[1] = most[0] + 2 * ghosts + 3, stride[2] = stride[1] * (dim > 1 ? most[1] + 2 * ghosts : 1);
    size = stride[2] * (dim > 2 ? most[2] + 2 * ghosts : 1);
    front = g[0] + g[1] * stride[1] + g[2] * stride[2];
  }
  void fill(int dim) {
    const int g[3] = {ghosts, dim > 1 ? ghosts : 0, dim > 2 ? ghosts : 0};
    for (int k = lo[2] - g[2]; k < hi[2] + g[2]; ++k)
      for (int j = lo[1] - g[1]; j < hi[1] + g[1]; ++j)
        for (int i = lo[0] - g[0]; i < hi[0] + g[0]; ++i) at(0, i, j, k) = Real(value(i, j, k));
  }
  Offset index(int i, int j, int k) const {
    return front + (i - lo[0]) + (j - lo[1]) * stride[1] + (k - lo[2]) * stride[2];
  }
  Real& at(int v, int i, int j, int k) {
    return (*data)[static_cast<std::size_t>((v * slots + slot) * size + index(i, j, k))];
  }
  char* slab(int v) { return reinterpret_cast<char*>(data->data() + v * slots * size + front); }
};

template <class Real> std::vector<Patch<Real>> patches(int dim, int variables) {
  const auto cut = [&](Index a) { return Index{a[0], dim > 1 ? a[1] : 1, dim > 2 ? a[2] : 1}; };
  const auto start = [&](Index a) { return Index{a[0], dim > 1 ? a[1] : 0, dim > 2 ? a[2] : 0}; };
  const auto memory = std::make_shared<std::vector<Real>>();
  std::vector<Patch<Real>> list{{dim, start({0, 0, 0}), cut({17, 7, 5}), 0, 3, memory},
      {dim, start({17, -2, 1}), cut({18, 9, 4}), 1, 3, memory},
      {dim, start({-40, 3, 2}), cut({31, 4, 11}), 2, 3, memory}};
  memory->assign(static_cast<std::size_t>(list.front().size * 3 * variables), Real(-77));
  for (auto& p : list) p.fill(dim);
  return list;
}

constexpr double spacing[3] = {0.5, 0.25, 0.2};
Geometry geometry() {
  Geometry g{};
  for (int d = 0; d < 3; ++d)
    g.spacing[d] = spacing[d], g.inv_spacing[d] = 1 / spacing[d], g.inv_spacing2[d] = 1 / (spacing[d] * spacing[d]);
  return g;
}

// Launches on all patches at once; handles are variables 0, 1, …; then those of the epilogue.
template <class Real>
void start(KernelTable::Loop loop, const void* kernel, std::vector<Patch<Real>>& all, const std::vector<int>& handles,
    const Epilogue* epilogue = nullptr, void* result = nullptr, const Geometry& g = geometry(), int tile_rows = 2,
    bool in_parts = false) {
  std::vector<char*> addresses;
  std::vector<BlockLaunch> blocks;
  for (int h : handles) addresses.push_back(h < 0 ? nullptr : all.front().slab(h));
  for (auto& p : all) {
    BlockLaunch& l = blocks.emplace_back();
    l.at = p.slot * p.size;
    for (int d = 0; d < 3; ++d) l.first[d] = l.lo[d] = p.lo[d], l.hi[d] = l.end[d] = p.hi[d];
    for (int d = 0; in_parts && d < 3; ++d) {  // the last part ends with the block
      BlockLaunch part = blocks.back();
      part.lo[d] += (p.hi[d] - p.lo[d]) / 3;
      if (part.lo[d] == p.lo[d]) continue;
      blocks.back().hi[d] = part.lo[d], blocks.push_back(part);
    }
  }
  const auto& stride = all.front().stride;
  const Launch l{{blocks.data(), static_cast<int>(blocks.size())}, addresses.data(), {stride[0], stride[1], stride[2]},
      &g, 1, epilogue, result, tile_rows};
  loop(kernel, l);
}
template <class Real, class F> void each(std::vector<Patch<Real>>& all, F&& f) {
  for (auto& p : all)
    for (int k = p.lo[2]; k < p.hi[2]; ++k)
      for (int j = p.lo[1]; j < p.hi[1]; ++j)
        for (int i = p.lo[0]; i < p.hi[0]; ++i) f(p, i, j, k);
}

// From any table: weights of the second derivative at −n … n.
std::vector<double> weights(int order) {
  if (order == 2) return {1, -2, 1};
  if (order == 4) return {-1 / 12., 16 / 12., -30 / 12., 16 / 12., -1 / 12.};
  if (order == 6) return {2 / 180., -27 / 180., 270 / 180., -490 / 180., 270 / 180., -27 / 180., 2 / 180.};
  return {-9 / 5040., 128 / 5040., -1008 / 5040., 8064 / 5040., -14350 / 5040., 8064 / 5040., -1008 / 5040.,
      128 / 5040., -9 / 5040.};
}
double laplacian_by_hand(int order, int dim, int i, int j, int k) {
  double sum = 0;
  const auto w = weights(order);
  for (int d = 0; d < dim; ++d)
    for (int m = -order / 2; m <= order / 2; ++m)
      sum += w[static_cast<std::size_t>(m + order / 2)] / (spacing[d] * spacing[d]) *
             value(i + (d == 0 ? m : 0), j + (d == 1 ? m : 0), k + (d == 2 ? m : 0));
  return sum;
}

template <int order, int dim, class Real> void laplace() {
  const double eps = __is_same(Real, float) ? 3e-4 : 1e-12;
  const auto table = detail::make_table<Laplace<order, dim, Real>, dim, Real>();
  auto all = patches<Real>(dim, 7);
  start(table.loops().host, table.kernel.get(), all, {0, 1});
  each(all, [&](auto& p, int i, int j, int k) {
    ASSERT_NEAR(p.at(1, i, j, k), laplacian_by_hand(order, dim, i, j, k), eps) << order << dim;
  });
  for (int sources = 0; sources <= Epilogue::max_sources; ++sources) {
    Epilogue e;
    e.sources = sources, e.b = 0.01;
    for (int s = 0; s < sources; ++s) e.a[s] = s + 0.5;
    for (int s = 0; s < Epilogue::max_sources; ++s)
      each(all, [&](auto& p, int i, int j, int k) { p.at(3 + s, i, j, k) = Real(value(j, i, k + s)); });
    start(table.loops().host_fused, table.kernel.get(), all, {0, -1, 2, 3, 4, 5, 6}, &e);
    each(all, [&](auto& p, int i, int j, int k) {
      double sum = 0.01 * laplacian_by_hand(order, dim, i, j, k);
      for (int s = 0; s < sources; ++s) sum += (s + 0.5) * value(j, i, k + s);
      ASSERT_NEAR(p.at(2, i, j, k), sum, eps) << sources;
    });
  }
}

// `flux(v)`: across the lower face of cell 0, where v(n) is the value in cell n.
template <template <int, class> class K, int dim, class Real> void transport(auto flux) {
  const auto table = detail::make_table<K<dim, Real>, dim, Real>();
  const auto compare = [&](auto& p, int i, int j, int k) {
    Real sum = 0;
    for (int d = 0; d < dim; ++d) {
      const auto v = [&](int n) { return p.at(0, i + (d == 0) * n, j + (d == 1) * n, k + (d == 2) * n); };
      const Real change = flux(v) - flux([&](int n) { return v(n + 1); });
      sum = d == 0 ? change : sum + change;
    }
    ASSERT_EQ(p.at(1, i, j, k), sum) << dim << ": " << i << " " << j << " " << k;
  };
  for (const int tile_rows : {2, 0, 3})
    for (const bool in_parts : {false, true}) {
      auto all = patches<Real>(dim, 2);
      start(table.loops().host, table.kernel.get(), all, {0, 1}, nullptr, nullptr, geometry(), tile_rows, in_parts);
      each(all, compare);
    }
}
template <template <int, class> class K> void transports(auto flux) {
  transport<K, 1, double>(flux), transport<K, 2, double>(flux), transport<K, 3, double>(flux);
  transport<K, 3, float>(flux), transport<K, 2, float>(flux);
}

template <int order, int axis, int nth>
void polynomial() {  // exact up to degree order, and one more by symmetry for nth = 2
  const auto table = detail::make_table<Differentiate<order, axis, nth>, 3, double>();
  for (int degree = 0; degree <= order + (nth == 2 ? 1 : 0); ++degree) {
    auto all = patches<double>(3, 2);
    const auto x = [&](const int* n) { return 0.1 * n[axis] * spacing[axis]; };
    for (auto& p : all)
      for (int m = -order / 2; m <= order / 2; ++m)
        for (int k = p.lo[2]; k < p.hi[2]; ++k)
          for (int j = p.lo[1]; j < p.hi[1]; ++j)
            for (int i = p.lo[0]; i < p.hi[0]; ++i) {
              int n[3] = {i, j, k};
              n[axis] += m;
              p.at(0, n[0], n[1], n[2]) = std::pow(x(n), degree);
            }
    start(table.loops().host, table.kernel.get(), all, {0, 1});
    each(all, [&](auto& p, int i, int j, int k) {
      const int n[3] = {i, j, k};
      const double exact = nth == 1 ? (degree ? 0.1 * degree * std::pow(x(n), degree - 1) : 0)
                                    : (degree > 1 ? 0.01 * degree * (degree - 1) * std::pow(x(n), degree - 2) : 0);
      const double scale = std::pow(2.4, degree);
      ASSERT_NEAR(p.at(1, i, j, k), exact, 1e-11 * std::fmax(1, scale)) << order << " " << axis << " " << degree;
    });
  }
}
}  // namespace

// Mutations of stencil.hpp and host_loop.hpp: any coefficient; inv_h for inv_h2; `sj` and `sk` exchanged; one source
// less; a[0] for a[s].
TEST(Kernels, laplacian_direct_and_fused) {
  const auto orders = [&]<int dim, class Real>() {
    laplace<2, dim, Real>(), laplace<4, dim, Real>(), laplace<6, dim, Real>(), laplace<8, dim, Real>();
  };
  orders.template operator()<1, double>(), orders.template operator()<2, double>(),
      orders.template operator()<3, double>();
  orders.template operator()<1, float>(), orders.template operator()<3, float>();
}

// Mutations of host_loop.hpp: sums.row(o) - c without `from`; of the sums of a piece one point is left out.
TEST(Kernels, a_long_row_is_updated_in_pieces) {
  const auto table = detail::make_table<Laplace<2, 1, double>, 1, double>();
  constexpr int points = 5000, lowest = -3, size = points + 2 * ghosts;
  std::vector<double> memory(3 * size);
  double *u = &memory[ghosts - lowest], *to = u + size, *from = to + size;  // by the point's number
  for (int i = lowest - ghosts; i < lowest + points + ghosts; ++i) u[i] = value(i, 0, 0), from[i] = value(0, i, 0);
  BlockLaunch b{};
  b.lo[0] = b.first[0] = lowest, b.hi[0] = b.end[0] = lowest + points, b.hi[1] = b.hi[2] = b.end[1] = b.end[2] = 1;
  const auto at_first = [](double* v) { return reinterpret_cast<char*>(v + lowest); };
  char* const addresses[] = {at_first(u), nullptr, at_first(to), at_first(from), at_first(from), nullptr, nullptr};
  const Epilogue e{.sources = 2, .a = {0.5, 0.25}, .b = 0.01};
  const Geometry g = geometry();
  table.loops().host_fused(table.kernel.get(), {{&b, 1}, addresses, {1, size, size}, &g, 1, &e});
  for (int i = lowest; i < lowest + points; ++i)
    ASSERT_NEAR(to[i], 0.01 * laplacian_by_hand(2, 1, i, 0, 0) + 0.75 * from[i], 1e-12) << i;
}

// Mutation: any coefficient of d1 or d2 in the last digit but four.
TEST(Kernels, differences_are_exact_on_polynomials) {
  polynomial<2, 0, 1>(), polynomial<4, 1, 1>(), polynomial<6, 2, 1>(), polynomial<8, 0, 1>(), polynomial<8, 1, 1>();
  polynomial<2, 0, 2>(), polynomial<4, 1, 2>(), polynomial<6, 2, 2>(), polynomial<8, 0, 2>(), polynomial<8, 1, 2>();
}

// Mutations of wide_faces.hpp: a lane further; faces of the row before taken at the begin of a row of tiles, or of a
// plane that is not the one before; the first vector without a lower face of its own.
TEST(Kernels, faces_are_shared_to_the_last_bit) {
  transports<Transport>([](auto v) { return (v(-1) + 2 * v(0)) * v(0); });
}

// Mutations of wide_cells.hpp and wide_faces.hpp: a row too few for the tile and what is around it; a cell of the row
// before or after; the last cells of a row left out; the upper side of a cell for the lower one; a lane further.
TEST(Kernels, cells_and_their_sides_are_kept_to_the_last_bit) {
  transports<Reconstructed>([](auto v) {
    const auto slope = [&](int n) { return v(n + 1) * v(n + 1) - v(n - 1) * v(n - 1); };
    const auto below = v(-1) * v(-1) + slope(-1), above = v(0) * v(0) - slope(0);
    return (below + below) * above - below;
  });
}

// Mutation: the sign of dj, or dk * sj, in DirectPoint::neighbour.
TEST(Kernels, a_box_reads_corners) {
  const auto table = detail::make_table<Corners, 3, double>();
  auto all = patches<double>(3, 2);
  start(table.loops().host, table.kernel.get(), all, {0, 1});
  each(all, [&](auto& p, int i, int j, int k) {
    ASSERT_EQ(p.at(1, i, j, k), value(i + 2, j - 1, k + 1) + 2 * value(i - 2, j + 2, k) + 3 * value(i + 1, j, k - 2));
  });
}

// Mutation: gathered() without dk.
TEST(Kernels, gather_reads_at_run_time_offsets) {
  const auto table = detail::make_table<Gathered, 3, double>();
  static_cast<Gathered*>(table.kernel.get())->by = 2;
  auto all = patches<double>(3, 2);
  start(table.loops().host, table.kernel.get(), all, {0, 1});
  each(all, [&](auto& p, int i, int j, int k) { ASSERT_EQ(p.at(1, i, j, k), value(i + 2, j - 2, k + i % 2)); });
}

// Mutations: `at` or `first` of Elsewhere left out; its strides exchanged; is_elsewhere left out of FusableOutputs.
TEST(Kernels, a_block_of_another_grid_is_read_wherever_a_point_is) {
  const auto table = detail::make_table<FromElsewhere, 3, double>();
  EXPECT_FALSE(table.fusable) << "an update by points of one grid";
  auto all = patches<double>(3, 2);
  const auto& other = all[2];
  static_cast<FromElsewhere*>(table.kernel.get())->grid = {other.slot * other.size,
      {other.stride[0], other.stride[1], other.stride[2]}, {other.lo[0], other.lo[1], other.lo[2]}};
  start(table.loops().host, table.kernel.get(), all, {0, 1});
  each(all, [&](auto& p, int i, int j, int k) {
    const int x = -(i & 15), z = 4 + (k & 3);
    ASSERT_EQ(p.at(1, i, j, k), value(x, 3, z) + 2 * value(x, 2, z) + 3 * value(x, 3, z + 1));
  });
}

// Mutations of at_face in point.hpp: the lower face for both; `ahead` with the other sign.
TEST(Kernels, a_point_knows_whether_it_lies_on_a_face) {
  Geometry g = geometry();
  constexpr int nowhere = std::numeric_limits<int>::min();
  const int faces[3][2] = {{0, 16}, {-2, nowhere}, {2, 4}};
  for (int d = 0; d < 3; ++d) g.face[d][0] = faces[d][0], g.face[d][1] = faces[d][1];
  const auto table = detail::make_table<AtFaces, 3, double>();
  auto all = patches<double>(3, 1);
  start(table.loops().host, table.kernel.get(), all, {0}, nullptr, nullptr, g);
  int seen = 0;
  each(all, [&](auto& p, int i, int j, int k) {
    const double want =
        (i == 0) + 10 * (i == 16) + 100 * (j == -2) + 1e4 * (k == 2) + 1e5 * (k == 4) + 1e6 * (k == 3) + 1e7 * (i == 2);
    ASSERT_EQ(p.at(0, i, j, k), want) << i << " " << j << " " << k;
    seen |= (i == 0) | (i == 16) << 1 | (j == -2) << 2 | (k == 2) << 3 | (k == 4) << 4;
  });
  EXPECT_EQ(seen, 31) << "every face has points";
}

// Mutation: identity 0; `<` turned round; only the last block combined; a plain sum of doubles for Sum.
TEST(Kernels, reductions_do_not_depend_on_the_order) {
  auto all = patches<double>(3, 1);
  each(all, [&](auto& p, int i, int j, int k) { p.at(0, i, j, k) -= 3; });  // all negative: a maximum of 0 would show
  double least = 1e9, most = -1e9, sum = 0;
  each(all, [&](auto& p, int i, int j, int k) {
    const double v = p.at(0, i, j, k);
    least = std::fmin(least, v), most = std::fmax(most, v), sum += v;
  });
  const auto reduce = [&]<class R>(R) {
    const auto table = detail::make_table<Reduced<R>, 3, double>();
    R result;
    table.identity(&result);
    start(table.loops().host, table.kernel.get(), all, {0}, nullptr, &result);
    return result;
  };
  EXPECT_EQ(reduce(Max<double>{}).value, most);
  EXPECT_EQ(reduce(Min<double>{}).value, least);
  const double one = reduce(Sum{}).value();
  std::swap(all[0], all[2]);
  EXPECT_NEAR(one, sum, 1e-12 * std::fabs(sum));
  EXPECT_EQ(reduce(Sum{}).value(), one);
}

// Mutation: `value < b.value ? b.value : value`, which drops not-a-number.
TEST(Kernels, extremes_keep_not_a_number_wherever_it_comes) {
  const double nan = std::nan("");
  const auto of = [](auto all, std::initializer_list<double> terms) {
    for (const double x : terms) all.combine({x});
    return all.value;
  };
  for (const auto& terms : {std::initializer_list<double>{nan, 1, 2}, {1, nan, 2}, {1, 2, nan}, {nan, nan}}) {
    EXPECT_TRUE(std::isnan(of(Max<double>::identity(), terms)));
    EXPECT_TRUE(std::isnan(of(Min<double>::identity(), terms)));
  }
  EXPECT_EQ(of(Max<double>::identity(), {1, 3, 2}), 3);
  EXPECT_EQ(of(Min<double>::identity(), {3, 1, 2}), 1);
}

// Mutations: a place too few; places moved the wrong way when a larger term comes; the sign left out; the leading bit
// looked for one place too low; arithmetic for terms above the highest place, or for infinite ones.
TEST(Kernels, sums_of_any_size_are_exact_in_any_order) {
  std::mt19937_64 random(1);
  std::vector<double> terms;
  for (int n = 0; n < 4000; ++n)
    terms.push_back(
        std::ldexp(static_cast<double>(random() >> 11) * (n % 2 ? 1 : -1), static_cast<int>(random() % 60) - 53));
  std::vector<double> sorted = terms;
  std::ranges::sort(sorted, {}, [](double x) { return std::fabs(x); });
  long double exact = 0;
  for (double x : sorted) exact += x;
  const auto sum = [](std::span<const double> list, auto&& self) -> Sum {  // as a tree
    if (list.size() == 1) return {list[0]};
    Sum a = self(list.first(list.size() / 3 + (list.size() < 3 ? 1 : 0)), self);
    a.combine(self(list.subspan(list.size() / 3 + (list.size() < 3 ? 1 : 0)), self));
    return a;
  };
  const double first = sum(terms, sum).value();
  EXPECT_NEAR(first, static_cast<double>(exact), 1e-15 * std::fabs(sorted.back()));
  for (int n = 0; n < 20; ++n) {
    std::ranges::shuffle(terms, random);
    EXPECT_EQ(sum(terms, sum).value(), first);
    Sum s = Sum::identity();
    for (double x : terms) s.combine({x});
    EXPECT_EQ(s.value(), first);
  }
  const auto total = [&](std::vector<double> list) { return sum(list, sum).value(); };
  EXPECT_EQ(total({1e300, 3.0, -1e300}), 0) << "more than 80 bits below the largest";
  EXPECT_EQ(total({1e20, 3.0, -1e20}), 3);
  EXPECT_EQ(total({5e-324, 5e-324}), 1e-323);
  EXPECT_EQ(total({1.7e308, -1.6e308}), 1.7e308 - 1.6e308);
  EXPECT_EQ(total({0.1, 0.2, 0.3, 0.4}), 1.0);
  EXPECT_EQ(total({-0.1}), -0.1);
  EXPECT_TRUE(std::isnan(total({1.0, HUGE_VAL})));
  EXPECT_TRUE(std::isnan(total({1.7e308, HUGE_VAL, 1.0})));
}

// Mutation: drop either static_assert of at<…>().
TEST(Kernels, a_read_outside_the_reach_does_not_compile) {
  const char* source = std::getenv("CEREUS_SOURCE");
  if (!source || std::system("g++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no compiler, or no CEREUS_SOURCE";
  const auto compiles = [&](const char* read, const char* sentence) {
    const std::string text = std::string("#include <cereus/kernel.hpp>\\nusing namespace cereus;\\n") +
                             "double f(DirectPoint<3>& p, In<double, star<1>> v) { return " + read + "; }\\n";
    const std::string command =
        "printf '" + text + "' | g++ -std=c++20 -fsyntax-only -I " + source + "/flesh/include -x c++ - 2>&1";
    const std::string look = *sentence ? command + " | grep -q '" + sentence + "'" : command + " > /dev/null";
    return std::system(look.c_str()) == 0;
  };
  EXPECT_TRUE(compiles("at<1, 0, 0>(p, v)", ""));
  EXPECT_TRUE(compiles("at<2, 0, 0>(p, v)", "read outside the declared reach"));
  EXPECT_TRUE(compiles("at<1, 1, 0>(p, v)", "a star reaches along the axes only"));
}
