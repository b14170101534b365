// All that a World offers, each against a loop over global indices; the last line is the same for any processes and
// device.
#include <cereus/view.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

#include "surface.hpp"

namespace {
constexpr int nx = 12, ny = 10;
bool fine = true;
unsigned long long digest = 1469598103934665603ULL;
void check(bool good, const char* what) {
  if (!good) std::printf("WRONG: %s\n", what), fine = false;
}
template <class Field, class F> void compare(const Field& f, F&& expected, const char* what, double tolerance = 0) {
  double worst = 0;
  long points = 0;
  f.copy_out([&](const Box& box, const auto* data) {
    long n = 0;
    for_each_point(box, [&](int i, int j, int) {
      const double value = data[n++], wanted = expected(i, j);
      worst = std::isnan(value) ? 1e300 : std::max(worst, std::fabs(value - wanted));
      unsigned long long bits = 0;
      std::memcpy(&bits, &data[n - 1], sizeof data[0]);
      digest += (bits ^ static_cast<unsigned long long>(i * 131 + j)) * 1099511628211ULL;  // in any order
      ++points;
    });
  });
  int argument = points == 0 ? 1 : points == nx * ny;  // all points on rank 0, none elsewhere
  check(argument == 1 && worst <= tolerance, what);
}
double x_of(int i) { return (i + 0.5) * (1.0 / nx); }
double y_of(int j) { return (j + 0.5) * (2.0 / ny); }

template <class World> void expressions(World& world) {
  auto f = world.field("f"), g = world.field("g"), h = world.field("h");
  f = view::x * 2 - view::y / 3;
  const auto f_of = [](int i, int j) { return x_of(i) * 2 - y_of(j) / 3; };
  compare(f, f_of, "coordinates");
  g = where(f > 0.5 && !(view::index(1) < 3), 1.0 + f, -f);
  const auto g_of = [&](int i, int j) { return f_of(i, j) > 0.5 && !(j < 3) ? 1 + f_of(i, j) : -f_of(i, j); };
  compare(g, g_of, "where, index and comparisons");
  h = where(f > 0.4, g, 3 * f);
  compare(
      h, [&](int i, int j) { return f_of(i, j) > 0.4 ? g_of(i, j) : 3 * f_of(i, j); }, "where with several fields");
  h = 3;
  h += f * g;
  h -= 1;
  h *= g;
  h /= 2.0;
  const auto h_of = [&](int i, int j) { return (3 + f_of(i, j) * g_of(i, j) - 1) * g_of(i, j) / 2; };
  compare(h, h_of, "+= -= *= /=");
  h = max(min(h, g), atan2(f, 2)) + pow(fabs(g), 1.5) + sqrt(square(f)) + tanh(sin(f) * cos(g)) + view::t;
  const auto all_of = [&](int i, int j) {
    const double a = f_of(i, j), b = g_of(i, j);
    return std::max(std::min(h_of(i, j), b), std::atan2(a, 2)) + std::pow(std::fabs(b), 1.5) + std::sqrt(a * a) +
           std::tanh(std::sin(a) * std::cos(b));
  };
  compare(h, all_of, "functions", 1e-14);
  h = f;
  compare(h, f_of, "a copy");
  h = ((f + g + f + g) + (f + g + f + g)) + ((f + g + f + g) + (f + g + f + g)) +
      (((f + g + f + g) + (f + g + f + g)) + ((f + g + f + g) + (f + g + f + g)));
  compare(
      h, [&](int i, int j) { return 16 * (f_of(i, j) + g_of(i, j)); }, "32 fields in one kernel", 1e-13);

  double total = 0, squares = 0, largest = -1e300, least = 1e300;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double d = f_of(i, j) - g_of(i, j);
      total += f_of(i, j), squares += d * d, largest = std::max(largest, d), least = std::min(least, d);
    }
  check(std::fabs(f.sum() - total) < 1e-12 && std::fabs(sum(f) - total) < 1e-12, "sum");
  check(std::fabs(sum(square(f - g)) - squares) < 1e-12, "sum of an expression");
  check(max(f - g) == largest && min(f - g) == least, "max and min of an expression");
  h = f - g;
  check(h.max() == largest && h.min() == least, "max and min");
  check(std::fabs(h.norm2() - std::sqrt(squares / (nx * ny))) < 1e-14, "norm2");
  check(h.at(7, 8) == f_of(7, 8) - g_of(7, 8), "at");
  h.set({3, 9, 0}, 77);
  check(h.at(3, 9) == 77 && h.max() == 77, "set");
  h.copy_in(
      [](const Box& box, double* data) { for_each_point(box, [&](int i, int j, int) { *data++ = 100 * i + j; }); });
  compare(
      h, [](int i, int j) { return 100 * i + j; }, "copy_in");
}

