// heat [STEPS]: heat spreads from the middle of a periodic cube.
#include <cereus/view.hpp>
#include <cstdio>
#include <cstdlib>

#include "heat.hpp"

int main(int argc, char** argv) {
  view::World world(argc, argv, {.cells = {48, 48, 48}, .lower = {0}, .upper = {1}});
  auto [t] = world.group<Heat>("heat", {"t"}, {.timelevels = 2, .centre = Centre::vertex});
  const double w2 = 0.1 * 0.1, h2 = 1.0 / 48 / 48;
  t = exp(-(square(view::x - 0.5) / (2 * w2) + square(view::y - 0.5) / (2 * w2) + square(view::z - 0.5) / (2 * w2)));
  auto step = world.map<Diffuse>("step", [=](auto& k) { k.c = 0.1 * h2; });
  world.run(step, argc > 1 ? std::atoi(argv[1]) : 50);
  const double sum = t.sum(), middle = t.at(24, 24, 24);
  if (world.rank() == 0) std::printf("sum %.17g, in the middle %.17g\n", sum, middle);
}
