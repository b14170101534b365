// Neighbours in expressions and parts of the domain, each against a loop over global indices; the last line is the
// same for any processes and device.
#include <cereus/view.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "surface.hpp"

namespace {
constexpr int nx = 24, ny = 20;
constexpr double dx = 1.0 / nx, dy = 2.0 / ny;
bool fine = true;
unsigned long long digest = 1469598103934665603ULL;
using Values = std::array<std::array<double, ny>, nx>;

double of(const Values& v, int i, int j) { return v[(i + nx) % nx][(j + ny) % ny]; }  // periodic
template <class F> Values values(F&& f) {
  Values v{};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) v[i][j] = f(i, j);
  return v;
}
void check(bool good, const char* what) {
  if (!good) std::printf("WRONG: %s\n", what), fine = false;
}
template <class Field> Values compare(const Field& f, const Values& wanted, const char* what, double tolerance = 0) {
  double worst = 0;
  f.copy_out([&](const Box& box, const double* data) {
    for_each_point(box, [&](int i, int j, int) {
      const double value = *data++;
      worst = std::isnan(value) ? 1e300 : std::max(worst, std::fabs(value - wanted[i][j]));
      unsigned long long bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      digest += (bits ^ static_cast<unsigned long long>(i * 131 + j)) * 1099511628211ULL;  // in any order
    });
  });
  check(worst <= tolerance, what);
  return wanted;
}
struct At {  // a point, as far as noise asks for it
  int i, j;
  int index(int axis) const { return axis == 0 ? i : axis == 1 ? j : 0; }
};
// Weights of second differences, from the middle on.
double laplace(const Values& v, int i, int j, std::initializer_list<double> weights) {
  double sum = 0;
  int m = 0;
  for (const double w : weights) {
    sum += w / dx / dx * (m ? of(v, i + m, j) + of(v, i - m, j) : of(v, i, j));
    sum += w / dy / dy * (m ? of(v, i, j + m) + of(v, i, j - m) : of(v, i, j));
    ++m;
  }
  return sum;
}

template <class World> void neighbours(World& world) {
  auto f = world.field("f"), g = world.field("g");
  f = view::noise(7);
  Values a = compare(f, values([](int i, int j) { return noise<double>(At{i, j}, 7); }), "noise");
  g = view::shift<1>(f) - 2 * view::shift<0, -1>(f) + view::shift<1, 2>(f);
  compare(g, values([&](int i, int j) { return of(a, i + 1, j) - 2 * of(a, i, j - 1) + of(a, i + 1, j + 2); }),
      "neighbours");
  g = laplacian<2>(f);
  compare(g, values([&](int i, int j) { return laplace(a, i, j, {-2, 1}); }), "the Laplacian of order 2", 1e-11);
  g = laplacian<4>(f);
  compare(g, values([&](int i, int j) {
    return laplace(a, i, j, {-5. / 2, 4. / 3, -1. / 12});
  }),
      "the Laplacian of order 4", 1e-11);
  g = f;
  g = laplacian<8>(g);  // ghost zones become wider, and f stays as it is
  compare(g, values([&](int i, int j) {
    return laplace(a, i, j, {-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560});
  }),
      "the Laplacian of order 8, of itself", 1e-11);
  g = derivative<2, 1>(f);
  compare(
      g, values([&](int i, int j) { return (of(a, i, j + 1) - of(a, i, j - 1)) / (2 * dy); }), "a derivative", 1e-13);
  g = view::shift<0, 6>(f);  // four processes have other blocks now
  compare(g, values([&](int i, int j) { return of(a, i, j + 6); }), "a neighbour far away");
  double energy = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) energy += std::pow((of(a, i + 1, j) - of(a, i - 1, j)) / (2 * dx), 2);
  check(std::fabs(sum(square(derivative<2, 0>(f))) - energy) < 1e-10, "a sum with neighbours");
  for (int n = 0; n < 5; ++n) {
    f = f + 0.1 * dx * dx * laplacian<2>(f);
    a = values([&](int i, int j) { return of(a, i, j) + 0.1 * dx * dx * laplace(a, i, j, {-2, 1}); });
  }
  compare(f, a, "an update from a field's own neighbours", 1e-14);
  auto v = world.field("corners", {.centre = Centre::vertex});
  v = view::index(0);
  v = view::shift<-1>(v);
  compare(v, values([](int i, int) { return (i + nx - 1) % nx; }), "of vertices");
  g = erf(f);
  compare(g, values([&](int i, int j) { return std::erf(a[i][j]); }), "erf", 1e-13);
}

