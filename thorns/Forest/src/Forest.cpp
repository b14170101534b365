// The driver of refined grids: a forest of equal blocks, finer where parameters say so, or a service as the run goes
// on. All levels take the same steps, or each takes two for one of the next coarser level. Six shells may lie around a
// forest that fills a cube; they take the steps of its level 0.
#include <Analysis/communicator.hpp>
#include <Exchange/collective.hpp>
#include <Exchange/domain.hpp>
#include <Exchange/pieces.hpp>
#include <Exchange/speeds.hpp>
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "Forest/refinement.hpp"
#include "asked.hpp"
#include "checks.hpp"
#include "reflux.hpp"
#include "wishes.hpp"

namespace Forest {
using namespace cereus;
class ForestDriver : public Driver {
 public:
  explicit ForestDriver(const Parameters& p) : asked_(p) {}

  int dimension() const override { return asked_.dim(); }
  bool subcycles() const override { return asked_.subcycles(); }
  bool maps() const override { return asked_.has_shells(); }

  Grid make_grid(int width, const Process& process) override {
    process_ = process;
    close();
    space_ = asked_.domain();
    asked_.check_block(width);
    asked_.find_boxes(space_);
    Index trees{1, 1, 1};
    for (int d = 0; d < dimension(); ++d) trees[d] = space_.cells.extent(d) / asked_.block();
    leaves_.emplace(dimension(), trees, space_.periodic, subcycles());
    leaves_->refine([&](const Leaf& leaf) {
      if (const auto wrong = asked_.too_many(leaves_->count()); !wrong.empty())
        throw Error(asked_.where("boxes"), wrong);
      return asked_.least_level(place(), leaf);
    });
    leaves_->number(process.size(), asked_.has_shells() ? asked_.levels() : 1, speeds_);
    if (const auto wrong = too_few(); !wrong.empty()) throw Error(asked_.where("cells"), wrong);
    width_ = width;
    if (asked_.has_shells()) shells_.emplace(asked_.shells(space_, width), process.size(), speeds_);
    if (const auto wrong = too_wide(); !wrong.empty()) throw Error(asked_.where("boxes"), wrong);
    return grid_of_leaves();
  }

  bool adapts(int iteration) const override { return asked_.adapts(iteration); }
  std::optional<Grid> adapt(Simulation& s, const std::function<void()>& before) override {
    const auto wishes = s.services.get<Refinement>().wishes(s);
    if (wishes.size() != s.grid.blocks.size())
      throw Failure("Forest: the service Refinement speaks of " + std::to_string(wishes.size()) + " blocks, of " +
                    std::to_string(s.grid.blocks.size()));
    Leaves next = *leaves_;
    change(next, together(*leaves_, own_, wishes, process_, comm_));
    if (next.same_leaves(*leaves_)) return std::nullopt;
    if (const auto wrong = asked_.too_many(next.count()); !wrong.empty()) throw Failure(wrong);
    next.number(process_.size(), leaves_->levels(), speeds_);
    std::optional<Plans::OnlyFor> what_splits;
    if (ghosts_) what_splits.emplace(ghosts_->plans(), next);
    before();
    what_splits.reset();
    if (auto* device = s.services.find<Device>()) device->wait();  // plans that it reads go
    close();
    std::swap(next, *leaves_), before_ = std::move(next), own_before_ = own_;
    if (const auto wrong = too_few(); !wrong.empty()) throw Failure(wrong);
    Grid now = grid_of_leaves();
    keep_slots(now, s.grid);
    if (process_.rank() == 0) console::say(summary() + " from iteration " + std::to_string(s.clock.iteration) + " on");
    return now;
  }
  void transfer(Simulation& s, const Grid& before, std::span<const Values> values, Space space) override {
    ghosts().prepare(s);
    ghosts().fill_new(s, {*before_, space_, asked_.block()}, before, own_before_, values, space);
    before_.reset();
  }
  // Always that of a forest whose blocks may change or were not made by the same boxes.
  std::string grid_text() const override {
    if (leaves_->levels() == 1 && !asked_.changes()) return "";
    return leaves_->text() + " levels " + std::to_string(leaves_->levels()) + (subcycles() ? " covered" : "");
  }
  Grid grid_from(const std::string& all) override {
    close();
    const std::size_t end = all.find(" levels ");
    const std::string text = all.substr(0, end);
    const int levels = end == std::string::npos ? 1 : std::atoi(all.c_str() + end + 8);
    if (subcycles() && !all.ends_with(" covered"))
      throw Error(asked_.where("subcycle"),
          "Forest.subcycle: true, but the checkpoint has no covered blocks: it was written with one step for all "
          "levels; leave subcycle out, or start anew with --fresh");
    if (!asked_.changes() && text != leaves_->text() && process_.rank() == 0)
      console::warn(
          "Forest: the checkpoint has other blocks than Forest.boxes ask for; they stay. --fresh starts anew");
    leaves_->read(text);
    if (leaves_->levels() > 1 && asked_.levels() == 1)
      throw Error(asked_.where("levels"), "Forest.levels: 1, but the checkpoint has " +
                                              std::to_string(leaves_->levels()) + " levels; --fresh starts anew");
    leaves_->number(process_.size(), std::max(levels, leaves_->levels()), speeds_);
    if (shells_ && leaves_->levels() != asked_.levels())
      throw Error(asked_.where("levels"),
          "Forest.levels: " + std::to_string(asked_.levels()) + ", but the checkpoint of a ball has " +
              std::to_string(leaves_->levels()) + "; set it back, or start anew with --fresh");
    if (const auto wrong = too_few(); !wrong.empty()) throw Failure(wrong);
    return grid_of_leaves();
  }

