// What an exchange, and the update around it, are asked for, and in which order.
// Mutations seen to fail: the rest before the ghost zones are there; the split although overlap is off; of later
// routines what is written in between; the depth of the first routine for all.
#include "cereus/exchange.hpp"

#include <gtest/gtest.h>

#include "exec/later.hpp"
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

// A group of these variables, with ghost zones so wide.
void make_state(Simulation& s, Log& log, const std::vector<std::string>& variables, int width) {
  ThornRecord a;
  a.name = "A";
  Declaration d(a);
  d.group("state", variables, "State");
  s.thorns = {a};
  s.parameters.emplace("A", Parameters("A", {}));
  Problems problems;
  collect_groups(s, problems);
  auto driver = std::make_shared<Neighbour>(log);
  s.services.add(Driver::service_name, driver);
  s.grid = driver->make_grid(width, Process{});
  s.fields = Fields(s.groups, {1}, s.grid, ScalarType::float64, false);
}

Log log_of(bool overlap, bool stale) {
  Log log;
  Simulation s;
  make_state(s, log, {"u"}, 1);
  s.overlap = overlap;
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

namespace {
// Routines in one group, of a state u, v, w, with what each reads and writes.
struct Sequence {
  explicit Sequence(std::vector<std::vector<VariableAccess>> routines) {
    make_state(s, log, {"u", "v", "w"}, 3);
    for (int v = 0; v < 3; ++v) s.fields.validity(0, v, 0, 0).wrote_interior(Space::host, {});
    Node group;
    for (const auto& accesses : routines) {
      Routine r;
      r.item = std::make_shared<Item>(), r.id = static_cast<int>(s.routines.size()), r.accesses = accesses;
      group.children.push_back({.routine = r.id});
      s.routines.push_back(std::move(r));
    }
    s.bins["evolve"].children = {group};
  }
  std::map<int, int> depths() {  // of each variable that the first routine's exchange fills
    const Reader reader{{0, 1}, s.routines[0].accesses, 0};
    Stale stale;
    find_stale(s, reader, stale), add_later(s, reader, stale);
    std::map<int, int> found;
    for (const Ghosts& g : stale.ghosts) found[g.component] = g.depth;
    return found;
  }
  Log log;
  Simulation s;
};
VariableAccess reads(int variable, int reach) { return {0, variable, 0, Mode::read, Region::interior, reach, false}; }
VariableAccess writes(int variable) { return {0, variable, 0, Mode::write}; }
using Depths = std::map<int, int>;
}  // namespace

TEST(Later, routines_get_their_ghost_zones_with_those_of_the_first) {
  EXPECT_EQ(Sequence({{reads(0, 1)}, {reads(0, 2), reads(1, 3)}}).depths(), (Depths{{0, 2}, {1, 3}}));
  EXPECT_EQ(Sequence({{reads(0, 2)}, {reads(0, 1)}}).depths(), (Depths{{0, 2}}));
}
TEST(Later, what_is_written_in_between_waits) {
  EXPECT_EQ(Sequence({{reads(0, 1), writes(2)}, {writes(1)}, {reads(1, 2), reads(2, 2)}}).depths(), (Depths{{0, 1}}));
}
TEST(Later, nothing_comes_where_the_first_routine_needs_no_exchange) {
  EXPECT_EQ(Sequence({{reads(0, 0)}, {reads(1, 2)}}).depths(), Depths{});
}
TEST(Later, routines_that_run_now_and_then_get_theirs_when_they_do) {
  Sequence q({{reads(0, 1)}, {reads(1, 2)}});
  q.s.routines[1].item->every.iterations = 8;
  EXPECT_EQ(q.depths(), (Depths{{0, 1}}));
}
