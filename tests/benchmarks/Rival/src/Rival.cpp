// After each step of a WaveToy run, the same work by hand, in the same process and interleaved with it; at the end a
// table and rival.json. The shipped path is timed by the run's own timers.
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "by_hand.hpp"

namespace Rival {
using namespace cereus;

struct Best {
  double seconds = 1e30;
};
struct Measurements {  // of the benchmark, not of the run: it would make no sense to restart it
  std::map<std::string, Best> best;
  std::unique_ptr<Grid> grid;
  std::vector<Array> arrays;
  std::map<std::string, std::int64_t> calls, nanoseconds;
};
Measurements& all() {
  static Measurements m;
  return m;
}

template <class F> void time(const char* what, F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  auto& best = all().best[what].seconds;
  best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}
// Time a call of a scheduled item took in this step.
void time_of(const Simulation& s, const std::string& node) {
  auto& m = all();
  for (const auto& n : s.timers.nodes())
    if (n.name == node) {
      const auto calls = n.calls - m.calls[node], ns = n.nanoseconds - m.nanoseconds[node];
      m.calls[node] = n.calls, m.nanoseconds[node] = n.nanoseconds;
      if (calls > 0)
        m.best[node].seconds =
            std::min(m.best[node].seconds, 1e-9 * static_cast<double>(ns) / static_cast<double>(calls));
    }
}

void run(Context& c) {
  auto& m = all();
  const Patch& l = c.grid().levels[0].space;
  if (!m.grid) {
    m.grid = std::make_unique<Grid>(l.cells.extent(0), 1 / (l.spacing[0] * l.spacing[0]), 1.0);
    for (int a = 0; a < 8; ++a) m.arrays.emplace_back(*m.grid);
    return;
  }
  Simulation& s = c.simulation();
  time_of(s, "WaveToy::rhs");
  time_of(s, "evolve");
  const Grid& g = *m.grid;
  const auto p = [&](int a) { return m.arrays[static_cast<std::size_t>(a)].at; };
  const std::pair<const char*, Tiling> tilings[] = {{"rhs, rows", Tiling::rows}, {"rhs, j-blocks", Tiling::j_blocks},
      {"rhs, j,k-blocks", Tiling::jk_blocks}, {"rhs, k-sweep", Tiling::k_sweep}};
  for (const auto& [name, tiling] : tilings)
    time(name, [&] {
      fill_ghosts(g, p(0));  // the shipped right-hand side is timed with its exchange, too
      rhs(g, tiling, p(0), p(1), p(2), p(3));
    });
  time("copy, 2 reads and 2 writes", [&] { copy(g, p(0), p(1), p(2), p(3)); });
  const std::pair<const char*, Tiling> steps[] = {{"RK4, rows", Tiling::rows}, {"RK4, j-blocks", Tiling::j_blocks},
      {"RK4, j,k-blocks", Tiling::jk_blocks}, {"RK4, k-sweep", Tiling::k_sweep}};
  for (const auto& [name, tiling] : steps)
    time(name, [&] { rk4(g, tiling, {p(0), p(1)}, {p(2), p(3)}, {p(4), p(5)}, {p(6), p(7)}, 1e-3); });
}

void report(Context& c) {
  const auto& m = all();
  const double points = static_cast<double>(c.grid().levels[0].space.cells.points());
  std::ofstream json(c.simulation().output / "rival.json");
  json << "{";
  const char* comma = "";
  for (const auto& [name, best] : m.best) {
    const bool step = name.starts_with("RK4") || name == "evolve";
    char line[200];
    std::snprintf(line, sizeof line, "%-28s %8.2f ms  %6.2f GB/s of %d B a point", name.c_str(), 1e3 * best.seconds,
        1e-9 * points * (step ? 208 : 32) / best.seconds, step ? 208 : 32);
    console::say(line);
    json << comma << "\"" << name << "\": " << best.seconds;
    comma = ", ";
  }
  json << "}\n";
}

void declare(Declaration& d) { d.describe("Benchmark: WaveToy's work by hand, interleaved with the run"); }
void schedule(Schedule& s, const Parameters&) {
  s.routine("run", "The same work by hand", run).at(bin::output).once();
  s.routine("report", "Prints the best times", report).at(bin::terminate).once();
}
}  // namespace Rival
CEREUS_THORN(Rival, Rival::declare, Rival::schedule)