  std::vector<Tick> ticks(const Grid& g) const override {
    if (!subcycles()) return Driver::ticks(g);
    std::vector<Tick> all = ticks_;
    for (Tick& t : all) t.levels = {entry_of(shells(), t.levels.first), entry_of(shells(), t.levels.last)};
    return all;
  }
  Selection restrict_after(Simulation& s, std::size_t tick) override {
    if (!subcycles()) return {0, 0};
    const int level = ticks_[tick].levels.last - 1, next = tick + 1 < ticks_.size() ? ticks_[tick + 1].levels.first : 0;
    for (int l = level - 1; l >= next; --l) {
      ghosts().restrict_to(s, l);
      if (reflux_) reflux_->correct_step(s, l);
    }
    return {entry_of(shells(), next), entry_of(shells(), std::max(next, level))};
  }

  bool has_ghosts(const Grid&) const override { return true; }
  std::vector<BlockHome> all_blocks(const Grid&, int level) const override {
    std::vector<BlockHome> homes;
    add_homes(homes, *leaves_, shells_, level_at(shells(), level));
    return homes;
  }

  double share_by(const std::vector<double>& speeds) override {
    const double now = seconds(*leaves_, shells_, speeds);
    speeds_ = speeds;
    Leaves next = *leaves_;
    next.number(process_.size(), leaves_->levels(), speeds_);
    std::optional<Shells> around;
    if (shells_) around.emplace(shells_->size(), process_.size(), speeds_);
    return now / seconds(next, around, speeds_);
  }

  void prepare(Simulation& s) override {
    if (process_.rank() == 0 && (leaves_->levels() > 1 || shells_)) console::say(summary());
    ghosts().prepare(s);
  }
  std::unique_ptr<Exchange> exchange(Simulation& s, std::span<const Ghosts> items, Space space, int routine) override {
    return ghosts().exchange(s, items, space, routine);
  }
  WriteThrough write_through(Simulation& s, std::span<const Ghosts> outputs, unsigned axes, Space space) override {
    return ghosts().write_through(s, outputs, axes, space);
  }
  void take_fluxes(Simulation& s, Selection levels, int axis) {
    if (leaves_->levels() == 1 || shells_) return;  // a ball has no cells
    if (std::ranges::all_of(s.groups, [](const Group& g) { return g.fluxes_of.empty(); })) return;
    if (!reflux_) reflux_ = std::make_unique<Reflux>(ghosts(), subcycles());
    reflux_->take(s, levels, axis);
  }
  void reflux(Simulation& s, Selection levels, int group, int buffer, double weight) override {
    if (!reflux_) return;
    if (subcycles())
      for (int l = levels.first; l < levels.last; ++l) reflux_->add_up(s, l, group, weight);
    else reflux_->correct(s, group, buffer, weight);
  }
  void close() override {
    reflux_ = nullptr;
    if (ghosts_) ghosts_->close();
    ghosts_ = nullptr;
  }
  // Computed without messages, because `cereus graph` asks for any number of processes.
  std::int64_t bytes_to_send(const Simulation& s, const Ghosts& g) override {
    std::int64_t bytes = 0;
    Place all = place();
    all.mirrors = mirrors_of(s, g.group, g.component);
    for (int rank = 0; rank < process_.size(); ++rank) {
      const Centring& centre = s.groups[g.group].centre;
      const int points = asked_.points(width_);
      const Plan plan =
          make_plan(all, shells(), level_at(shells(), g.level), centre, g.depth, g.corners, g.axes, points, rank);
      for (const Move& m : plan.moves)
        if (m.from == rank && m.to_rank != rank) bytes += exchange::aligned_bytes(m.to, size_of(s.type(g.group)));
    }
    return bytes;
  }
  void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) override {
    if (process_.size() > 1) exchange::combine(comm_.get(process_), value, bytes, combine);
  }
  std::vector<std::vector<char>> gather(std::span<const char> mine) override {
    if (process_.size() == 1) return {std::vector<char>(mine.begin(), mine.end())};
    return exchange::gather(comm_.get(process_), mine);
  }