template <class World> void maps(World& world) {
  auto [u, v] = world.template group<State>("state", {"u", "v"}, {.timelevels = 2});
  auto [w] = world.template group<Other>("other", {"w"});
  u = 0;
  v = view::index(0) + 100 * view::index(1);
  w = view::index(0);
  double c = 1;
  auto shift = world.template map<Shift>("shift", [&](auto& k) { k.c = c; });
  auto twice = world.template map<Double>("twice");
  auto one = world.template map<AddOne>("one");
  const auto v_of = [](int i, int j) { return (i + nx) % nx + 100 * j; };
  world.run(shift, 1);
  compare(
      u, [&](int i, int j) { return v_of(i + 1, j); }, "a neighbour, periodic");
  c = 10;
  world.run({shift, twice, one}, 2);  // v was doubled once before
  compare(
      u, [&](int i, int j) { return v_of(i + 1, j) * (1 + 10 * 2 + 10 * 4); }, "a member set anew");
  compare(
      w, [](int i, int) { return 2 * (2 * i + 1) + 1; }, "twice, then one");
  world.run({one, twice}, 1);
  compare(
      w, [](int i, int) { return 2 * (4 * i + 3 + 1); }, "one, then twice");
  check(world.iteration() == 4 && world.time() == 2, "iteration and time");

  auto [s] = world.template group<Wide>("wide", {"s"});  // ghost zones become wider
  auto far = world.template map<Far>("far");
  world.run(far, 1);
  const auto w_of = [](int i) { return 8.0 * ((i + nx) % nx) + 8; };
  compare(
      s, [&](int i, int) { return w_of(i - 2) + w_of(i); }, "declared late");
  compare(
      u, [&](int i, int j) { return v_of(i + 1, j) * 61; }, "what was there stays");
  check(world.iteration() == 5 && world.time() == 2.5, "the clock goes on");
  v = v * 1;
  world.run(shift, 1);
  compare(
      u, [&](int i, int j) { return v_of(i + 1, j) * (61 + 80); }, "and its past");
}
}  // namespace

int main(int argc, char** argv) {
  {
    view::World<2> world(argc, argv, {.cells = {nx, ny}, .lower = {0, 0}, .upper = {1, 2}, .dt = 0.5});
    expressions(world);
    maps(world);
    if (world.rank() == 0) std::printf("digest %llx\n", digest);
  }
  {  // another one, in float, with walls that keep what is assigned
    view::World<2, float> world(argc, argv, {.cells = {nx, ny}, .periodic = {false}});
    auto [w] = world.group<Other>("other", {"w"}, {.boundary = "fixed"});
    auto [s] = world.group<Wide>("wide", {"s"});
    auto far = world.map<Far>("far");
    view::everywhere(w) = view::index(0) + 0.5f;
    w = w + 1;
    world.run(far, 1);
    compare(
        s,
        [](int i, int j) {
          const auto w_of = [](int n, int m) { return n + (n < 0 || m >= ny ? 0.5 : 1.5); };
          return w_of(i - 2, j) + w_of(i, j + 2);
        },
        "fixed walls");
  }
  {
    view::World<2> world(argc, argv, {.cells = {nx, ny}, .periodic = {false}});
    world.set("UniGrid", {{"stretch_factor", 3.0}, {"stretch_from", 0.5}, {"stretch_width", 0.25}});
    auto f = world.field("f");
    f = view::index(0) + 1;
    check(f.sum() == ny * nx * (nx + 1) / 2, "a sum on stretched axes");
  }
  std::printf("%s\n", fine ? "fine" : "not fine");
  return fine ? 0 : 1;
}
