// Sweeps on a device, compiled late.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <optional>
#include <thread>

#include "arguments.hpp"
#include "compiler.hpp"
#include "late.hpp"
#include "sweep/stages.hpp"
#include "sweeper.hpp"
namespace CaKernel {
namespace {
constexpr int most_seconds =
    60;  // that a sweep may compile: what takes longer needs gigabytes, too, and is no fast one
int at_least_one(int n, int by) { return std::max(1, pieces(n, by)); }

// How many columns of a box are gone through in long marches. All parts of a block, of `all` columns, have as many
// together as the block at once: those of small parts are all long, and as many fewer of the large one.
int long_columns(const March& m, int columns, int all) {
  if (columns >= all || m.whole == 0) return std::min(m.whole, columns);
  return 2 * columns > all ? std::max(0, m.whole - (all - columns)) : columns;
}

// Where the tiles of a box begin along x, those along x and y, and the rows at outer faces that need no tiles of their
// own.
struct Columns {
  int begin, n[2], spare[2] = {};
  Columns(const StepProgram& p, const Candidate& c, const sweep::Arguments& a, const Box& box, const Box& block)
      : begin(box.lo[0] == block.lo[0] ? 0 : a.begin[0]) {  // vectors begin where rows do
    const bool layers = p.program.dim == 3;
    if (layers && box.lo[1] == block.lo[1] && a.changing[0].lo[1] > -sweep::far)
      spare[0] = sweep::spare_rows(p.program, c.facts, 0);
    if (layers && box.hi[1] == block.hi[1] && a.changing[0].hi[1] < sweep::far)
      spare[1] = sweep::spare_rows(p.program, c.facts, 1);
    n[0] = at_least_one(a.end[0] - begin, c.facts.inner_x * (layers ? 1 : c.tile.warps));
    n[1] = layers ? at_least_one(a.end[1] - a.begin[1] - spare[0] - spare[1], c.facts.inner_y) : 1;
  }
  int all() const { return n[0] * n[1]; }
};

class DeviceSweeper : public Sweeper {
 public:
  DeviceSweeper(std::string architecture, std::string folder)
      : architecture_(std::move(architecture)),
        folder_(std::move(folder)) {}
  ~DeviceSweeper() override {
    if (compiler_) compiler_->give_up();
  }
  Space space() const override { return Space::device; }
  std::string name() const override { return architecture_; }

  std::vector<Candidate> candidates(const StepProgram& p, const Index& extent, int most_steps) const override {
    return device_tiles(p.program, bytes_of(p), extent, p.outer, most_steps);
  }

