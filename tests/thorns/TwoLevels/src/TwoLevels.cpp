// A test driver: two unconnected levels on the same domain, one block each, without MPI. Level 1 has half the spacing
// and takes two steps of dt/2. Nothing in flesh or thorns may assume that there is one level only.
#include <cereus/thorn.hpp>

namespace TwoLevels {
using namespace cereus;

class TwoLevelsDriver : public Driver {
 public:
  explicit TwoLevelsDriver(const Parameters& p) : cells_(p.integers("cells")) {}

  int dimension() const override { return static_cast<int>(cells_.size()); }

  Grid make_grid(int width, const Process&) override {
    Grid g;
    g.dim = dimension();
    for (int number = 0; number < 2; ++number) {
      Level l;
      l.level = number;
      l.domain.hi = {1, 1, 1};
      for (int d = 0; d < g.dim; ++d) {
        g.ghosts[d] = width;
        l.domain.hi[d] = static_cast<int>(cells_[d]) << number;
        l.periodic[d] = 1;
        l.lower[d] = -1;
        l.spacing[d] = 2.0 / l.domain.hi[d];
      }
      l.blocks.push_back({0, number, 0, l.domain});
      g.levels.push_back(l);
    }
    return g;
  }

  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<Tick> ticks(const Grid&) const override { return {{0, 1.0}, {1, 0.5}, {1, 0.5}}; }

  // Periodic images of the one block, axis after axis over what is already filled, so that corners follow.
  void begin_sync(Simulation& s, int level, std::span<const Stale> stale, Space space) override {
    const Level& l = s.grid.levels[level];
    const Layout& layout = s.fields.layout(level, 0);
    for (const auto& item : stale) {
      char* data = s.fields.address(item.group, item.component, item.timelevel, level, 0, space);
      const auto size = static_cast<Offset>(size_of(s.type(item.group)));
      Box filled = l.domain;
      for (int d = 0; d < s.grid.dim; ++d) {
        for (int side = 0; side < 2; ++side) {
          Box ghosts = filled;
          const int n = l.domain.extent(d);
          ghosts.lo[d] = side ? l.domain.hi[d] : l.domain.lo[d] - item.depth;
          ghosts.hi[d] = side ? l.domain.hi[d] + item.depth : l.domain.lo[d];
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
  }
  std::uint8_t faces_under_way(const Simulation&, int, int) const override { return 0; }
  std::span<const Moved> finish_sync(Simulation&) override { return {}; }
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
