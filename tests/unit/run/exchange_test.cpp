// What is asked of a device around an exchange, and in which order. What runs beside what only a GPU shows.
// Mutations seen to fail: faces first although nothing has left ahead of time, or although nobody asked for it; then
// the interior does not wait for ghost zones, or is left out; nothing is sent ahead.
#include "cereus/exchange.hpp"

#include <gtest/gtest.h>

#include "schedule/build.hpp"

using namespace cereus;

namespace {
using Log = std::vector<std::string>;

struct Neighbour : Driver {  // across the upper face along x
  explicit Neighbour(Log& l) : log(l) {}
  int dimension() const override { return 1; }
  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.dim = 1, g.ghosts = {width, 0, 0};
    Level l;
    l.domain = {{0, 0, 0}, {16, 1, 1}};
    l.periodic = {1, 1, 1};
    l.blocks.push_back({0, 0, 0, {{0, 0, 0}, {8, 1, 1}}});
    g.levels.push_back(l);
    return g;
  }
  bool has_ghosts(const Grid&) const override { return true; }
  void begin_sync(Simulation&, int, std::span<const Stale>, Space) override { log.push_back("begin"); }
  std::uint8_t faces_under_way(const Simulation&, int, int) const override { return 2; }
  std::span<const Moved> finish_sync(Simulation&) override {
    log.push_back("unpack");
    return {};
  }
  bool send_ahead(Simulation&, int, std::span<const Stale>, Space) override {
    log.push_back("send");
    return true;
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char>) override { return {}; }
  Log& log;
};
struct Listening : Device {
  explicit Listening(Log& l) : log(l) {}
  bool open(int, std::string&) override { return true; }
  std::shared_ptr<char> allocate(std::size_t bytes, const std::string&) override {
    return {new char[bytes], std::default_delete<char[]>()};
  }
  std::size_t free_memory() const override { return 1 << 30; }
  bool can_run(const KernelTable&) const override { return true; }
  void copy(Space, Space, std::span<const CopyPiece>) override {}
  void launch(const KernelTable&, const Launch&, std::size_t, const std::string&) override {}
  void wait() override {}
  std::shared_ptr<Snapshot> snapshot(const char*, std::size_t) override { return nullptr; }
  std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece>) override { return nullptr; }
  void begin_side() override { log.push_back("beside:"); }
  void end_side() override { log.push_back(":both"); }
  Log& log;
};
struct Nothing : Accelerator {
  void bring(Simulation&, int, std::span<const VariableAccess>, Space, Why) override {}
  void bring_boxes(Simulation&, int, const VariableAccess&, std::span<const std::pair<int, Box>>, Space, Why) override {
  }
  std::int64_t bytes_to_bring(const Simulation&, int, const VariableAccess&, Validity&, Space) const override {
    return 0;
  }
};

Log log_of(bool sent, bool faces_first, bool overlap = true) {
  Log log;
  Simulation s;
  ThornRecord a;
  a.name = "A";
  Declaration d(a);
  d.group("state", {"u"}, "State");
  s.thorns = {a};
  Problems problems;
  collect_groups(s, problems);
  std::vector<std::shared_ptr<Item>> items;
  Schedule("A", items).routine("step", "Updates", [](Context&) {}).updates({"u"}).launches_kernels().at(bin::evolve);
  resolve_routines(s, items, problems);
  EXPECT_TRUE(problems.empty());
  auto driver = std::make_shared<Neighbour>(log);
  s.services.add(Driver::service_name, driver);
  s.services.add(Device::service_name, std::make_shared<Listening>(log));
  s.services.add(Accelerator::service_name, std::make_shared<Nothing>());
  s.grid = driver->make_grid(1, Process{});
  s.overlap = overlap;
  s.fields = Fields(s.groups, s.variables, buffers_of_groups(s, 0), s.grid, ScalarType::float64, false);
  auto& valid = s.fields.validity(0, 0, 0, 0);
  valid.wrote_interior(Space::device, {});
  valid[Space::device].sent = sent;

  const std::vector<VariableAccess> reads{{0, 0, 0, Mode::read, Region::interior, 1, false}};
  PointUpdate u{0, -1, Space::device, reads, {{0, {{0, 0, 0}, {8, 1, 1}}}}};
  u.inner = [](Box b, unsigned arriving, unsigned) {
    if (arriving & 2) --b.hi[0];
    return b;
  };
  u.run = [&](const BlockBoxes& boxes, bool last) {
    std::string text = last ? "faces" : "inside";
    for (const auto& [block, box] : boxes) text += " " + std::to_string(box.lo[0]) + "-" + std::to_string(box.hi[0]);
    log.push_back(text);
  };
  u.faces_first = faces_first;
  u.successor = [](const Driver::Stale&) { return 0; };
  const auto left = update_beside_exchange(s, u);
  EXPECT_EQ(left.size(), overlap ? 1U : 0U);
  return log;
}
}  // namespace

TEST(UpdateBesideExchange, goes_on_inside_while_ghost_zones_are_under_way) {
  const Log inside_first{"begin", "inside 0-7", "beside:", "unpack", "faces 7-8", "send", ":both"};
  EXPECT_EQ(log_of(false, false), inside_first);
  EXPECT_EQ(log_of(false, true), inside_first);
  EXPECT_EQ(log_of(true, false), inside_first);
}
TEST(UpdateBesideExchange, begins_at_faces_where_ghost_zones_left_ahead_of_time) {
  EXPECT_EQ(log_of(true, true),
      (Log{"begin", "beside:", "unpack", ":both", "inside 0-7", "beside:", "faces 7-8", "send", ":both"}));
}
TEST(UpdateBesideExchange, waits_for_all_where_overlap_is_off) {
  EXPECT_EQ(log_of(true, true, false), (Log{"begin", "unpack", "faces 0-8"}));
}