bool inside(int i, int j) { return i >= 2 && i < 9 && j >= 3 && j < 5; }
template <class World> void assignments(World& world) {
  auto f = world.field("part");
  f = view::index(0) + 100 * view::index(1);
  f.set({0, 0}, 7);  // by the host
  f.on({{2, 3}, {9, 5}}) = 5;
  compare(f, values([](int i, int j) { return inside(i, j) ? 5
                                              : i + j == 0 ? 7
                                                           : i + 100 * j; }),
      "a part becomes a number");
  f = view::index(0) + 100 * view::index(1);
  f.on({{2, 3}, {9, 5}}) = -f;
  Values a =
      compare(f, values([](int i, int j) { return (inside(i, j) ? -1 : 1) * (i + 100 * j); }), "a part is assigned");
  f.on({{2, 3}, {9, 5}}) = view::shift<0, 1>(f);
  compare(f, values([&](int i, int j) { return inside(i, j) ? of(a, i, j + 1) : of(a, i, j); }), "from its neighbours");
  f = view::shift<0, 1>(f) - f;
  compare(f, values([&](int i, int j) {
    const auto now = [&](int k) { return inside(i, k % ny) ? of(a, i, k + 1) : of(a, i, k); };
    return now(j + 1) - now(j);
  }),
      "neighbours are those of the part");
}

template <class World> void maps(World& world) {
  auto [u, v] = world.template group<State>("state", {"u", "v"}, {.timelevels = 2});
  auto [w] = world.template group<Other>("other", {"w"});
  auto [s] = world.template group<Wide>("wide", {"s"});
  u = 0;
  v = view::index(0) + 1;
  w = view::index(1);
  double c = 1;
  const auto set = [&](auto& k) { k.c = c; };
  auto one = world.template map<AddOne>("one").on({{2, 3}, {9, 5}});
  auto far = world.template map<Far>("far").on({{2, 3}, {9, 5}});
  auto part = world.template map<Shift>("part", set).on({{2, 3}, {9, 5}});
  auto low = world.template map<Shift>("low", set).on({{0, 0}, {nx, 4}});
  auto high = world.template map<Shift>("high", set).on({{0, 4}, {nx, ny}});
  auto whole = world.template map<Shift>("whole", [](auto& k) { k.c = 1; });
  world.run(one, 3);
  const Values k = compare(w, values([](int i, int j) { return j + (inside(i, j) ? 3 : 0); }), "a map on a part");
  s = 3;
  s.set({0, 0}, 7);  // by the host
  world.run(far, 1);
  compare(s, values([&](int i, int j) {
    return inside(i, j) ? of(k, i - 2, j) + of(k, i, j + 2) : i + j == 0 ? 7 : 3;
  }),
      "a map that only writes, on a part");
  Values a = values([](int, int) { return 0; }), b = values([](int i, int) { return i + 1; });
  const auto step = [&](auto&& where, double factor) {  // all from what was before
    const Values x = a, y = b;
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        if (where(i, j)) a[i][j] = x[i][j] + factor * of(y, i + 1, j), b[i][j] = 2 * y[i][j];
  };
  for (c = 1; c < 4; c += 2) {  // members are set anew
    world.run(part, 2);
    step(inside, c), step(inside, c);
    compare(u, a, "the rest keeps its values");
    compare(v, b, "the rest of the group, too");
  }
  world.run({low, high}, 2);
  for (int n = 0; n < 2; ++n) step([](int, int) { return true; }, c);
  compare(u, a, "two parts are the whole");
  world.run({whole, part}, 1);
  const Values x = a, y = b;
  step([](int, int) { return true; }, 1);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      if (inside(i, j)) a[i][j] = x[i][j] + c * of(y, i + 1, j);
  compare(u, a, "a part after the whole");
  world.run(world.template map<Both>("both"), 2);
  double energy = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) energy += std::pow((of(b, i + 2, j) - of(b, i, j)) / (2 * dx), 2);
  const double found = sum(square(derivative<2, 0>(s)));
  check(std::fabs(found - energy) < 1e-10 * energy,
      "neighbours of what a kernel wrote beside what it fills ghost zones of");
}

// neighbours wildcard STEPS: goes on where it stopped, and all that it has is written.
int wildcard(int argc, char** argv) {
  view::World<2> world(argc, argv, {.cells = {nx, ny}});
  auto [w] = world.group<Other>("other", {"w"});
  w = 1;
  w = w + view::shift<1>(w);
  const int steps = std::atoi(argv[2]);
  world.run(world.map<AddOne>("one"), steps);
  compare(w, values([=](int, int) { return 2 + steps; }), "after a restart");
  return fine ? 0 : 1;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "wildcard") == 0) return wildcard(argc, argv);
  {
    view::World<2> world(argc, argv, {.cells = {nx, ny}, .lower = {0, 0}, .upper = {1, 2}});
    neighbours(world);
    assignments(world);
    maps(world);
    if (world.rank() == 0) std::printf("digest %llx\n", digest);
  }
  {  // between walls
    view::World<2> world(argc, argv, {.cells = {nx, ny}, .periodic = {false}});
    auto f = world.field("f", {.boundary = "neumann"});
    f = view::index(0);
    f = view::shift<-1>(f) + 100 * view::shift<1>(f);
    compare(f, values([](int i, int) { return std::max(i - 1, 0) + 100 * std::min(i + 1, nx - 1); }), "walls");
  }
  std::printf("%s\n", fine ? "fine" : "not fine");
  return fine ? 0 : 1;
}
