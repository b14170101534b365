// benchmark_view_heat CELLS STEPS --verbose: the rate of heat as a program without a thorn; diffusion.yaml is the same
// as a parameter file.
#include <cereus/view.hpp>
#include <cstdio>
#include <cstdlib>

#include "../../view/heat.hpp"

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512, steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  view::World world(argc, argv, {.cells = {n, n, n}, .lower = {0}, .upper = {1}});
  auto [t] = world.group<Heat>("heat", {"t"}, {.timelevels = 2, .centre = Centre::vertex});
  t = exp(-50 * (square(view::x - 0.5) + square(view::y - 0.5) + square(view::z - 0.5)));
  auto step = world.map<Diffuse>("step", [=](auto& k) { k.c = 0.1 / n / n; });
  world.run(step, steps);
  const double sum = t.sum();
  if (world.rank() == 0) std::printf("%g\n", sum);
}