 private:
  void add_homes(
      std::vector<BlockHome>& homes, const Leaves& leaves, const std::optional<Shells>& shells, int level) const {
    if (shells && shells->is_shell(level))
      for (const ShellBlock& b : shells->blocks(shells->map_of(level)))
        homes.push_back({b.number, b.owner, shells->cells(b), false});
    else
      for (const Leaf& l : leaves.of_level(level))
        homes.push_back({l.number, l.owner, Place{leaves, space_, asked_.block()}.cells(l), l.covered});
  }
  // What the process that takes longest takes for a step: of all levels together, or of one after the other.
  double seconds(const Leaves& leaves, const std::optional<Shells>& shells, const std::vector<double>& speeds) const {
    double sum = 0;
    std::vector<BlockHome> homes;  // of levels that take the same steps
    for (int map = 1; shells && map <= Shells::count; ++map) add_homes(homes, leaves, shells, shells->level_of(map));
    for (int l = 0; l < leaves.levels(); ++l) {
      add_homes(homes, leaves, shells, l);
      if (l + 1 < leaves.levels() && (!subcycles() || l < asked_.coarsest_alone())) continue;
      sum += (subcycles() ? 1 << std::max(0, l - asked_.coarsest_alone()) : 1) * exchange::seconds_of(homes, speeds);
      homes.clear();
    }
    return sum;
  }
  Place place() const { return {*leaves_, space_, asked_.block()}; }
  const Shells* shells() const { return shells_ ? &*shells_ : nullptr; }
  std::string too_few() const {
    std::size_t most = static_cast<std::size_t>(leaves_->count());  // that are cut into parts at once
    for (int l = 0; subcycles() && l < leaves_->levels(); ++l)
      most = l == 0 ? leaves_->of_level(l).size() : std::max(most, leaves_->of_level(l).size());
    return asked_.too_few(static_cast<std::int64_t>(most), process_.size());
  }

  // Empty, or what is wrong with leaves that shells lie beside.
  std::string too_wide() const {
    for (int l = 1; shells_ && l < leaves_->levels(); ++l)
      for (const Leaf& leaf : leaves_->of_level(l))
        for (int f = 0; f < 2 * dimension(); ++f)
          if (!leaves_->inside(l, beside(leaf, f)))
            return "Forest: blocks of level " + std::to_string(l) +
                   " reach the faces of the cube, where shells have no finer ones; let blocks of level 0 lie between, "
                   "by a "
                   "larger cube or smaller boxes";
    return "";
  }

  // What the run asks for, between what boxes ask for at least and the finest level.
  void change(Leaves& leaves, const std::function<int(const Leaf&)>& wanted) {
    bool held = false;
    const Place here = place();
    leaves.change([&](const Leaf& l) {
      const int level = std::min(std::max(wanted(l), asked_.least_level(here, l)), asked_.levels() - 1);
      if (level <= l.level || has_room(l)) return level;
      held = true;
      return l.level;
    });
    if (held && !std::exchange(said_held_, true) && process_.rank() == 0)
      console::warn(
          "Forest: finer blocks are asked for nearer to the faces of the cube than shells bear; blocks there stay. A "
          "larger cube would have room");
  }
  // Whether a leaf may be split beside shells, where blocks of level 0 are to stay: it lies so far from the faces of
  // the cube that balance asks for no other ones there, 2^(l + 1) − 1 blocks of its level l.
  bool has_room(const Leaf& l) const {
    if (!shells_) return true;
    const int size = 1 << l.level;  // of a block of level 0, in blocks of this level
    int room = std::numeric_limits<int>::max();
    for (int d = 0; d < dimension(); ++d)
      room = std::min({room, l.at[d] - size, leaves_->blocks(l.level)[d] - size - l.at[d] - 1});
    return room >= size - 1;
  }

