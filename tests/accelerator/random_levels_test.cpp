// Random routines on host and mirror device, on the levels of a forest that step together or by themselves: every
// reader must see, to the bit, what the same forest on a host gives that fills all ghost zones anew.
//
// CEREUS_SCHEDULES=N runs N / 10 schedules (each takes as long as ten on one level), CEREUS_FIRST_SCHEDULE=S starts at
// seed S.
//
// Mutations, each seen to fail: note_write() without drop_interpolated(), or for the next finer level alone;
// read_coarser() without make_valid(); a Tracker that copies ghost zones of the level beside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "accelerator/random_schedules.hpp"
#include "cereus/console.hpp"
#include "exec/bin.hpp"
#include "schedule/build.hpp"

namespace Forest {
void declare(cereus::Declaration&);
}
namespace Accelerator {
void declare(cereus::Declaration&);
}
namespace AcceleratorMirror {
void declare(cereus::Declaration&);
}

namespace {
using namespace cereus;
using Settings = std::map<std::string, Value>;
constexpr int timelevels = 2;

template <class S>
std::shared_ptr<S> add_service(
    Simulation& s, void (*declare)(Declaration&), const std::string& name, const Settings& settings) {
  ThornRecord record;
  record.name = name;
  Declaration d(record);
  declare(d);
  Parameters parameters(name, record.parameters);
  for (const auto& [parameter, value] : settings) parameters.set(parameter, value);
  s.parameters.emplace(name, parameters);
  const auto service = std::static_pointer_cast<S>(record.services.front().make(parameters));
  s.services.add(S::service_name, service);
  return service;
}

void make_fields(Simulation& s, int width, const std::vector<std::array<Centre, 3>>& centres) {
  ThornRecord record;
  record.name = "Data";
  Declaration d(record);
  for (std::size_t g = 0; g < centres.size(); ++g)
    d.group(fmt::format("g{}", g), {fmt::format("u{}", g), fmt::format("v{}", g)}, "Values at random")
        .timelevels(timelevels)
        .centre(centres[g][0], centres[g][1], centres[g][2]);
  s.thorns.push_back(record);
  s.parameters.emplace(record.name, Parameters(record.name, {}));
  Problems problems;
  collect_groups(s, problems);
  problems.throw_if_any();
  s.grid = s.services.get<Driver>().make_grid(width, Process{});
  s.fields = Fields(s.groups, std::vector<int>(s.groups.size(), timelevels), s.grid, s.real, true);
  s.services.get<Driver>().prepare(s);
}

double* address(const Simulation& s, const VariableAccess& a, int block, const Index& at, Space space) {
  return reinterpret_cast<double*>(s.fields.address(a.group, a.component, a.timelevel, block, space)) +
         s.fields.layout(block).at(at[0], at[1], at[2]);
}

class Levels {
 public:
  explicit Levels(unsigned seed) : random_(seed) {
    const int dim = 2 + random(2), width = 1 + random(3);
    const bool subcycles = chance(60);
    const int levels = 2 + random(dim == 2 ? 3 : 2), block = std::max(8, 4 * width);
    std::vector<std::string> boxes;
    for (int l = 1; l < levels; ++l) boxes.push_back(box(dim, l));
    const Settings forest{{"block", block}, {"levels", levels},
        {"cells", std::vector<int>(dim, (dim == 2 ? 4 : 2) * block)}, {"periodic", std::vector<bool>(dim, true)},
        {"subcycle", subcycles}, {"boxes", boxes}};
    std::vector<std::array<Centre, 3>> centres;
    for (int g = 0; g < 2; ++g) {
      centres.emplace_back();
      for (Centre& c : centres.back()) c = chance(50) ? Centre::vertex : Centre::cell;
    }
    for (Simulation* s : {&run_, &fresh_}) add_service<Driver>(*s, Forest::declare, "Forest", forest);
    device_ =
        add_service<Device>(run_, AcceleratorMirror::declare, "AcceleratorMirror", {{"seed", static_cast<int>(seed)}});
    std::string report;
    if (!device_->open(0, report)) throw Failure(report);
    add_service<cereus::Accelerator>(run_, ::Accelerator::declare, "Accelerator", {});
    for (Simulation* s : {&run_, &fresh_}) make_fields(*s, width, centres);
    run_.fields.allocate_on_device(
        run_.groups, [&](std::size_t bytes, const std::string& group) { return device_->allocate(bytes, group); });
    const auto ticks = run_.services.get<Driver>().ticks(run_.grid);
    for (const auto& t : ticks) selections_.push_back(t.levels);
  }
  ~Levels() { device_->wait(); }

  void run() {
    for (int g = 0; g < static_cast<int>(run_.groups.size()); ++g)
      for (int c = 0; c < 2; ++c)
        for (int t = 0; t < timelevels; ++t) write({{g, c, t, Mode::write}}, run_.grid.all(), Space::host);
    for (int n = 15 + random(15); n > 0 && findings.count() == 0; --n) {
      const Selection levels = selections_[static_cast<std::size_t>(random(static_cast<int>(selections_.size())))];
      const Space space = chance(50) ? Space::host : Space::device;
      if (chance(15)) cycle();
      else if (chance(50)) write(random_accesses(Mode::write), levels, space);
      else read(random_accesses(Mode::read), levels, space);
    }
    device_->wait();
  }
  Findings findings;
  int reads = 0;

