// Heat spreads from the middle of a periodic cube: FLOWS' first program.
#include <cereus/view.hpp>
#include <cstdio>

#include "heat.hpp"

int main(int argc, char** argv) {
  view::World world(argc, argv, {.cells = {64, 64, 64}, .lower = {0}, .upper = {1}, .periodic = {true}});
  auto [t] = world.group<Heat>("heat", {"t"}, {.timelevels = 2});
  t = exp(-100 * (square(view::x - 0.5) + square(view::y - 0.5) + square(view::z - 0.5)));
  auto step = world.map<Diffuse>("step", [](auto& k) { k.c = 0.1 / (64 * 64); });
  const double before = t.sum();
  world.run(step, 100);
  const double after = t.sum(), top = t.max(), middle = t.at(32, 32, 32);
  if (world.rank() == 0) std::printf("%.17g %.17g %.17g %.17g\n", before, after, top, middle);
}