  // Blocks that stay keep their slots; others take the lowest that no block had.
  void keep_slots(Grid& now, const Grid& before) const {
    struct Had {
      std::pair<int, Index> place;
      int slot;
    };
    std::vector<Had> had;
    for (const Block& b : before.blocks) had.push_back({{b.level, b.cells.lo}, b.slot});
    std::vector<int> taken;
    for (const Had& h : had) taken.push_back(h.slot);
    std::ranges::sort(had, {}, &Had::place), std::ranges::sort(taken);
    int free = 0;
    auto next = taken.begin();  // no slot from `free` on that is taken lies before it
    for (Block& b : now.blocks) {
      const std::pair place(b.level, b.cells.lo);
      const auto old = std::ranges::lower_bound(had, place, {}, &Had::place);
      if (old != had.end() && old->place == place) {
        b.slot = old->slot;
        continue;
      }
      for (; next != taken.end() && *next == free; ++next) ++free;
      b.slot = free++;
    }
  }

  Grid grid_of_leaves() {
    Grid g;
    g.dim = dimension();
    for (int d = 0; d < g.dim; ++d) g.ghosts[d] = width_;
    const Place here = place();
    own_.assign(static_cast<std::size_t>(leaves_->levels() + (shells_ ? Shells::count : 0)), {});
    for (int l = 0; l < leaves_->levels(); ++l) {
      Level level;
      level.number = l, level.ratio = 1 << l, level.space = here.patch(l);
      if (shells_ && l == 0) level.ghosts = only_copied | interpolated_ghosts;
      std::vector<Block> mine;
      for (const Leaf& leaf : leaves_->of_level(l)) {
        const auto face = faces(leaf);
        // Where covered blocks are kept, those on the coarser side are neighbours.
        const bool meets = std::ranges::count(face, Face::refinement) > 0;
        if (meets && (!subcycles() || touches_coarser(leaf))) level.ghosts = only_copied | interpolated_ghosts;
        if (leaf.owner != process_.rank()) continue;
        auto& own = own_[static_cast<std::size_t>(l)];
        own.emplace_hint(own.end(), leaf.number, static_cast<int>(g.blocks.size() + mine.size()));
        mine.push_back({.number = leaf.number, .cells = here.cells(leaf), .face = face, .covered = leaf.covered});
      }
      g.add(level, std::move(mine));
      if (shells_ && l == 0) add_shells(g);
    }
    ticks_.clear();
    add_ticks(0, 1);
    return g;
  }
  void add_shells(Grid& g) {
    for (int map = 1; map <= Shells::count; ++map) {
      Level level;
      level.patch = map, level.space = shells_->patch(map), level.ghosts = only_copied | interpolated_ghosts;
      level.space.tabulate(g.ghosts);
      std::vector<Block> mine;
      auto& own = own_[static_cast<std::size_t>(shells_->level_of(map))];
      for (const ShellBlock& b : shells_->blocks(map)) {
        if (b.owner != process_.rank()) continue;
        own[b.number] = static_cast<int>(g.blocks.size() + mine.size());
        mine.push_back({.number = b.number, .cells = shells_->cells(b)});
      }
      g.add(level, std::move(mine));
    }
  }
  // A step of a level, with finer ones that take the same, and two of the next finer one.
  void add_ticks(int level, double fraction) {
    const auto exists = [&](int l) { return l < leaves_->levels() && !leaves_->of_level(l).empty(); };
    int next = level + 1;
    while (exists(next) && next <= asked_.coarsest_alone()) ++next;
    ticks_.push_back({{level, next}, fraction});
    for (int half = 0; exists(next) && half < 2; ++half) add_ticks(next, fraction / 2);
  }

  // Faces beyond which leaves are of another level.
  std::array<Face, 6> faces(const Leaf& leaf) const {
    std::array<Face, 6> face{};
    for (int f = 0; f < 2 * dimension() && !leaf.covered; ++f)
      if (const auto place = beside(leaf, f); leaves_->inside(leaf.level, place) && !leaves_->find(leaf.level, place))
        face[f] = Face::refinement;
    return face;
  }
  bool touches_coarser(const Leaf& leaf) const {
    for (int f = 0; f < 2 * dimension(); ++f)
      if (const auto place = beside(leaf, f); leaves_->inside(leaf.level, place) && !leaves_->block(leaf.level, place))
        return true;
    return false;
  }
  static Index beside(const Leaf& leaf, int face) {
    Index at = leaf.at;
    at[face / 2] += face % 2 ? 1 : -1;
    return at;
  }