 private:
  using Accesses = std::vector<VariableAccess>;
  int random(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int percent) { return random(100) < percent; }
  std::string box(int dim, int level) {
    std::string text = std::to_string(level);
    for (int d = 0; d < dim; ++d) {
      const double half = 0.6 / (1 << level), middle = 0.2 * (random(5) - 2);
      text += fmt::format(" {} {}", middle - half, middle + half);
    }
    return text;
  }
  Accesses random_accesses(Mode mode) {
    Accesses list;
    for (int n = 1 + random(2); n > 0; --n) {
      VariableAccess a{random(static_cast<int>(run_.groups.size())), random(2), random(timelevels), mode};
      if (mode == Mode::read) a.reach = random(run_.grid.ghosts[0] + 1), a.corners = chance(50);
      const auto same = [&](const VariableAccess& b) {
        return a.group == b.group && a.component == b.component && a.timelevel == b.timelevel;
      };
      if (std::ranges::none_of(list, same)) list.push_back(a);
    }
    return list;
  }
  template <class F> void for_each_point_read(const VariableAccess& a, Selection levels, F&& f) {
    for (int b = 0; b < static_cast<int>(run_.grid.blocks.size()); ++b) {
      const Block& block = run_.grid.blocks[static_cast<std::size_t>(b)];
      if (block.level < levels.first || block.level >= levels.last) continue;
      const Box owned = run_.grid.points(block, run_.groups[static_cast<std::size_t>(a.group)].centre);
      Index reach{};
      for (int d = 0; d < run_.grid.dim; ++d) reach[d] = a.reach;
      for_each_point(grow(owned, reach), [&](int i, int j, int k) {
        const Index at{i, j, k};
        int off = 0;
        for (int d = 0; d < run_.grid.dim; ++d) off += at[d] < owned.lo[d] || at[d] >= owned.hi[d];
        if (off <= 1 || a.corners) f(b, at);
      });
    }
  }

  void write(const Accesses& accesses, Selection levels, Space space) {
    Work& work = new_work("writes", levels, space);
    for (const VariableAccess& a : accesses)
      for_each_point_read(a, levels, [&](int b, const Index& at) {
        const double value = std::uniform_real_distribution<>(-1, 1)(random_);
        work.writes.push_back({address(run_, a, b, at, space), value});
        *address(fresh_, a, b, at, Space::host) = value;
      });
    routine(work, accesses, levels, space);
  }
  // In the forest that fills anew nothing but interiors counts.
  void read(const Accesses& accesses, Selection levels, Space space) {
    Work& work = new_work("reads", levels, space);
    for (const VariableAccess& a : accesses) {
      for (int l = 0; l < static_cast<int>(fresh_.grid.levels.size()); ++l)
        fresh_.fields.validity(a.group, a.component, a.timelevel, l).wrote_interior(Space::host, {});
      make_valid(fresh_, levels, {&a, 1}, -1, Space::host);
      for_each_point_read(a, levels, [&](int b, const Index& at) {
        work.reads.push_back({address(run_, a, b, at, space), *address(fresh_, a, b, at, Space::host)});
      });
    }
    routine(work, accesses, levels, space), ++reads;
  }
  // All levels together: past timelevels of levels at different times are refused where levels subcycle.
  void cycle() {
    const int g = random(static_cast<int>(run_.groups.size()));
    const Selection all = run_.grid.all();
    for (int l = 0; l < all.last; ++l) run_.fields.cycle(g, l, timelevels), fresh_.fields.cycle(g, l, timelevels);
    for (int c = 0; c < 2; ++c) write({{g, c, 0, Mode::write}}, all, chance(50) ? Space::host : Space::device);
  }

  Work& new_work(const char* does, Selection levels, Space space) {
    works_.push_back(std::make_unique<Work>());
    works_.back()->who = fmt::format("routine {}, which {} levels {} to {} on the {},", works_.size(), does,
        levels.first, levels.last - 1, space == Space::host ? "host" : "device");
    return *works_.back();
  }
  void routine(Work& work, const Accesses& accesses, Selection levels, Space space) {
    auto item = std::make_shared<Item>();
    item->thorn = "Data", item->name = fmt::format("routine{}", works_.size());
    item->launches = space == Space::device, item->together = true;
    item->run = [&](Context&) {
      if (space == Space::host) return work(findings);
      std::vector<char*> slabs;
      Accesses everywhere;
      for (int l = levels.first; l < levels.last; ++l)
        for (const VariableAccess& a : accesses)
          slabs.push_back(run_.fields.slab(a.group, a.component, a.timelevel, l, space)), everywhere.push_back(a);
      const BlockLaunch block{0, {}, {}, {}, {1, 1, 1}};
      const Geometry geometry{};
      device_->launch(kernel_of(run_.grid.dim, everywhere, work, findings),
          {{&block, 1}, slabs.data(), {1, 1, 1}, &geometry}, work.who.c_str());
    };
    Problems problems;
    resolve_routines(run_, {item}, problems);
    problems.throw_if_any();
    run_.routines.back().accesses = accesses;
    run_unaudited(run_, run_.routines.back(), levels);
  }

  std::mt19937 random_;
  Simulation run_, fresh_;
  std::shared_ptr<Device> device_;
  std::vector<Selection> selections_;
  std::vector<std::unique_ptr<Work>> works_;
};

TEST(RandomLevels, see_what_was_written) {
  const int schedules = environment("CEREUS_SCHEDULES", 400) / 10, first = environment("CEREUS_FIRST_SCHEDULE", 1);
  console::set_quiet(true);
  int reads = 0;
  for (int seed = first; seed < first + schedules; ++seed) {
    Levels one(static_cast<unsigned>(seed));
    one.run();
    reads += one.reads;
    ASSERT_EQ(one.findings.count(), 0) << "seed " << seed << ": " << one.findings.first();
  }
  console::set_quiet(false);
  fmt::print("{} schedules on levels, {} reads\n", schedules, reads);
}
}  // namespace
