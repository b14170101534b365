// Coarser grids beside a run: which cells their blocks own, and simulations on them.
// Mutations seen to fail: ends of blocks rounded down; spacing that stays; one block of `alone` left as many; blocks
// that are too thin, or thin along an axis that stays, not looked at; ghost zones of a simulation beside exchanged by
// the run's driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cereus/beside.hpp>
#include <cereus/thorn.hpp>

namespace UniGrid {
void declare(cereus::Declaration&);
}
namespace {
using namespace cereus;
Process process;
struct StartMPI : testing::Environment {
  void SetUp() override { process = Process::start(nullptr, nullptr); }
  void TearDown() override { process.finish(); }
};
[[maybe_unused]] const auto* const start_mpi = testing::AddGlobalTestEnvironment(new StartMPI);

std::shared_ptr<Driver> driver(std::vector<int> cells, std::vector<bool> periodic, int blocks) {
  ThornRecord record;
  record.name = "UniGrid";
  Declaration d(record);
  UniGrid::declare(d);
  Parameters p("UniGrid", record.parameters);
  p.set("cells", cells), p.set("periodic", periodic), p.set("blocks", blocks), p.set("uneven", true);
  p.set("lower", std::vector<double>(cells.size(), -1.0)), p.set("upper", std::vector<double>(cells.size(), 1.0));
  for (const auto& o : record.services)
    if (o.service == Driver::service_name) return std::static_pointer_cast<Driver>(o.make(p));
  return nullptr;
}

TEST(Coarsened, a_block_owns_cells_whose_lower_corners_it_owned) {
  for (const std::vector<int>& cells : {std::vector{40}, std::vector{41, 26}, std::vector{20, 13, 16}})
    for (const Index& ratio : {Index{2, 2, 2}, Index{2, 1, 1}, Index{1, 2, 2}}) {
      const int dim = static_cast<int>(cells.size());
      Index by{1, 1, 1};
      std::copy_n(ratio.begin(), dim, by.begin());
      const auto fine = driver(cells, std::vector<bool>(cells.size(), false), 3);
      const Grid f = fine->make_grid(2, process);
      const Grid c = fine->coarsened(by, false, 1)->make_grid(1, process);
      ASSERT_EQ(f.blocks.size(), 3u);
      ASSERT_EQ(c.blocks.size(), 3u);
      EXPECT_EQ(c.ghosts[0], 1);
      for (int d = 0; d < dim; ++d) {
        EXPECT_EQ(c.levels[0].space.cells.hi[d], (cells[static_cast<std::size_t>(d)] + by[d] - 1) / by[d]);
        EXPECT_EQ(c.levels[0].space.spacing[d], by[d] * f.levels[0].space.spacing[d]);
        EXPECT_EQ(c.levels[0].space.lower[d], -1);
      }
      for_each_point(c.levels[0].space.cells, [&](int i, int j, int k) {
        const Index corner{by[0] * i, by[1] * j, by[2] * k};
        for (std::size_t b = 0; b < 3; ++b)
          EXPECT_EQ(c.blocks[b].cells.contains({i, j, k}), f.blocks[b].cells.contains(corner));
      });
    }
}

TEST(Coarsened, alone_has_one_block_of_all) {
  const auto fine = driver({32, 24}, {true, false}, 4);
  fine->make_grid(2, process);
  const auto alone = fine->coarsened({2, 2, 1}, true, 1);
  const Grid g = alone->make_grid(2, process);
  ASSERT_EQ(g.blocks.size(), 1u);
  EXPECT_EQ(g.blocks[0].cells, (Box{{0, 0, 0}, {16, 12, 1}}));
  EXPECT_TRUE(g.levels[0].space.periodic[0] && !g.levels[0].space.periodic[1]);
  EXPECT_EQ(alone->coarsened({2, 1, 1}, false, 4)->make_grid(2, process).blocks[0].cells, (Box{{0, 0, 0}, {8, 12, 1}}));
}

TEST(Coarsened, says_when_blocks_become_too_thin) {
  const auto fine = driver({32}, {true}, 4);
  fine->make_grid(2, process);
  int thin = 32;
  for (const BlockHome& b : fine->all_blocks(fine->make_grid(2, process), 0)) thin = std::min(thin, b.cells.extent(0));
  EXPECT_TRUE(fine->coarsened({2, 1, 1}, false, thin / 2));
  EXPECT_FALSE(fine->coarsened({2, 1, 1}, false, thin / 2 + 2));
  EXPECT_TRUE(fine->coarsened({1, 1, 1}, false, thin + 1)) << "of axes that become coarser";
}

// A simulation beside another one fills its ghost zones by itself, and leaves the other one's fields as they are.
TEST(Beside, has_fields_and_ghost_zones_of_its_own) {
  const auto drive = driver({16, 12}, {true, true}, 2);
  Group g;
  g.thorn = "Test", g.name = "state", g.variables = {"u", "v"}, g.type = ScalarType::float64;
  g.centre = {Centre::cell, Centre::cell, Centre::cell};
  Simulation run;
  run.real = ScalarType::float64;
  run.groups = {g}, run.variables = {{"Test::u", 0, 0}, {"Test::v", 0, 1}};
  run.grid = drive->make_grid(3, process);
  run.fields = Fields(run.groups, {1}, run.grid, run.real, true);
  run.services.add(Driver::service_name, drive);
  drive->prepare(run);
  Simulation s = beside(run, run.process, drive->coarsened({2, 2, 1}, false, 1), {g}, 1);
  ASSERT_EQ(s.variables.size(), 2u);
  EXPECT_EQ(s.variables[1].name, "Test::v");
  EXPECT_NE(&s.services.get<Driver>(), drive.get());
  const auto at = [&](int b, int i, int j) -> double& {
    return reinterpret_cast<double*>(s.fields.address(0, 1, 0, b))[s.fields.layout(b).at(i, j, 0)];
  };
  const auto value = [](int i, int j) { return 100.0 * ((i + 8) % 8) + (j + 6) % 6; };
  for (int b = 0; b < 2; ++b)
    for_each_point(s.grid.blocks[b].cells, [&](int i, int j, int) { at(b, i, j) = value(i, j); });
  s.fields.validity(0, 1, 0, 0).wrote_interior(Space::host, {});
  const VariableAccess read[] = {{0, 1, 0, Mode::read, Region::interior, 1, true}};
  make_valid(s, 0, read, -1, Space::host);
  for (int b = 0; b < 2; ++b)
    for_each_point(s.grid.everywhere(s.grid.blocks[b], g.centre),
        [&](int i, int j, int) { EXPECT_EQ(at(b, i, j), value(i, j)) << b << ": " << i << " " << j; });
  EXPECT_FALSE(run.fields.validity(0, 1, 0, 0)[Space::host].interior);
}
}  // namespace
