// benchmark_view_elementwise CELLS ROUNDS: element-wise expressions over the bandwidth of the copy g = f, each the best
// of so many rounds.
#include <cereus/view.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace cereus;
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512, rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  view::World world(argc, argv, {.cells = {n, n, n}, .lower = {0}, .upper = {1}});
  auto f = world.field("f"), g = world.field("g"), h = world.field("h");
  f = view::x + 1;
  g = 2 * sqrt(f);
  h = f * g + 0.5;
  h.at(0);
  constexpr const char* what[] = {"g = f", "g = 2 sqrt(f)", "h = f g + k", "sum((g - h)^2)"};
  constexpr int arrays[] = {2, 2, 3, 2};
  double best[] = {1e30, 1e30, 1e30, 1e30};
  for (int r = 0; r < rounds; ++r) {
    const auto time = [&](int k, auto&& run) {
      const auto begin = std::chrono::steady_clock::now();
      run();
      best[k] = std::min(best[k], std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    };
    time(0, [&] { g = f; });
    time(1, [&] { g = 2 * sqrt(f); });
    time(2, [&] { h = f * g + 0.5; });
    time(3, [&] { (void)sum(square(g - h)); });
  }
  for (int k = 0; k < 4 && world.rank() == 0; ++k)
    std::printf("%-15s %7.1f GB/s, %.3f of the copy\n", what[k], 8e-9 * arrays[k] * n * n * n / best[k],
        arrays[k] / best[k] * best[0] / arrays[0]);
}
