// Every scalar type and centring through a native and a Carpet file, with a driver of two blocks in one process; and
// what happens when the disk is full. Whole runs, and other people's readers, are in tests/run/formats.py.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "../src/formats.hpp"

namespace {
using namespace IOHDF5;

struct OneProcess : Driver {
  int dimension() const override { return 3; }
  Grid make_grid(int, const Process&) override { return {}; }
  bool has_ghosts(const Grid&) const override { return false; }
  std::vector<BlockHome> all_blocks(const Grid& g, int) const override {
    std::vector<BlockHome> homes;
    for (const Block& b : g.blocks) homes.push_back({b.number, 0, b.cells});
    std::ranges::sort(homes, {}, &BlockHome::number);
    return homes;
  }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override { return nullptr; }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char> mine) override { return {{mine.begin(), mine.end()}}; }
};

constexpr std::array<ScalarType, 5> types{
    ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128, ScalarType::int32};
double value(int i, int j, int k) { return i + 10 * j + 100 * k; }

class Types : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("types_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    s.name = "run", s.output = folder_, s.resolved_parameters = "a: 1", s.provenance = "here";
    s.services.add(Driver::service_name, std::make_shared<OneProcess>());
    s.grid.dim = 3;
    s.grid.ghosts = {1, 1, 1};
    Level level;
    level.space.cells = {{0, 0, 0}, {5, 3, 4}};
    level.space.lower = {-1, 0, 2}, level.space.spacing = {0.5, 0.25, 0.125};
    std::vector<Block> blocks;
    for (int b = 0; b < 2; ++b) {  // blocks of unequal size, listed in the wrong order
      Block block;
      block.number = 1 - b;
      block.cells = b ? Box{{0, 0, 0}, {2, 3, 4}} : Box{{2, 0, 0}, {5, 3, 4}};
      blocks.push_back(block);
    }
    s.grid.add(level, blocks);
    for (std::size_t t = 0; t < types.size(); ++t) {
      Group g;
      g.thorn = "T", g.name = "g" + std::to_string(t), g.variables = {"v" + std::to_string(t)}, g.type = types[t];
      if (t == 0) g.centre = {Centre::cell, Centre::cell, Centre::cell};
      g.first_variable = static_cast<int>(t);
      s.variables.push_back({"T::" + g.variables[0], static_cast<int>(t), 0});
      s.groups.push_back(g);
    }
    s.fields = Fields(s.groups, std::vector<int>(types.size(), 1), s.grid, s.real, true);
    for (int g = 0; g < static_cast<int>(types.size()); ++g) {
      accesses.push_back({g, 0});
      for (int b = 0; b < 2; ++b) fill(g, b);
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void fill(int g, int b) {
    const Layout& layout = s.fields.layout(b);
    for_each_point(s.grid.points(s.grid.blocks[b], s.groups[g].centre), [&](int i, int j, int k) {
      visit_scalar(types[g], [&]<class T>(T) {
        T* p = reinterpret_cast<T*>(s.fields.address(g, 0, 0, b)) + layout.at(i, j, k);
        if constexpr (std::is_arithmetic_v<T>) *p = static_cast<T>(value(i, j, k));
        else *p = T(value(i, j, k), -value(i, j, k));
      });
    });
  }

  // Checks values, and that they are stored in the type that they have.
  void check(const std::filesystem::path& file, const std::string& path, hid_t type, double sign, Index n) {
    const hid_t f = H5Fopen((folder_ / file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(f, 0) << file;
    const hid_t d = H5Dopen2(f, path.c_str(), H5P_DEFAULT);
    ASSERT_GE(d, 0) << path;
    const hid_t stored = H5Dget_type(d), space = H5Dget_space(d);
    EXPECT_GT(H5Tequal(stored, type), 0) << path;
    hsize_t extent[3] = {};
    ASSERT_EQ(H5Sget_simple_extent_dims(space, extent, nullptr), 3);
    for (int x = 0; x < 3; ++x) ASSERT_EQ(extent[x], static_cast<hsize_t>(n[2 - x])) << path;
    std::vector<double> data(static_cast<std::size_t>(n[0]) * n[1] * n[2]);
    ASSERT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
    std::size_t at = 0;
    for_each_point({{0, 0, 0}, n}, [&](int i, int j, int k) { EXPECT_EQ(data[at++], sign * value(i, j, k)) << path; });
    H5Tclose(stored), H5Sclose(space), H5Dclose(d), H5Fclose(f);
  }

  std::filesystem::path folder_;
  Simulation s;
  std::vector<VariableAccess> accesses;
};

TEST_F(Types, ThroughNativeFiles) {
  write_native(s, accesses, 1);
  const Index vertices{6, 4, 5}, cells{5, 3, 4};
  check("run-ccc_00000000.hdf", "/data/0/meshes/T__v0", H5T_NATIVE_FLOAT, 1, cells);
  check("run_00000000.hdf", "/data/0/meshes/T__v1", H5T_NATIVE_DOUBLE, 1, vertices);
  check("run_00000000.hdf", "/data/0/meshes/T__v2_re", H5T_NATIVE_FLOAT, 1, vertices);
  check("run_00000000.hdf", "/data/0/meshes/T__v2_im", H5T_NATIVE_FLOAT, -1, vertices);
  check("run_00000000.hdf", "/data/0/meshes/T__v3_im", H5T_NATIVE_DOUBLE, -1, vertices);
  check("run_00000000.hdf", "/data/0/meshes/T__v4", H5T_NATIVE_INT32, 1, vertices);
}

TEST_F(Types, ThroughCarpetFilesTwice) {
  for (int again = 0; again < 2; ++again) write_carpet(s, accesses, "xyz", {});  // the same iteration: replaced
  const Index vertices{6, 4, 5}, cells{5, 3, 4};
  check("t-g0.xyz.h5", "/T::v0 it=0 tl=0 rl=0 c=0", H5T_NATIVE_FLOAT, 1, cells);
  check("t-g3.xyz.h5", "/T::v3_im it=0 tl=0 rl=0 c=0", H5T_NATIVE_DOUBLE, -1, vertices);
  check("t-g4.xyz.h5", "/T::v4 it=0 tl=0 rl=0 c=0", H5T_NATIVE_INT32, 1, vertices);
}

TEST_F(Types, FullDiskIsOneSentenceAndLeavesNothing) {
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{}, before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (rlim_t bytes : {0, 96, 800, 2048, 5000, 12000}) {  // wherever it strikes: header, data, closing
    limit = before, limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string said;
    try {
      write_native(s, accesses, 0);
    } catch (const Failure& f) { said = f.what(); }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(said.find(".hdf: File too large"), std::string::npos) << bytes << ": " << said;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      EXPECT_NE(entry.path().extension(), ".tmp") << bytes << " left " << entry.path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  std::signal(SIGXFSZ, old);
  write_native(s, accesses, 0);  // and HDF5 is alive
}
}  // namespace
