// What an exchange, and the update around it, are asked for, and in which order.
// Mutations seen to fail: the rest before the ghost zones are there; the split although overlap is off.
#include "cereus/exchange.hpp"

#include <gtest/gtest.h>

#include "schedule/build.hpp"

using namespace cereus;

namespace {
using Log = std::vector<std::string>;

struct Listened : Exchange {
  explicit Listened(Log& l) : log(l) {}
  std::uint8_t arriving(int) const override { return 2; }
  void finish(Simulation&) override { log.push_back("unpack"); }
  Log& log;
};
struct Neighbour : Driver {  // across the upper face along x
  explicit Neighbour(Log& l) : log(l) {}
  int dimension() const override { return 1; }
  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.dim = 1, g.ghosts = {width, 0, 0};
    Level l;
    l.space.cells = {{0, 0, 0}, {16, 1, 1}};
    l.space.periodic = {1, 1, 1};
    g.add(l, {{.cells = {{0, 0, 0}, {8, 1, 1}}}});
    return g;
  }
  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return {}; }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override {
    log.push_back("begin");
    return std::make_unique<Listened>(log);
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char>) override { return {}; }
  Log& log;
};
struct Points : PointUpdate {
  explicit Points(Log& l) : log(l) {}
  bool split(const Exchange& e, bool) override { return e.arriving(0); }
  void run(Part part) override { log.push_back(part == Part::all ? "all" : part == Part::inside ? "inside" : "rest"); }
  Log& log;
};

Log log_of(bool overlap, bool stale) {
  Log log;
  Simulation s;
  ThornRecord a;
  a.name = "A";
  Declaration d(a);
  d.group("state", {"u"}, "State");
  s.thorns = {a};
  s.parameters.emplace("A", Parameters("A", {}));
  Problems problems;
  collect_groups(s, problems);
  auto driver = std::make_shared<Neighbour>(log);
  s.services.add(Driver::service_name, driver);
  s.grid = driver->make_grid(1, Process{});
  s.overlap = overlap;
  s.fields = Fields(s.groups, {1}, s.grid, ScalarType::float64, false);
  auto& valid = s.fields.validity(0, 0, 0, 0);
  valid.wrote_interior(Space::host, {});
  if (!stale) valid.filled_ghosts(Space::host, only_copied, {1, 0}, {});
  const std::vector<VariableAccess> reads{{0, 0, 0, Mode::read, Region::interior, 1, false}};
  const Reader reader{{0, 1}, reads};
  Stale found;
  find_stale(s, reader, found);
  Points points(log);
  update_around_exchange(s, reader, found, points);
  EXPECT_EQ(valid[Space::host].depth(only_copied).faces, 1);
  return log;
}
}  // namespace

TEST(UpdateAroundExchange, goes_on_inside_while_ghost_zones_are_under_way) {
  EXPECT_EQ(log_of(true, true), (Log{"begin", "inside", "unpack", "rest"}));
}
TEST(UpdateAroundExchange, waits_for_all_where_overlap_is_off) {
  EXPECT_EQ(log_of(false, true), (Log{"begin", "unpack", "all"}));
}
TEST(UpdateAroundExchange, exchanges_nothing_where_ghost_zones_are_valid) {
  EXPECT_EQ(log_of(true, false), (Log{"all"}));
}
