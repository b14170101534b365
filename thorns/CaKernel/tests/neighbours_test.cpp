// What sweeps push fills the ghost zones of all neighbours, and nothing else: four processes, which lie in one here.
#include "neighbours.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "schedule/build.hpp"

namespace CaKernel {
namespace {
constexpr int ghosts = 3;
struct Memory : Device {  // of the host; a card is an address
  bool open(int, std::string&) override { return true; }
  std::shared_ptr<char> allocate(std::size_t bytes, const std::string&) override {
    std::shared_ptr<char> p(static_cast<char*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128)), std::free);
    std::memset(p.get(), 0xff, bytes);
    return p;
  }
  std::size_t free_memory() const override { return 0; }
  bool can_run(const KernelTable&) const override { return true; }
  void copy(Space, Space, std::span<const CopyPiece> pieces) override { copy_on_host(pieces); }
  void launch(const KernelTable&, const Launch&, const char*) override {}
  void wait() override {}
  std::shared_ptr<Snapshot> snapshot(const char*, std::size_t) override { return nullptr; }
  std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece>) override { return nullptr; }
  std::string card_of(const char* p) const override { return std::to_string(reinterpret_cast<std::uintptr_t>(p)); }
  std::shared_ptr<char> open_card(const std::string& card) override {
    return {std::shared_ptr<char>(), reinterpret_cast<char*>(std::stoull(card))};
  }
};
struct Quarters : Driver {  // of a box: two along y, two along z
  int rank;
  Patch space;
  Quarters(int r, bool periodic) : rank(r) {
    space.cells = {{0, 0, 0}, {8, 10, 12}};
    space.periodic = {1, 1, periodic};
  }
  static Box cells(int r) { return {{0, r % 2 * 5, r / 2 * 6}, {8, r % 2 * 5 + 5, r / 2 * 6 + 6}}; }
  int dimension() const override { return 3; }
  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.dim = 3, g.ghosts = {width, width, width};
    Level l;
    l.space = space;
    g.add(l, {{.number = rank, .cells = cells(rank)}});
    return g;
  }
  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override {
    std::vector<BlockHome> all;
    for (int r = 0; r < 4; ++r) all.push_back({r, r, cells(r)});
    return all;
  }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override { return nullptr; }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char>) override { return {}; }
};

Simulation process_of(int rank, bool periodic) {
  Simulation s;
  s.process = Process::pretend(rank, 4);
  ThornRecord a;
  a.name = "A";
  Declaration d(a);
  d.group("state", {"u", "v"}, "State");
  s.thorns = {a};
  s.parameters.emplace("A", Parameters("A", {}));
  Problems problems;
  collect_groups(s, problems);
  const auto driver = std::make_shared<Quarters>(rank, periodic);
  const auto device = std::make_shared<Memory>();
  s.services.add(Driver::service_name, driver);
  s.services.add(Device::service_name, device);
  s.grid = driver->make_grid(ghosts, s.process);
  s.fields = Fields(s.groups, {2}, s.grid, ScalarType::float64, false);
  s.fields.allocate_on_device(
      s.groups, [&](std::size_t bytes, const std::string& what) { return device->allocate(bytes, what); });
  return s;
}
double* at(const Simulation& s, int field, int i, int j, int k) {
  return reinterpret_cast<double*>(s.fields.address(0, field, 1, 0, Space::device)) + s.fields.layout(0).at(i, j, k);
}
double value(int field, int i, int j, int k) { return field + 10 * i + 1000 * j + 100000 * k; }

// As sweeps do: each point of the block that lies in the box of a push, also there.
void store(const Simulation& s, const sweep::Pushes& pushes) {
  const Box& mine = s.grid.blocks[0].cells;
  const Layout& layout = s.fields.layout(0);
  for_each_point(mine, [&](int i, int j, int k) {
    const int local[3] = {i - mine.lo[0], j - mine.lo[1], k - mine.lo[2]};
    const bool inner = local[2] >= pushes.inner[0] && local[2] < pushes.inner[1];
    for (int n = 0; n < pushes.count; ++n) {
      const sweep::Push& p = pushes.list[n];
      bool in = !inner || (pushes.through >> n & 1);
      for (int d = 0; d < 3; ++d) in = in && local[d] >= p.box.lo[d] && local[d] < p.box.hi[d];
      for (int f = 0; in && f < 2; ++f) static_cast<double*>(p.to[f])[layout.at(i, j, k)] = value(f, i, j, k);
    }
  });
}