  std::string summary() const {
    std::int64_t blocks = 0;
    std::string each;
    for (int l = 0; l < leaves_->levels(); ++l) {
      const auto n = leaves_->of_level(l).size();
      blocks += static_cast<std::int64_t>(n);
      each += (l ? ", " : "") + std::to_string(n);
    }
    return "Forest: " + std::to_string(leaves_->levels()) + (leaves_->levels() == 1 ? " level, " : " levels, ") +
           std::to_string(blocks) + " blocks of " + std::to_string(asked_.block()) + (dimension() == 2 ? "²" : "³") +
           " cells (" + each + ")" + (shells_ ? around() : "");
  }
  std::string around() const {
    const Shells::Size& n = shells_->size();
    return ", and six shells of " + std::to_string(n.cells) + "² × " + std::to_string(n.radial) + " cells from " +
           format_double(n.inner) + " to r = " + format_double(shells_->outer());
  }

  // Made at the first call, because commands that run nothing start no MPI.
  GhostZones& ghosts() {
    if (!ghosts_)
      ghosts_ = std::make_unique<GhostZones>(place(), shells(), asked_.points(width_), own_,
          subcycles() ? asked_.coarsest_alone() + 1 : Leaves::most_levels, comm_.get(process_));
    return *ghosts_;
  }

  Asked asked_;
  Process process_;
  std::vector<double> speeds_;             // of processes; empty: all are alike
  int width_ = 0;                          // of ghost zones
  Patch space_;                            // of level 0
  std::optional<Leaves> leaves_, before_;  // before_: while a change is under way
  std::optional<Shells> shells_;
  Blocks own_, own_before_;
  bool said_held_ = false;
  std::vector<Tick> ticks_;      // where levels subcycle: of the cube, by its levels
  Analysis::Communicator comm_;  // outlives those who use it
  std::unique_ptr<GhostZones> ghosts_;
  std::unique_ptr<Reflux> reflux_;
};

void declare(Declaration& d) {
  d.describe("Driver of refined grids: a forest of equal blocks, finer where parameters say so");
  d.parameter("cells", {64, 64, 64}, at_least(1),
       "Cells of level 0 along each axis, a multiple of block; two or three numbers")
      .length(2, 3);
  exchange::declare_domain(d);
  d.parameter("block", 32, at_least(4), "Cells of a block along each axis");
  d.parameter("levels", 1, between(1, Leaves::most_levels), "Levels; each has half the spacing of the one before");
  d.parameter(
      "boxes", std::vector<std::string>{}, any(), "Boxes that are at least of a level: \"LEVEL x0 x1 y0 y1 z0 z1\"");
  d.parameter(
      "every", 0, at_least(0), "Iterations between changes of blocks, as thorn Refine asks for them; 0: blocks stay");
  d.parameter("most_blocks", 100000, between(1, 10'000'000), "A run that asks for more blocks ends");
  d.parameter("subcycle", false, any(),
      "Whether each level takes two steps for one of the next coarser level; else all take that of the finest");
  d.parameter("same_steps", 0, between(0, Leaves::most_levels - 1),
       "Levels up to this one take the same steps, finer ones steps of their own")
      .only_with("subcycle", {"true"});
  d.parameter("shell_radius", 0.0, at_least(0.0),
      "Radius of a ball: six shells lie around the domain, which is a cube, up to this radius; 0: none");
  d.parameter("shell_cells", 0, at_least(0),
       "Cells of a shell along a quarter circle, a multiple of block; 0: about as wide as those of level 0 at its "
       "faces")
      .only_with("shell_radius");
  d.parameter("shell_spacing", 0.0, at_least(0.0), "Radial distance of points of shells; 0: that of level 0")
      .only_with("shell_radius");
  d.parameter("points", 0, integers_of({0, 2, 4, 6, 8, 10, 12}),
      "Points along each axis from which ghost zones of a finer level are interpolated: the order of differences and "
      "2; "
      "0: as many as ghost zones need");
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<ForestDriver>(p); });
}

void schedule(Schedule& s, const Parameters& par) {
  s.routine("check", "Whether all variables can be refined", check).at(bin::paramcheck).once();
  if (par.integer("levels") == 1) return;
  for (const int axis : {0, 1, 2})
    s.routine(std::string("take_fluxes_") + "xyz"[axis], "Takes fluxes where levels meet",
         [axis](Context& c) {
           auto& driver = dynamic_cast<ForestDriver&>(c.service<Driver>());
           if (axis < c.grid().dim) driver.take_fluxes(c.simulation(), c.levels(), axis);
         })
        .reads({"@MoL::fluxes"})
        .launches_kernels()
        .together()
        .with_thorn("MoL")
        .in(MoL::fluxes[axis]);
}
}  // namespace Forest
CEREUS_THORN(Forest, Forest::declare, Forest::schedule)
