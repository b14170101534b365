// What the flesh takes to prepare and launch a kernel: 24 outputs with a fused update, 500 blocks, 30 groups. The
// device takes the launch and does nothing. Counts allocations, too.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "cereus/schedule.hpp"
#include "exec/bin.hpp"
#include "schedule/build.hpp"

namespace {
std::atomic<long> allocations{0};
}
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {
using namespace cereus;
constexpr int outputs = 24, groups = 30;
template <class F> struct State { F v[outputs]; };
template <class F> struct Rhs { F v[outputs]; };
template <int dim, class Real> struct CalcRhs {
  Read<State, star<1>, Real> s;
  Write<Rhs, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const {
    for (int n = 0; n < outputs; ++n) p(r.v[n]) = at<1, 0, 0>(p, s.v[n]) - at<-1, 0, 0>(p, s.v[n]);
  }
};

struct Blocks : Driver {  // n blocks of 4³ cells in a row, in one process
  explicit Blocks(int n) : blocks(n), ghosts(static_cast<std::size_t>(n)) {}
  int dimension() const override { return 3; }
  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.ghosts = {width, width, width};
    Level l;
    l.space.cells.hi = {4 * blocks, 4, 4};
    l.space.periodic = {1, 1, 1};
    std::vector<Block> list;
    for (int b = 0; b < blocks; ++b) list.push_back({.number = b, .cells = {{4 * b, 0, 0}, {4 * b + 4, 4, 4}}});
    g.add(l, list);
    return g;
  }
  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return {}; }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override { return nullptr; }
  WriteThrough write_through(Simulation&, std::span<const Ghosts>, unsigned, Space) override {
    return {7, true, {1, 1, 1}, ghosts};
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char>) override { return {}; }
  int blocks;
  std::vector<std::array<Offset, 6>> ghosts;
};
struct Taker : Device {
  bool open(int, std::string&) override { return true; }
  std::shared_ptr<char> allocate(std::size_t bytes, const std::string&) override {
    return {static_cast<char*>(std::malloc(bytes)), [](char* p) { std::free(p); }};
  }
  std::size_t free_memory() const override { return std::size_t{1} << 40; }
  bool can_run(const KernelTable&) const override { return true; }
  void copy(Space, Space, std::span<const CopyPiece>) override {}
  void launch(const KernelTable&, const Launch& l, const char*) override {
    benchmark::DoNotOptimize(l.address[0]);
    ++launches;
  }
  void wait() override {}
  std::shared_ptr<Snapshot> snapshot(const char*, std::size_t) override { return nullptr; }
  std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece>) override { return nullptr; }
  long launches = 0;
};
struct TwoRegisters : TimeIntegrator {  // y and Y, which take turns
  int registers(bool) const override { return 1; }
  int stages() const override { return 2; }
  int stage(const Simulation&) const override { return 0; }
  Update update(const Simulation&, int, int, double) const override {
    Update u{.destination = 1, .becomes_present = true, .source = {0}, .epilogue = {}};
    u.epilogue.sources = 1, u.epilogue.a[0] = 1, u.epilogue.b = 0.1;
    return u;
  }
};

void launch_kernel(benchmark::State& bench) {
  Simulation s;
  for (int t = 0; t < groups - 2; ++t) {
    ThornRecord record;
    record.name = "Other" + std::to_string(t);
    Declaration(record).group("group", {"x", "y"}, "Something else");
    s.thorns.push_back(record);
  }
  ThornRecord record;
  record.name = "Physics";
  std::vector<std::string> names;
  for (int n = 0; n < outputs; ++n) names.push_back("v" + std::to_string(n));
  Declaration(record).group<State>("state", names, "Evolved").rhs<Rhs>();
  s.thorns.push_back(record);
  for (const auto& t : s.thorns) s.parameters.emplace(t.name, Parameters(t.name, {}));
  auto driver = std::make_shared<Blocks>(static_cast<int>(bench.range(0)));
  auto device = std::make_shared<Taker>();
  s.services.add(Driver::service_name, driver);
  s.services.add(Device::service_name, device);
  s.services.add(TimeIntegrator::service_name, std::make_shared<TwoRegisters>(), "Nobody");
  Problems problems;
  collect_groups(s, problems);
  std::vector<std::shared_ptr<Item>> items;
  Schedule("Physics", items).kernel<CalcRhs, types<double>, dimensions<3>>("rhs", "Right-hand side").in(MoL::rhs);
  resolve_routines(s, items, problems);
  choose_variants(s, 3, problems);
  problems.throw_if_any();
  plan_fusion(s);
  s.grid = driver->make_grid(1, Process{});
  auto buffers = buffers_of_groups(s, 1);
  s.fields = Fields(s.groups, buffers, s.grid, ScalarType::float64, false);
  s.fields.allocate_on_device(
      s.groups, [&](std::size_t bytes, const std::string& group) { return device->allocate(bytes, group); });
  Routine& rhs = s.routines.front();
  const int state = s.groups[rhs.accesses.back().group].evolves;
  for (int c = 0; c < outputs; ++c) s.fields.validity(state, c, 0, 0).wrote_everywhere(Space::device, 0, 1, {0, 0});
  run_unaudited(s, rhs, {0, 1});  // makes the plan
  const long before = allocations;
  for (auto _ : bench) run_unaudited(s, rhs, {0, 1});
  bench.counters["allocations a launch"] =
      static_cast<double>(allocations - before) / static_cast<double>(bench.iterations());
  if (rhs.fused.empty() || device->launches < bench.iterations()) bench.SkipWithError("nothing was launched, or fused");
}
}  // namespace
BENCHMARK(launch_kernel)->Arg(1)->Arg(100)->Arg(500)->Arg(2000);
BENCHMARK_MAIN();
