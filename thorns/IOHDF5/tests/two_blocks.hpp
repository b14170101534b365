// A simulation of two unequal blocks in one process, with a group of each scalar type; and a disk that is full. For the
// tests of IOSilo too.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <Output/gather.hpp>

#include <csignal>

namespace Output {
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

inline constexpr std::array<ScalarType, 5> types{
    ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128, ScalarType::int32};
inline double value(int i, int j, int k) { return i + 10 * j + 100 * k; }

class TwoBlocks : public testing::Test {
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

  // `write` fails where a file may have no more than so many bytes: with one sentence, and leaving nothing.
  template <class Write> void expect_full_disk(const std::vector<rlim_t>& sizes, const char* ending, Write&& write) {
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{}, before{};
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t bytes : sizes) {
      limit = before, limit.rlim_cur = bytes;
      setrlimit(RLIMIT_FSIZE, &limit);
      std::string said;
      try {
        write();
      } catch (const Failure& f) { said = f.what(); }
      setrlimit(RLIMIT_FSIZE, &before);
      EXPECT_NE(said.find(ending + std::string(": File too large")), std::string::npos) << bytes << ": " << said;
      for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_NE(entry.path().extension(), ".tmp") << bytes << " left " << entry.path();
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directories(folder_);
    }
    std::signal(SIGXFSZ, old);
    write();  // and HDF5 is alive
  }

  std::filesystem::path folder_;
  Simulation s;
  std::vector<VariableAccess> accesses;
};
}  // namespace Output