StepProgram program() {
  StepProgram p;
  p.program.fields = 2;
  for (int f = 0; f < 2; ++f) {
    p.fields.push_back({0, f, StepProgram::Field::integrated, true, true});
    p.program.stored[f] = true;
  }
  p.stages.emplace_back();
  return p;
}
void check(bool periodic, int depth, int axes) {
  const StepProgram p = program();
  std::vector<Simulation> all;
  std::vector<std::unique_ptr<Neighbours>> met;
  for (int r = 0; r < 4; ++r) all.push_back(process_of(r, periodic));
  for (Simulation& s : all) met.push_back(std::make_unique<Neighbours>(s, p));
  for (int r = 0; r < 4; ++r)
    for (int other = 0; other < 4; ++other)
      if (other != r) ASSERT_TRUE(met[r]->hear(all[r], other, met[other]->cards(all[other])));
  for (int r = 0; r < 4; ++r) {
    met[r]->begin(all[r], {depth, axes});
    store(all[r], met[r]->of(all[r], p, 0));
  }
  int wrong = 0, beyond = 0;
  for (const Simulation& s : all) {
    const Box& mine = s.grid.blocks[0].cells;
    for_each_point(grow(mine, {ghosts, ghosts, ghosts}), [&](int i, int j, int k) {
      const int x[3] = {i, j, k}, size[3] = {8, 10, 12};
      int image[3] = {i, j, k};
      bool filled = false, there = true;
      for (int d = 0; d < 3; ++d) {
        const int away = std::max({0, mine.lo[d] - x[d], x[d] - mine.hi[d] + 1});
        filled = filled || away > 0, there = there && away <= (axes >> d & 1 ? depth : 0);
        if (d < 2 || periodic) image[d] = (x[d] + size[d]) % size[d];
        there = there && image[d] >= 0 && image[d] < size[d];
      }
      for (int f = 0; f < 2; ++f) {
        const double now = *at(s, f, i, j, k);
        if (filled && there) wrong += now != value(f, image[0], image[1], image[2]);
        else beyond += !std::isnan(now);
      }
    });
  }
  EXPECT_EQ(wrong, 0) << "depth " << depth << ", axes " << axes;
  EXPECT_EQ(beyond, 0) << "depth " << depth << ", axes " << axes;
}
}  // namespace

// Mutations seen to fail: a shift the other way; the target's first point taken for the block's.
TEST(Neighbours, WhatIsPushedFillsTheGhostZonesOfAll) {
  for (const bool periodic : {true, false})
    for (const int axes : {7, 6, 4})
      for (const int depth : {1, 3}) check(periodic, depth, axes);
}

// Mutations seen to fail: versions are not compared; a greater depth counts as filled.
TEST(Neighbours, GhostZonesAreThereUntilInteriorsChange) {
  const StepProgram p = program();
  Simulation s = process_of(0, true);
  Neighbours n(s, p);
  n.begin(s, {2, 6});
  s.fields.validity(0, 0, 1, 0).wrote_interior(Space::device, {});
  n.end(s, p, false);
  EXPECT_FALSE(n.filled(s, p.fields[0], {2, 6})) << "what the sweep began with";
  s.fields.swap(0, 0, 0, 1);
  EXPECT_TRUE(n.filled(s, p.fields[0], {2, 6}));
  EXPECT_TRUE(n.filled(s, p.fields[0], {1, 4}));
  EXPECT_FALSE(n.filled(s, p.fields[0], {3, 6}));
  EXPECT_FALSE(n.filled(s, p.fields[0], {2, 7}));
  s.fields.validity(0, 0, 0, 0).wrote_interior(Space::device, {});
  EXPECT_FALSE(n.filled(s, p.fields[0], {2, 6}));
}

// Mutation seen to fail: strides are not compared.
TEST(Neighbours, MemoryThatIsNotAlikeIsRefused) {
  const StepProgram p = program();
  Simulation mine = process_of(0, true), other = process_of(1, true);
  Neighbours here(mine, p), there(other, p);
  const std::string cards = there.cards(other);
  EXPECT_FALSE(here.hear(mine, 1, "9" + cards)) << "other strides";
  EXPECT_FALSE(here.hear(mine, 1, cards.substr(0, cards.rfind('\n', cards.size() - 2) + 1))) << "a variable less";
  EXPECT_FALSE(here.hear(mine, 1, cards + "0\n")) << "memory that cannot be opened";
  EXPECT_TRUE(here.hear(mine, 1, cards));
}
}  // namespace CaKernel
