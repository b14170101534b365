// The driver of one uniform level: decomposes it over MPI.
#include <Analysis/communicator.hpp>
#include <Exchange/collective.hpp>
#include <Exchange/domain.hpp>
#include <Exchange/speeds.hpp>
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>

#include "decompose.hpp"
#include "ghosts.hpp"

namespace UniGrid {
using namespace cereus;

class UniGridDriver : public Driver {
 public:
  explicit UniGridDriver(const Parameters& p) : parameters_(p) {}
  // A driver with these blocks, for a level of a solver.
  UniGridDriver(const Parameters& p, const Patch& space, std::vector<BlockHome> homes)
      : parameters_(p),
        homes_(std::move(homes)),
        coarse_(space) {}

  int dimension() const override { return static_cast<int>(parameters_.integers("cells").size()); }
  bool stretches_axes() const override { return space().stretched(); }

  Grid make_grid(int width, const Process& process) override {
    process_ = process;
    rank_ = process.rank(), size_ = process.size(), width_ = width;
    close();
    Grid g;
    g.dim = dimension();
    for (int d = 0; d < g.dim; ++d) g.ghosts[d] = width;
    Level l;
    l.space = coarse_.value_or(space());
    if (!coarse_) homes_ = decomposed(l.space, width);
    if (l.space.stretched()) l.space.tabulate(g.ghosts);
    std::vector<Block> mine;
    for (const BlockHome& b : homes_)
      if (b.owner == rank_) mine.push_back({.number = b.number, .cells = b.cells});
    g.add(l, std::move(mine));
    return g;
  }

  // If `alone`, the one block belongs to the calling process.
  std::shared_ptr<Driver> coarsened(const Index& ratio, bool alone, int thinnest) override {
    Patch space = coarse_.value_or(this->space());
    if (space.stretched()) return nullptr;
    std::vector<BlockHome> homes;
    const auto coarse = [](Box box, const Index& by) {
      for (int d = 0; d < 3; ++d)
        box.lo[d] = (box.lo[d] + by[d] - 1) / by[d], box.hi[d] = (box.hi[d] + by[d] - 1) / by[d];
      return box;
    };
    if (alone) homes.push_back({0, 0, coarse(space.cells, ratio)});
    for (const BlockHome& b : homes_) {
      if (alone) break;
      homes.push_back({b.number, b.owner, coarse(b.cells, ratio)});
      for (int d = 0; d < 3; ++d)
        if (ratio[d] > 1 && homes.back().cells.extent(d) < thinnest) return nullptr;
    }
    space.cells = coarse(space.cells, ratio);
    for (int d = 0; d < 3; ++d) space.spacing[d] *= ratio[d];
    const auto coarser = std::make_shared<UniGridDriver>(parameters_, space, std::move(homes));
    coarser_.push_back(coarser);
    return coarser;
  }

  bool has_ghosts(const Grid& g) const override {
    return homes_.size() > 1 || std::ranges::count(g.levels[0].space.periodic, 1);
  }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return homes_; }
  double share_by(const std::vector<double>& speeds) override {
    speeds_ = speeds;
    return exchange::seconds_of(homes_, speeds) / exchange::seconds_of(decomposed(space(), width_), speeds);
  }

  void prepare(Simulation& s) override {
    if (rank_ == 0) say_spacings(s.grid.levels[0].space, s.grid.dim);
    ghosts().prepare(s);
  }
  std::unique_ptr<Exchange> exchange(Simulation& s, std::span<const Ghosts> items, Space space, int routine) override {
    return ghosts().exchange(s, items, space, routine);
  }
  void close() override {
    for (const auto& coarser : coarser_)
      if (const auto driver = coarser.lock()) driver->close();
    coarser_.clear();
    if (ghosts_) ghosts_->close();
    ghosts_ = nullptr;
  }
  WriteThrough write_through(Simulation& s, std::span<const Ghosts> outputs, unsigned axes, Space space) override {
    return ghosts().write_through(s, outputs, axes, space);
  }

  // Computed without messages, because `cereus graph` asks for any number of processes.
  std::int64_t bytes_to_send(const Simulation& s, const Ghosts& g) override {
    const BlockIndex blocks(homes_);
    std::int64_t bytes = 0;
    for (int rank = 0; rank < size_; ++rank)
      for (const Piece& p : ghost_pieces(s.grid.levels[g.level].space, s.grid.dim, blocks, rank,
               s.groups[g.group].centre, g.depth, g.corners, g.axes))
        if (p.from == rank && p.to_rank != rank) bytes += aligned_bytes(p.to, size_of(s.type(g.group)));
    return bytes;
  }