  void begin(const Simulation& s, const StepProgram& p, std::vector<Candidate> list) override {
    list_ = std::move(list);
    const Layout& layout = s.fields.layout(0);
    headers_ = headers_of(p);
    compiler_.emplace(
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / s.process.local_size()), most_seconds);
    for (const auto& c : list_)
      work_.push_back(
          std::async(std::launch::async, [this, source = source_of(p, c.tile, layout.stride[1], layout.stride[2])] {
            return code_for({source, headers_}, architecture_, folder_, *compiler_);
          }));
  }
  bool done() const override {
    return std::ranges::all_of(
        work_, [](const auto& w) { return w.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  }

  std::vector<Ready> finish(Simulation& s, const StepProgram& p, const Index& extent, std::string& obstacle) override {
    auto* device = s.services.find<Device>();
    if (device) multiprocessors_ = device->multiprocessors();
    std::vector<Ready> ready;
    std::string log;
    for (std::size_t n = 0; n < list_.size(); ++n) {
      const Code code = work_[n].get();
      // A sweep by levels does not compile where its plan lacks a value. A log of another sweep says more.
      if (code.bytes.empty() && (log.empty() || list_[n].tile.levels == 0)) log = code.log;
      Ready r{list_[n]};
      if (device && !code.bytes.empty())
        r.code = device->load(code.bytes, function_name, 32 * r.candidate.tile.warps,
            static_cast<unsigned>(r.candidate.facts.shared_bytes));
      if (s.process.any(r.code.blocks == 0)) continue;  // none takes what one cannot
      r.march = marches(p, r, extent).front();
      ready.push_back(std::move(r));
    }
    if (ready.empty() && !log.empty()) obstacle = "a sweep does not compile: " + log;
    return ready;
  }

  std::vector<March> marches(const StepProgram& p, const Ready& r, const Index& extent) const override {
    if (r.candidate.tile.by_stages()) return {March{}};
    return device_marches(p.program, r.candidate, extent, p.outer, r.code.blocks * multiprocessors_);
  }

  // As thick as a tile: then there are as many tiles as without a cut, but where rows must begin at a line of memory.
  // Along the march a cut costs as many planes however thick it is.
  int aligned() const override { return 32; }
  Index skin(const StepProgram& p, const Ready& r) const override {
    if (r.candidate.tile.by_stages()) return {0, 0, 0};
    const Facts& facts = r.candidate.facts;
    const int dim = p.program.dim;
    Index thick{facts.inner_x * (dim == 3 ? 1 : r.candidate.tile.warps), facts.inner_y, 1};
    if (dim > 1) thick[dim - 1] = 1;
    return thick;
  }

  void start(Simulation& s, const StepProgram& p, const Ready& r, const BlockBoxes& boxes) override {
    const Facts& facts = r.candidate.facts;
    const int dim = p.program.dim;
    for (const auto& [b, box] : boxes) {
      if (box.empty()) continue;
      if (r.candidate.tile.stages > 0) {
        start_passes(s, p, r, b, box);
        continue;
      }
      sweep::Arguments a = arguments_of(s, p, b, box, Space::device);
      const Box& block = s.grid.blocks[b].cells;
      const int line = 128 / bytes_of(p);  // rows begin a whole number of lines before the first point; the next row's
                                           // left ghosts end this one's
      a.readable.lo[0] = a.readable.lo[0] / line * line - (a.readable.lo[0] % line ? line : 0),
      a.readable.hi[0] = static_cast<int>(s.fields.layout(b).stride[1]);
      if (r.candidate.tile.levels > 0) {
        start_levels(s, p, r, a);
        continue;
      }
      const Columns here(p, r.candidate, a, box, block);
      a.begin[0] = here.begin, std::copy_n(here.spare, 2, a.spare), std::copy_n(here.n, 2, a.columns);
      const int columns = here.all(), planes = dim == 1 ? 1 : a.end[dim - 1] - a.begin[dim - 1];
      const int all = box == block
                          ? columns
                          : Columns(p, r.candidate, arguments_of(s, p, b, block, Space::device), block, block).all();
      a.march = r.march, a.march.whole = long_columns(r.march, columns, all);
      const int longs = a.march.whole * at_least_one(planes, r.march.planes),
                shorts = (columns - a.march.whole) * at_least_one(planes, r.march.rest);
      DeviceCall call{r.code.function, {1, 1, 1}, {32 * static_cast<unsigned>(r.candidate.tile.warps), 1, 1},
          1 + p.program.stages, {&a}, {sizeof a}, static_cast<unsigned>(facts.shared_bytes)};
      call.grid[0] = static_cast<unsigned>(dim == 1   ? columns
                                           : dim == 2 ? at_least_one(planes, r.march.rest)
                                                      : longs + shorts);
      if (dim == 2) call.grid[1] = static_cast<unsigned>(columns);
      for (int n = 0; n < p.program.stages; ++n) {
        call.argument[1 + n] = p.stages[n].table->kernel.get();
        call.bytes[1 + n] = static_cast<unsigned>(p.stages[n].table->kernel_size);
      }
      s.services.get<Device>().start(call, ("time tiles of " + p.stages.front().name).c_str());
    }
  }

  // A step in passes of a few stages. All but the last go as far around the box as those after them read.
  static void start_passes(Simulation& s, const StepProgram& p, const Ready& r, int b, const Box& box) {
    const TileShape& t = r.candidate.tile;
    const sweep::Program& g = p.program;
    sweep::Arguments a = arguments_of(s, p, b, box, Space::device);
    for (int first = 0; first < g.substeps; first += t.stages) {
      sweep::Pass pass = sweep::pass_of(g, a, first, std::min(first + t.stages, g.substeps));
      for (std::size_t f = 0; f < p.fields.size(); ++f) {
        const auto& field = p.fields[f];
        const bool between = field.kind == StepProgram::Field::integrated && g.substeps > t.stages;
        pass.between[f] =
            between ? s.fields.address(field.group, field.component, sweep::buffer_between(g), b, Space::device)
                    : nullptr;
      }
      const auto n = [&](int d, int by, int lo) {
        return static_cast<unsigned>(std::max(1, pieces(pass.box.hi[d] - lo, by)));
      };
      DeviceCall call{r.code.function,
          {n(0, 32, sweep::first_thread(pass)), n(1, t.warps, pass.box.lo[1]), n(2, t.rows, pass.box.lo[2])},
          {32, static_cast<unsigned>(t.warps), 1}, 3, {&a, &pass}, {sizeof a, sizeof pass}, 0};
      call.argument[2] = p.stages[0].table->kernel.get();
      call.bytes[2] = static_cast<unsigned>(p.stages[0].table->kernel_size);
      s.services.get<Device>().start(call, ("stages of " + p.stages.front().name).c_str());
    }
  }

  // A step by levels: as many thread blocks as there is room for share all planes of all columns of tiles.
  void start_levels(Simulation& s, const StepProgram& p, const Ready& r, sweep::Arguments& a) const {
    const Facts& f = r.candidate.facts;
    a.wraps = p.wraps;
    a.columns[0] = at_least_one(a.end[0] - a.begin[0], f.inner_x);
    a.columns[1] = at_least_one(a.end[1] - a.begin[1], f.inner_y);
    DeviceCall call{r.code.function, {static_cast<unsigned>(multiprocessors_ * r.code.blocks), 1, 1},
        {32 * static_cast<unsigned>(r.candidate.tile.warps), 1, 1}, 2, {&a}, {sizeof a},
        static_cast<unsigned>(f.shared_bytes)};
    call.argument[1] = p.stages[0].table->kernel.get();
    call.bytes[1] = static_cast<unsigned>(p.stages[0].table->kernel_size);
    s.services.get<Device>().start(call, ("stages of " + p.stages.front().name).c_str());
  }

  std::string text(const Ready& r) const override {
    const TileShape& t = r.candidate.tile;
    char line[160];
    if (t.stages > 0) {
      std::snprintf(line, sizeof line, "%d stages a pass, rows %d, warps %d; registers %d, spilled %d, blocks %d",
          t.stages, t.rows, t.warps, r.code.registers, r.code.spilled, r.code.blocks);
      return line;
    }
    if (t.levels > 0) {
      std::snprintf(line, sizeof line,
          "all stages by %d levels, %dx%d points, warps %d; registers %d, spilled %d, blocks %d", t.levels,
          r.candidate.facts.width, r.candidate.facts.height, t.warps, r.code.registers, r.code.spilled, r.code.blocks);
      return line;
    }
    std::snprintf(line, sizeof line, "rows %d, warps %d, lanes %d, march %s; registers %d, spilled %d, blocks %d",
        t.rows, t.warps, t.lanes, text_of(r.march).c_str(), r.code.registers, r.code.spilled, r.code.blocks);
    return line;
  }

 private:
  std::string architecture_, folder_;
  int multiprocessors_ = 1;
  std::vector<Candidate> list_;
  std::vector<Text> headers_;
  std::optional<Compiler> compiler_;
  std::vector<std::future<Code>> work_;  // ends before what it uses
};
}  // namespace

std::unique_ptr<Sweeper> device_sweeper(const std::string& architecture, const std::string& folder) {
  return std::make_unique<DeviceSweeper>(architecture, folder);
}
}  // namespace CaKernel
