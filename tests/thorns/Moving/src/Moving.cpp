// A test driver whose blocks change: level 0 is periodic on [-1, 1]; level 1 refines a box of its blocks, which moves
// by a block along x now and then. Both take the same steps. One process, no MPI; on the host or on a mirror.
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace Moving {
using namespace cereus;

struct Done : Exchange {  // at once
  std::uint8_t arriving(int) const override { return 0; }
  void finish(Simulation&) override {}
};

// One variable's timelevel on the blocks of a grid. Slow, and simple: every point looks for the block that owns it.
template <class T> struct View {
  const Simulation& s;
  const Grid& grid;
  cereus::Driver::Values item;
  Space space;

  T* find(int level, Index at) const {
    const Level& l = grid.levels[level];
    const auto& centre = s.groups[item.group].centre;
    for (int d = 0; d < grid.dim; ++d) {
      const int n = l.space.cells.extent(d);
      at[d] = (at[d] % n + n) % n;
    }
    for (int b = l.first_block; b < l.last_block; ++b)
      if (grid.points(grid.blocks[b], centre).contains(at)) return place(grid.blocks[b], at);
    return nullptr;
  }
  T* place(const Block& b, const Index& at) const {
    const Offset where = s.fields.layout(b).at(at[0], at[1], at[2]);
    return reinterpret_cast<T*>(s.fields.address(item.group, item.component, item.timelevel, b, space)) + where;
  }
  // The value at a point of level 1, by interpolation of degree 5 from level 0.
  T prolonged(const Index& at) const {
    Index first{};
    constexpr int points = 6;
    double weight[3][points] = {{1}, {1}, {1}};
    for (int d = 0; d < grid.dim; ++d) {
      const double half = s.groups[item.group].centre[d] == Centre::cell ? 0.5 : 0;
      const double x = (at[d] + half) / 2 - half;
      first[d] = static_cast<int>(std::floor(x)) - points / 2 + 1;
      for (int n = 0; n < points; ++n) {
        weight[d][n] = 1;
        for (int m = 0; m < points; ++m)
          if (m != n) weight[d][n] *= (x - (first[d] + m)) / (n - m);
      }
    }
    T sum{};
    const auto count = [&](int d) { return d < grid.dim ? points : 1; };
    for_each_point(Box{{0, 0, 0}, {count(0), count(1), count(2)}}, [&](int i, int j, int k) {
      const double w = weight[0][i] * weight[1][j] * weight[2][k];
      if (w != 0) sum += static_cast<T>(w) * *find(0, {first[0] + i, first[1] + j, first[2] + k});
    });
    return sum;
  }
  T value(int level, const Index& at) const {
    const T* known = find(level, at);
    return known ? *known : prolonged(at);
  }
};

template <class F>
void with_view(const Simulation& s, const Grid& g, const cereus::Driver::Values& item, Space space, F&& f) {
  if (s.type(item.group) == ScalarType::float32) f(View<float>{s, g, item, space});
  else f(View<double>{s, g, item, space});
}

class Driver : public cereus::Driver {
 public:
  explicit Driver(const Parameters& p)
      : cells_(p.integers("cells")),
        blocks_(static_cast<int>(p.integer("blocks"))),
        box_(static_cast<int>(p.integer("box"))),
        every_(static_cast<int>(p.integer("every"))),
        late_(p.boolean("late")),
        shuffle_(p.boolean("shuffle")) {}

  int dimension() const override { return static_cast<int>(cells_.size()); }
  Grid make_grid(int width, const Process&) override {
    width_ = width;
    refined_ = box_ > 0 && !late_;
    return make(nullptr);
  }
  void grid_changed(const Simulation&) override { ++told_; }
  int told() const { return told_; }
  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int level) const override {  // from what a driver of its own knows
    std::vector<BlockHome> homes;
    for (const Block& b : make(nullptr).blocks)
      if (b.level == level) homes.push_back({b.number, 0, b.cells, b.covered});
    return homes;
  }

  bool adapts(int iteration) const override {
    return every_ > 0 && (iteration == 0 ? late_ && !refined_ : iteration % every_ == 0);
  }
  std::optional<Grid> adapt(Simulation& s, const std::function<void()>& before) override {
    before();
    if (s.clock.iteration == 0 && late_ && !refined_) refined_ = true;
    else ++moves_;
    return make(&s.grid);
  }
  void transfer(Simulation& s, const Grid& before, std::span<const Values> items, Space space) override {
    if (space == Space::device) s.services.get<Device>().wait();
    const auto stays = [&](const Block& b) {
      return std::ranges::any_of(before.blocks,
          [&](const Block& old) { return old.level == b.level && old.cells == b.cells && old.slot == b.slot; });
    };
    for (const Values& item : items)
      with_view(s, before, item, space, [&](const auto& from) {
        for (const Block& b : s.grid.blocks) {
          if (stays(b)) continue;
          for_each_point(s.grid.points(b, s.groups[item.group].centre), [&](int i, int j, int k) {
            *from.place(b, {i, j, k}) = b.level < static_cast<int>(before.levels.size())
                                            ? from.value(b.level, {i, j, k})
                                            : from.prolonged({i, j, k});
          });
        }
      });
  }
  std::string grid_text() const override { return std::to_string(moves_) + (refined_ ? " refined" : " plain"); }
  Grid grid_from(const std::string& text) override {
    moves_ = std::stoi(text), refined_ = text.ends_with("refined");
    return make(nullptr);
  }

  // Points of level 0 that level 1 has, too.
  Selection restrict_after(Simulation& s, std::size_t) override {
    if (!refined_) return {0, 0};
    for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
      if (s.groups[g].rhs < 0 || s.groups[g].kind != GroupKind::grid_function) continue;
      for (int c = 0; c < static_cast<int>(s.groups[g].variables.size()); ++c) restrict_one(s, {g, c, 0});
    }
    return {0, 1};
  }

  std::unique_ptr<Exchange> exchange(Simulation& s, std::span<const Ghosts> items, Space space, int) override {
    if (space == Space::device) s.services.get<Device>().wait();
    for (const Ghosts& item : items)
      with_view(s, s.grid, {item.group, item.component, item.timelevel}, space, [&](const auto& v) {
        for (const Block& b : s.grid.blocks) {
          if (b.level != item.level) continue;
          const Box points = s.grid.points(b, s.groups[item.group].centre);
          Index width{};
          for (int d = 0; d < s.grid.dim; ++d) width[d] = item.depth;
          for_each_point(grow(points, width), [&](int i, int j, int k) {
            if (const Index at{i, j, k}; !points.contains(at)) *v.place(b, at) = v.value(b.level, at);
          });
        }
      });
    return std::make_unique<Done>();
  }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char> mine) override { return {{mine.begin(), mine.end()}}; }

 private:
  void restrict_one(Simulation& s, const Values& item) {
    const Space space = kernel_space(s);
    auto &coarse = s.fields.validity(item.group, item.component, 0, 0),
         &fine = s.fields.validity(item.group, item.component, 0, 1);
    if (!coarse[space].interior || !fine[space].interior) return;
    if (space == Space::device) s.services.get<Device>().wait();
    with_view(s, s.grid, item, space, [&](const auto& v) {
      for (const Block& b : s.grid.blocks)
        if (b.covered)
          for_each_point(b.cells, [&](int i, int j, int k) {
            Index fine{2 * i, 2 * j, 2 * k};
            for (int d = s.grid.dim; d < 3; ++d) fine[d] = d == 1 ? j : k;
            *v.place(b, {i, j, k}) = *v.find(1, fine);
          });
    });
    const Why why{s.clock.iteration, -1};
    coarse.wrote_interior(space, why);
    fine.drop_interpolated(why);
  }

  // Blocks that were there before keep their slots, unless all are shuffled; others take what is free.
  Grid make(const Grid* before) const {
    Grid g;
    g.dim = dimension();
    Patch space;
    space.cells.hi = {1, 1, 1};
    Index size{1, 1, 1}, blocks{1, 1, 1};
    Box box;  // of blocks of level 0 that are refined
    box.hi = {1, 1, 1};
    for (int d = 0; d < g.dim; ++d) {
      g.ghosts[d] = width_;
      space.cells.hi[d] = static_cast<int>(cells_[d]);
      space.periodic[d] = 1, space.lower[d] = -1, space.spacing[d] = 2.0 / space.cells.hi[d];
      size[d] = space.cells.hi[d] / blocks_, blocks[d] = blocks_;
      box.lo[d] = d == 0 ? moves_ % (blocks_ - box_ + 1) : 1, box.hi[d] = box.lo[d] + box_;
    }
    std::vector<Block> coarse, fine;
    const auto add = [&](std::vector<Block>& list, int i, int j, int k) {
      const Index at{i, j, k};
      Block b{.number = static_cast<int>(list.size())};
      for (int d = 0; d < 3; ++d) b.cells.lo[d] = at[d] * size[d], b.cells.hi[d] = b.cells.lo[d] + size[d];
      return list.emplace_back(b), &list.back();
    };
    for_each_point({{0, 0, 0}, blocks}, [&](int i, int j, int k) {
      add(coarse, i, j, k)->covered = refined_ && box.contains({i, j, k});
    });
    g.add({.space = space}, std::move(coarse));
    if (refined_) {
      Box twice = box;
      for (int d = 0; d < g.dim; ++d) twice.lo[d] *= 2, twice.hi[d] *= 2;
      for_each_point(twice, [&](int i, int j, int k) {
        Block* b = add(fine, i, j, k);
        for (int d = 0; d < g.dim; ++d) {
          if (Index{i, j, k}[d] == twice.lo[d]) b->face[2 * d] = Face::refinement;
          if (Index{i, j, k}[d] == twice.hi[d] - 1) b->face[2 * d + 1] = Face::refinement;
        }
      });
      g.add({.number = 1, .ratio = 2, .space = space.refined(2, g.dim), .ghosts = only_copied | interpolated_ghosts},
          std::move(fine));
    }
    if (before) give_slots(g, *before);
    return g;
  }
  void give_slots(Grid& g, const Grid& before) const {
    std::set<int> taken;
    for (const Block& b : before.blocks) taken.insert(b.slot);
    for (Block& b : g.blocks) {
      const auto old =
          std::ranges::find_if(before.blocks, [&](const Block& o) { return o.level == b.level && o.cells == b.cells; });
      if (old != before.blocks.end() && !shuffle_) {
        b.slot = old->slot;
        continue;
      }
      b.slot = 0;
      while (taken.contains(b.slot)) ++b.slot;
      taken.insert(b.slot);
    }
  }

  std::vector<std::int64_t> cells_;
  int blocks_, box_, every_;
  bool late_, shuffle_;
  int width_ = 0, moves_ = 0, told_ = 0;
  bool refined_ = false;
};