  void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) override {
    if (size_ > 1) exchange::combine(comm_.get(process_), value, bytes, combine);
  }
  std::vector<std::vector<char>> gather(std::span<const char> mine) override {
    if (size_ == 1) return {std::vector<char>(mine.begin(), mine.end())};
    return exchange::gather(comm_.get(process_), mine);
  }

 private:
  std::vector<BlockHome> decomposed(const Patch& space, int width) const {
    const int each = static_cast<int>(parameters_.integer("blocks")), blocks = each * size_;
    try {
      std::vector<BlockHome> homes;
      for (const auto& b : speeds_.empty() ? decompose(space.cells, dimension(), space.periodic, blocks, size_, width,
                                                 parameters_.boolean("uneven"))
                                           : decompose_by_speed(space.cells, dimension(), each, speeds_, width))
        homes.push_back({static_cast<int>(homes.size()), b.owner, b.cells});
      return homes;
    } catch (const std::runtime_error& e) {
      throw Error(parameters_.where("cells"), std::string("UniGrid.cells: on ") + std::to_string(blocks) + " blocks " +
                                                  e.what() + "; take more cells, or fewer processes or blocks");
    }
  }
  Patch space() const {
    Patch p;
    p.cells.hi = {1, 1, 1};
    const auto cells = parameters_.integers("cells");
    constexpr std::int64_t most = 1 << 30;  // indices of points, ghost zones among them, have 32 bits
    for (const std::int64_t n : cells)
      if (n > most)
        throw Error(parameters_.where("cells"),
            "UniGrid.cells: " + std::to_string(n) + " cells along an axis; there may be " + std::to_string(most));
    const auto lower = parameters_.reals("lower"), upper = parameters_.reals("upper");
    const auto periodic = parameters_.booleans("periodic");
    const auto factor = parameters_.reals("stretch_factor"), from = parameters_.reals("stretch_from"),
               width = parameters_.reals("stretch_width");
    const auto axis_value = [&](const auto& list, std::size_t d) { return list.size() == 1 ? list[0] : list[d]; };
    for (const auto* name : {"lower", "upper", "periodic", "stretch_factor", "stretch_from", "stretch_width"}) {
      const auto n = parameters_[name].elements().size();
      if (n != 1 && n != cells.size())
        throw Error(parameters_.where(name),
            std::string("UniGrid.") + name + " needs one value, or one for each axis of UniGrid.cells");
    }
    for (std::size_t d = 0; d < cells.size(); ++d) {
      p.cells.hi[d] = static_cast<int>(cells[d]);
      p.periodic[d] = axis_value(periodic, d);
      p.lower[d] = axis_value(lower, d);
      if (!(axis_value(upper, d) > p.lower[d]))
        throw Error(parameters_.where("upper"), "UniGrid.upper must be greater than UniGrid.lower along each axis");
      p.stretch[d] = {axis_value(factor, d), axis_value(from, d), axis_value(width, d)};
      if (p.stretched(d) && p.periodic[d])
        throw Error(parameters_.where("stretch_factor"),
            std::string("UniGrid.stretch_factor: the axis ") + "xyz"[d] + " is periodic; only others can be stretched");
      const auto place = [&](double x) { return p.stretched(d) ? p.stretch[d].inverse(x) : x; };
      p.lower[d] = place(p.lower[d]);
      p.spacing[d] = (place(axis_value(upper, d)) - p.lower[d]) / static_cast<double>(cells[d]);
    }
    return p;
  }
  static void say_spacings(const Patch& p, int dim) {
    for (int d = 0; d < dim; ++d) {
      if (!p.stretched(d)) continue;
      const auto spacing = [&](int i) { return p.distance(d, Centre::cell, i); };
      double growth = 1;
      int at = p.cells.lo[d];
      for (int i = p.cells.lo[d]; i + 1 < p.cells.hi[d]; ++i) {
        const double ratio = spacing(i + 1) / spacing(i), here = std::max(ratio, 1 / ratio);
        if (here > growth) growth = here, at = i;
      }
      char text[160];
      std::snprintf(text, sizeof text,
          "UniGrid: the spacing along %c is %.4g at 0 and %.4g at the upper end; near %.3g it grows by %.1f %% a cell",
          "xyz"[d], p.spacing[d], spacing(p.cells.hi[d] - 1), p.coordinate(d, Centre::cell, at), 100 * (growth - 1));
      console::say(text);
    }
  }
  // Made at the first call, because commands that run nothing start no MPI.
  GhostZones& ghosts() {
    if (!ghosts_)
      ghosts_ = std::make_unique<GhostZones>(
          std::vector{BlockIndex(homes_)}, comm_.get(process_), parameters_.string("transport"));
    return *ghosts_;
  }

  Parameters parameters_;
  Process process_;
  int rank_ = 0, size_ = 1, width_ = 0;
  std::vector<double> speeds_;    // empty: all are alike
  std::vector<BlockHome> homes_;  // of all processes
  std::optional<Patch> coarse_;   // the coordinates of a level of a solver
  std::vector<std::weak_ptr<UniGridDriver>> coarser_;
  Analysis::Communicator comm_;  // outlives those who use it
  std::unique_ptr<GhostZones> ghosts_;
};

void declare(Declaration& d) {
  d.describe("Driver of one uniform level: decomposes it over processes and fills ghost zones");
  d.parameter("cells", {64, 64, 64}, at_least(1), "Number of cells along each axis; one, two or three numbers")
      .length(1, 3);
  exchange::declare_domain(d);
  d.parameter("stretch_factor", {1.0}, above(0.0),
       "Spacing far outside over spacing at 0; 1: uniform. One number for all axes, or one an axis")
      .length(1, 3);
  d.parameter("stretch_from", {1.0}, above(0.0),
       "Half width of the inner region of a stretched axis, without what the stretching adds to it")
      .length(1, 3)
      .only_with("stretch_factor");
  d.parameter("stretch_width", {1.0}, above(0.0), "Width, in the same sense, of the transition between the spacings")
      .length(1, 3)
      .only_with("stretch_factor");
  d.parameter("blocks", 1, at_least(1), "Blocks a process");
  d.parameter("uneven", false, any(), "Cut blocks of different sizes (for tests)");
  d.parameter("transport", "auto",
      one_of({{"auto", "ipc between devices of a host, else nccl, where these are possible; else staged"},
          {"ipc", "the devices read each other's memory"}, {"nccl", "by NCCL, which is looked for when the run starts"},
          {"staged", "through the host, by MPI"}}),
      "How ghost zones travel between devices of two processes");
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<UniGridDriver>(p); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace UniGrid
CEREUS_THORN(UniGrid, UniGrid::declare, UniGrid::schedule)
