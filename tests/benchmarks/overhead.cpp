// What the flesh costs a scheduled routine: N thorns, each with a routine that reads 5 variables which the one before
// wrote and writes 5 others, on 8 blocks, alternating interior and everywhere; timers on, audit off. The routines do
// nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "cereus/schedule.hpp"
#include "exec/bin.hpp"
#include "schedule/build.hpp"

using namespace cereus;

namespace {
struct EightBlocks : Driver {  // of 4³ cells, periodic, one process; nothing is ever stale in this benchmark
  int dimension() const override { return 3; }
  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.ghosts = {width, width, width};
    Level l;
    l.space.cells = {{0, 0, 0}, {8, 8, 8}};
    l.space.periodic = {1, 1, 1};
    std::vector<Block> blocks;
    for (int b = 0; b < 8; ++b) {
      const Index lo{4 * (b & 1), 4 * ((b >> 1) & 1), 4 * (b >> 2)};
      blocks.push_back({.number = b, .cells = {lo, {lo[0] + 4, lo[1] + 4, lo[2] + 4}}});
    }
    g.add(l, blocks);
    return g;
  }
  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return {}; }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override {
    throw Failure("something is stale");
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char>) override { return {}; }
};

void measure(int thorns) {
  Simulation s;
  std::vector<std::shared_ptr<Item>> items;
  for (int t = 0; t < thorns; ++t) {
    ThornRecord record;
    record.name = "T" + std::to_string(1000 + t);
    Declaration d(record);
    d.group("a", {"a0", "a1", "a2", "a3", "a4"}, "What this thorn writes");
    s.thorns.push_back(record);
    s.parameters.emplace(record.name, Parameters(record.name, {}));
  }
  Problems problems;
  collect_groups(s, problems);
  for (int t = 0; t < thorns; ++t) {
    Schedule schedule(s.thorns[t].name, items);
    const Region region = t % 2 ? Region::everywhere : Region::interior;
    auto item = schedule.routine("work", "Does nothing", [](Context&) {});
    if (t > 0) item.reads({s.thorns[t - 1].name + "::a"}, t % 2 ? Region::interior : Region::everywhere);
    item.writes({s.thorns[t].name + "::a"}, region).at(bin::evolve);
  }
  resolve_routines(s, items, problems);
  sort_schedule(s, problems);
  problems.throw_if_any();
  auto driver = std::make_shared<EightBlocks>();
  s.services.add(Driver::service_name, driver);
  s.grid = driver->make_grid(2, Process{});
  s.fields = Fields(s.groups, buffers_of_groups(s, 0), s.grid, ScalarType::float64, true);
  std::vector<double> microseconds;
  const auto& children = s.bins.at("evolve").children;
  for (int step = 0; step < 2000; ++step)
    for (const auto& node : children) {
      const auto start = std::chrono::steady_clock::now();
      run_node(s, node, {0, 1});
      microseconds.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
  std::sort(microseconds.begin(), microseconds.end());
  std::printf("%4d thorns: median %.3f us, 99 %% below %.3f us a routine\n", thorns,
      microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 99 / 100]);
}
}  // namespace

int main() {
  measure(10);
  measure(100);
}