void declare(Declaration& d) {
  d.describe("Test driver of blocks that change, periodic on [-1, 1]");
  d.parameter("cells", {32, 32}, at_least(1), "Cells of level 0 along each axis").length(1, 3);
  d.parameter("blocks", 4, at_least(1), "Blocks of level 0 along each axis");
  d.parameter("box", 0, at_least(0), "Blocks of level 0 along each axis that level 1 refines; 0: there is no level 1");
  d.parameter("every", 0, at_least(0), "Iterations between moves of that box; 0: it stays");
  d.parameter("late", false, any(), "Add level 1 when initial data are there");
  d.parameter("shuffle", false, any(), "Move all blocks to other slots");
  d.scalars("count", {"asked", "changed", "told"}, "How often blocks could change, did, and the driver was told")
      .type(ScalarType::int32);
  d.provides<cereus::Driver>([](const Parameters& p) { return std::make_shared<Driver>(p); });
}
void schedule(Schedule& s, const Parameters&) {
  const auto count = [](const char* what) { return [what](Context& c) { ++c.values<std::int32_t>(what)[0]; }; };
  s.routine("start", "Nothing has changed",
       [](Context& c) {
         for (const char* what : {"asked", "changed", "told"}) c.values<std::int32_t>(what)[0] = 0;
       })
      .writes({"asked", "changed", "told"})
      .at(bin::startup)
      .once();
  s.routine("ask", "Blocks could change", count("asked")).updates({"asked"}).at(bin::regrid).once();
  s.routine("change", "Blocks have changed", count("changed")).updates({"changed"}).at(bin::postregrid).once();
  s.routine("tell", "The driver was told",
       [](Context& c) {
         c.values<std::int32_t>("told")[0] =
             static_cast<const Driver&>(c.simulation().services.get<cereus::Driver>()).told();
       })
      .writes({"told"})
      .at(bin::postregrid)
      .once();
}
}  // namespace Moving
CEREUS_THORN(Moving, Moving::declare, Moving::schedule)
