// A test driver: two unconnected levels on the same domain, one block each, without MPI. Level 1 has half the spacing
// and takes two steps of dt/2. Nothing in flesh or thorns may assume that there is one level only.
#include <cereus/thorn.hpp>

namespace TwoLevels {
using namespace cereus;

struct Done : Exchange {  // at once
  std::uint8_t arriving(int) const override { return 0; }
  void finish(Simulation&) override {}
};

class TwoLevelsDriver : public Driver {
 public:
  explicit TwoLevelsDriver(const Parameters& p) : cells_(p.integers("cells")) {}

  int dimension() const override { return static_cast<int>(cells_.size()); }

  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.dim = dimension();
    Patch coarse;
    coarse.cells.hi = {1, 1, 1};
    for (int d = 0; d < g.dim; ++d) {
      g.ghosts[d] = width;
      coarse.cells.hi[d] = static_cast<int>(cells_[d]);
      coarse.periodic[d] = 1;
      coarse.lower[d] = -1;
      coarse.spacing[d] = 2.0 / coarse.cells.hi[d];
    }
    for (int number = 0; number < 2; ++number) {
      const Patch space = coarse.refined(1 << number, g.dim);
      g.add({.number = number, .ratio = 1 << number, .space = space}, {{.cells = space.cells}});
    }
    return g;
  }

  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<Tick> ticks(const Grid&) const override { return {{{0, 1}, 1.0}, {{1, 2}, 0.5}, {{1, 2}, 0.5}}; }
  std::vector<BlockHome> all_blocks(const Grid& g, int level) const override {
    return {{0, 0, g.levels[level].space.cells}};
  }

  // Periodic images of the one block, axis after axis over what is already filled, so that corners follow.
  std::unique_ptr<Exchange> exchange(Simulation& s, std::span<const Ghosts> items, Space space, int) override {
    for (const auto& item : items) {
      const Box& cells = s.grid.levels[item.level].space.cells;
      const int block = s.grid.levels[item.level].first_block;
      const Layout& layout = s.fields.layout(block);
      char* data = s.fields.address(item.group, item.component, item.timelevel, block, space);
      const auto size = static_cast<Offset>(size_of(s.type(item.group)));
      Box filled = cells;
      for (int d = 0; d < s.grid.dim; ++d) {
        for (int side = 0; side < 2; ++side) {
          Box ghosts = filled;
          const int n = cells.extent(d);
          ghosts.lo[d] = side ? cells.hi[d] : cells.lo[d] - item.depth;
          ghosts.hi[d] = side ? cells.hi[d] + item.depth : cells.lo[d];
          Index from = ghosts.lo;
          from[d] += side ? -n : n;
          const CopyPiece piece{data + layout.at(from[0], from[1], from[2]) * size,
              data + layout.at(ghosts.lo[0], ghosts.lo[1], ghosts.lo[2]) * size, {layout.stride[1], layout.stride[2]},
              {layout.stride[1], layout.stride[2]}, {ghosts.extent(0), ghosts.extent(1), ghosts.extent(2)},
              static_cast<int>(size)};
          if (space == Space::host) copy_on_host({&piece, 1});
          else s.services.get<Device>().copy(space, space, {&piece, 1});
        }
        filled.lo[d] -= item.depth, filled.hi[d] += item.depth;
      }
    }
    return std::make_unique<Done>();
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char> mine) override { return {{mine.begin(), mine.end()}}; }

 private:
  std::vector<std::int64_t> cells_;
};

void declare(Declaration& d) {
  d.describe("Test driver of two unconnected levels, periodic on [-1, 1]; level 1 has half the spacing and time step");
  d.parameter("cells", {16, 16, 16}, at_least(1), "Cells of level 0 along each axis").length(1, 3);
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<TwoLevelsDriver>(p); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace TwoLevels
CEREUS_THORN(TwoLevels, TwoLevels::declare, TwoLevels::schedule)
