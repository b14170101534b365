// A forest of 262,144 leaves of 32³ cells, eight for each of 32,768 processes, finer within a ball, and ever finer
// around its middle: the plan of ghost zones of one process, and a change of the forest as the ball moves on. Prints
// milliseconds.
#include <chrono>
#include <cstdio>

#include "plan.hpp"

using namespace Forest;

namespace {
constexpr int trees = 48, processes = 32768, block = 32;

template <class F> double milliseconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Level 1 within a ball around a place, in blocks of level 0, and up to level 8 in balls within it.
int wanted(const Leaf& l, double x) {
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    const double at = (l.at[d] + 0.5) / (1 << l.level) - (d == 0 ? x : trees / 2);
    square += at * at;
  }
  double radius = 1.5;
  for (int level = 8; level > 1; --level, radius *= 1.1)
    if (square < radius * radius / (1 << 2 * (level - 1))) return level;
  return square < 17.1 * 17.1 ? 1 : 0;
}
}  // namespace

int main() {
  Leaves leaves(3, {trees, trees, trees}, {1, 1, 1});
  leaves.refine([](const Leaf& l) { return wanted(l, trees / 2); });
  leaves.number(processes);
  cereus::Patch space;
  space.cells.hi = {trees * block, trees * block, trees * block};
  space.periodic = {1, 1, 1};
  const Centring vertices{Centre::vertex, Centre::vertex, Centre::vertex};
  double slowest = 0;
  std::size_t moves = 0;
  for (int rank = 100; rank < processes; rank += processes / 16)
    slowest = std::max(slowest, milliseconds([&] {
      for (int level = 0; level < leaves.levels(); ++level)
        moves += make_plan({leaves, space, block}, level, vertices, 3, true, 7, 6, rank).moves.size();
    }));
  std::printf("%lld leaves, %d processes: a plan of all levels %.2f ms (the slowest of 16), %zu moves in all\n",
      static_cast<long long>(leaves.count()), processes, slowest, moves);
  Leaves next = leaves;
  const double change = milliseconds([&] { next.change([](const Leaf& l) { return wanted(l, trees / 2 + 1); }); });
  const double number = milliseconds([&] { next.number(processes); });
  std::printf("a change to %lld leaves: %.0f ms, and %.0f ms to number them\n", static_cast<long long>(next.count()),
      change, number);
}
