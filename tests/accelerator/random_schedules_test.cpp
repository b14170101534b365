// Random schedules on host and mirror device against the oracle: every reader must see what was written last, and
// exactly the bytes that the oracle names may move. Routines run through run_routine, as in a run.
//
// CEREUS_SCHEDULES=N runs N schedules, CEREUS_FIRST_SCHEDULE=S starts at seed S, CEREUS_FINDINGS=F stops after F that
// fail, CEREUS_TRACE=1 names each routine before it runs.
//
// A routine reads a variable and timelevel in one way: of two, the lesser may be copied although the other is exchanged
// anyway. A device's kernels and conditions run when the mirror gets to them; writes are noted by the flesh. Slices
// have no call of their own yet, so the test stages them itself.
//
// Mutations, each seen to fail within the first 20 seeds:
//   validity     a write of the interior leaves the other space valid; keeps ghost zones; keeps outer faces; drops what
//   is
//                derived in its own space only; a write of the boundary leaves the other space valid; a condition
//                counts as right along all ghost zones, or as a write
//   execute      a write of the interior counts as everywhere; a write of the boundary marks the interior; what a
//   device
//                routine wrote is noted on the host
//   make_valid   ghost zones filled for a star count for a box
//   fields       cycle keeps what was valid; cycle moves buffers the wrong way
//   Accelerator  copies the interior only (ghost zones, or boundary, marked but not copied); one layer too few; all
//   layers;
//                takes shallower ghost zones than asked for; a copied star counts for a box; takes a star for a box;
//                copies in the wrong direction; copies what is valid; an update is no read; everywhere without ghost
//                zones; timelevel or component ignored; the first block only; faces twice where they overlap; the
//                interior for a reader of the boundary; a copied boundary counts along all ghost zones; takes one that
//                is right less far along
//   mirror       a copy to the host does not wait; a copy from the host reads the host's memory late
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <set>

#include "accelerator/oracle.hpp"
#include "run/execute.hpp"
#include "schedule/build.hpp"

namespace UniGrid {
void declare(cereus::Declaration&);
}
namespace Accelerator {
void declare(cereus::Declaration&);
}
namespace AcceleratorMirror {
void declare(cereus::Declaration&);
}

using namespace cereus;

namespace {
int environment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}
struct StartMPI : ::testing::Environment {
  void SetUp() override { process = Process::start(nullptr, nullptr); }
  void TearDown() override { process.finish(); }
  Process process;
};
[[maybe_unused]] const auto* const start_mpi = ::testing::AddGlobalTestEnvironment(new StartMPI);

// What went wrong first; kernels report from the device's thread.
class Findings {
 public:
  void add(const std::string& what) {
    std::lock_guard lock(mutex_);
    if (count_++ == 0) first_ = what;
  }
  int count() const { return std::lock_guard(mutex_), count_; }
  std::string first() const { return std::lock_guard(mutex_), first_; }

 private:
  mutable std::mutex mutex_;
  int count_ = 0;
  std::string first_;
};

std::string text(double x) {
  const auto o = oracle::decode(x);
  if (!o) return fmt::format("{}", x);
  return fmt::format("[variable {}, writer {}, version {}{}, at {} {} {}]", o->variable, o->writer, o->version,
                     o->condition ? ", by condition" : "", o->at[0], o->at[1], o->at[2]);
}

// What a routine does, point by point; on a device it is done when the device gets to it.
struct Work {
  struct Value {
    double* at;
    double value;
  };
  struct Condition {
    const double* from;
    double* to;
    Index at;
  };
  std::string who;
  std::vector<Value> reads, writes;
  std::vector<Condition> conditions;

  void operator()(Findings& findings) const {
    for (const auto& r : reads)
      if (*r.at != r.value) findings.add(fmt::format("{} reads {} instead of {}", who, text(*r.at), text(r.value)));
    for (const auto& w : writes) *w.at = w.value;
    for (const auto& c : conditions) {
      const auto o = oracle::decode(*c.from);
      *c.to = o ? oracle::encode({o->variable, o->writer, o->version, true, c.at}) : *c.from;
    }
  }
};
struct WorkKernel {  // what a launch table carries to the device
  const Work* work;
  Findings* findings;
};
KernelTable table_of(int dim, int handles, const Work* work, Findings& findings) {
  KernelTable t;
  t.dim = dim, t.handles = handles;
  t.host = [](const void* kernel, const Launch&) {
    const auto* k = static_cast<const WorkKernel*>(kernel);
    (*k->work)(*k->findings);
  };
  t.kernel = std::make_shared<WorkKernel>(WorkKernel{work, &findings});
  t.kernel_size = sizeof(WorkKernel);
  return t;
}

class Schedules {
 public:
  explicit Schedules(std::uint64_t seed);
  ~Schedules() { device_->wait(); }
  void run();

  struct Counts {
    std::int64_t steps = 0, routines = 0, on_device = 0, cycles = 0, writes[3] = {}, offset_reads = 0,
                 star_then_box = 0, slices = 0;
    std::int64_t bytes[spaces] = {};
    void operator+=(const Counts& c) {
      steps += c.steps, routines += c.routines, on_device += c.on_device, cycles += c.cycles, slices += c.slices;
      offset_reads += c.offset_reads, star_then_box += c.star_then_box;
      for (int n = 0; n < 3; ++n) writes[n] += c.writes[n];
      for (int n = 0; n < spaces; ++n) bytes[n] += c.bytes[n];
    }
  } counts;
  Findings findings;

 private:
  // A value outside the domain says of which version of the interior it was made.
  struct Conditions : BoundaryConditions {
    explicit Conditions(Schedules& t) : test(t) {}
    std::string missing(const Simulation&, int, int) const override { return ""; }
    void apply(Simulation&, int, std::span<const Driver::Stale> stale, Space space) override {
      auto& work = test.new_work("the boundary condition");
      for (const auto& v : stale)
        for (const auto& p : test.oracle_->points(v.group))
          if (p.outside) {
            const VariableAccess a{v.group, v.component, v.timelevel};
            work.conditions.push_back(
                {test.address(a, p.block, p.nearest, space), test.address(a, p.block, p.at, space), p.home});
          }
      test.start(work, space);
    }
    Schedules& test;
  };

  int random(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int percent) { return random(100) < percent; }
  template <class S>
  void offer(void (*declare)(Declaration&), const std::string& name, const std::map<std::string, Value>& values);

  double* address(const VariableAccess& a, int block, const Index& at, Space space) {
    return reinterpret_cast<double*>(s_.fields.address(a.group, a.component, a.timelevel, 0, block, space)) +
           s_.fields.layout(0, block).at(at[0], at[1], at[2]);
  }
  Work& new_work(std::string who) {
    works_.push_back(std::make_unique<Work>());
    works_.back()->who = std::move(who);
    return *works_.back();
  }
  void start(const Work& work, Space space) {
    if (space == Space::host) return work(findings);
    char* const nowhere[1] = {};
    const BlockLaunch block{nowhere, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    device_->launch(table_of(s_.grid.dim, 1, &work, findings), {&block, 1, {}}, 1, work.who);
  }
  VariableAccess random_variable();
  bool random_read(VariableAccess&);
  std::vector<VariableAccess> random_accesses(bool kernel);
  void routine(const std::vector<VariableAccess>&, Space, bool kernel);
  bool refused(const VariableAccess&, Space);
  void slice();
  void cycle();
  std::string describe(const std::vector<VariableAccess>&) const;

  std::mt19937_64 random_;
  Simulation s_;
  Device* device_ = nullptr;
  std::unique_ptr<oracle::Oracle> oracle_;
  std::vector<std::unique_ptr<Work>> works_;
  std::vector<std::unique_ptr<KernelTable>> tables_;
  using Key = std::array<int, 3>;
  std::set<Key> star_read_;  // since they were last written: for star-then-box reads
};

template <class S>
void Schedules::offer(void (*declare)(Declaration&), const std::string& name,
                      const std::map<std::string, Value>& values) {
  ThornRecord record;
  record.name = name;
  Declaration d(record);
  declare(d);
  Parameters parameters(name, record.parameters);
  for (const auto& [parameter, value] : values) parameters.set(parameter, value);
  for (const auto& o : record.services)
    if (o.service == S::service_name) s_.services.add(o.service, o.make(parameters));
  s_.parameters.emplace(name, parameters);
}

Schedules::Schedules(std::uint64_t seed) : random_(seed) {
  const int dim = 2 + random(2), width = 1 + random(3);
  std::vector<int> cells;
  std::vector<bool> periodic;
  for (int d = 0; d < dim; ++d)
    cells.push_back((dim == 2 ? 8 : 6) + random(dim == 2 ? 5 : 4)), periodic.push_back(chance(40));
  offer<Driver>(UniGrid::declare, "UniGrid",
                {{"cells", cells},
                 {"periodic", periodic},
                 {"uneven", chance(80)},
                 {"blocks", 3 + random(*std::min_element(cells.begin(), cells.end()) >= 3 * width ? 3 : 1)}});
  offer<cereus::Accelerator>(::Accelerator::declare, "Accelerator", {});
  offer<Device>(AcceleratorMirror::declare, "AcceleratorMirror", {});
  s_.services.add(BoundaryConditions::service_name, std::make_shared<Conditions>(*this));
  device_ = &s_.services.get<Device>();
  std::string report;
  if (!device_->open(0, 1, report)) throw Failure(report);

  ThornRecord record;
  record.name = "Data";
  Declaration d(record);
  for (int g = 1 + random(3); g > 0; --g) {
    std::vector<std::string> names;
    for (int c = 1 + random(3); c > 0; --c) names.push_back(fmt::format("u{}{}", g, c));
    const auto centre = [&] { return chance(50) ? Centre::vertex : Centre::cell; };
    d.group(fmt::format("g{}", g), names, "Values that say who wrote them")
        .timelevels(1 + random(3))
        .centre(centre(), centre(), centre());
  }
  s_.thorns.push_back(record);
  s_.parameters.emplace(record.name, Parameters(record.name, {}));
  Problems problems;
  collect_groups(s_, problems);
  problems.throw_if_any();
  s_.grid = s_.services.get<Driver>().make_grid(width, Process{});
  std::vector<int> buffers;
  for (const auto& g : s_.groups) buffers.push_back(g.timelevels);
  s_.fields = Fields(s_.groups, s_.variables, buffers, s_.grid, s_.real, true);
  s_.fields.allocate_on_device(
      s_.groups, [&](std::size_t bytes, const std::string& group) { return device_->allocate(bytes, group); });
  oracle_ = std::make_unique<oracle::Oracle>(s_.grid, s_.groups);
}

VariableAccess Schedules::random_variable() {
  const int v = random(static_cast<int>(s_.variables.size())), g = s_.variables[v].group;
  return {g, s_.variables[v].component, chance(70) ? 0 : random(s_.groups[g].timelevels)};
}

bool Schedules::random_read(VariableAccess& a) {
  a = random_variable();
  bool box = chance(30);
  const bool again = chance(80) && !star_read_.empty();  // with a box what was read with a star
  if (again) {
    auto it = star_read_.begin();
    std::advance(it, random(static_cast<int>(star_read_.size())));
    a.group = (*it)[0], a.component = (*it)[1], a.timelevel = (*it)[2], box = true;
  }
  a.mode = Mode::read;
  const int kind = again ? 30 + random(70) : random(100);
  if (kind < 15)
    a.region = Region::interior;
  else if (kind < 25)
    a.region = Region::boundary;
  else if (kind < 40)
    a.region = Region::everywhere;
  else
    a.reach = 1 + random(s_.grid.ghosts[0]), a.corners = box;
  return oracle_->readable(a);
}

std::vector<VariableAccess> Schedules::random_accesses(bool kernel) {
  std::vector<VariableAccess> list;
  std::set<Key> read, written;
  for (int n = random(3); n > 0; --n)
    for (int attempt = 0; attempt < 5; ++attempt)
      if (VariableAccess a; random_read(a) && read.insert({a.group, a.component, a.timelevel}).second) {
        list.push_back(a);
        break;
      }
  for (int n = random(3); n > 0; --n) {
    VariableAccess a = random_variable();
    a.region =
        kernel && !written.empty() ? list.back().region : static_cast<Region>(random(3));  // a kernel's loop is one
    a.mode = chance(30) ? Mode::update : Mode::write;
    if (a.mode == Mode::update && (read.count({a.group, a.component, a.timelevel}) || !oracle_->readable(a)))
      a.mode = Mode::write;
    if (written.insert({a.group, a.component, a.timelevel}).second) list.push_back(a);
  }
  return list;
}

std::string Schedules::describe(const std::vector<VariableAccess>& accesses) const {
  constexpr const char* regions[] = {"interior", "boundary", "everywhere"};
  constexpr const char* modes[] = {"reads", "writes", "updates", "adds to"};
  std::string what;
  for (const auto& a : accesses)
    what += fmt::format("{}{} {}[{}] {}{}", what.empty() ? "" : ", ", modes[static_cast<int>(a.mode)],
                        s_.variable_name(a.group, a.component), a.timelevel, regions[static_cast<int>(a.region)],
                        a.reach ? fmt::format(" {}<{}>", a.corners ? "box" : "star", a.reach) : "");
  return what;
}

void Schedules::routine(const std::vector<VariableAccess>& accesses, Space space, bool kernel) {
  const int number = static_cast<int>(s_.routines.size());
  auto& work =
      new_work(fmt::format("step {}, routine {} on the {}{} ({})", counts.steps, number,
                           space == Space::host ? "host" : "device", kernel ? ", a kernel" : "", describe(accesses)));
  std::int64_t expected[spaces] = {};
  for (const auto& a : accesses) {
    const auto& points = oracle_->points(a.group);
    const Key key{a.group, a.component, a.timelevel};
    if (a.mode != Mode::write) {
      const bool box = a.region == Region::everywhere || (a.reach > 0 && a.corners), star = a.reach > 0 && !a.corners;
      counts.offset_reads += box || star;
      if (box && star_read_.erase(key)) ++counts.star_then_box;
      if (star) star_read_.insert(key);
      expected[static_cast<int>(space)] += oracle_->read(a, space);
      for (std::size_t n = 0; n < points.size(); ++n)
        if (oracle_->touches(a, points[n]))
          work.reads.push_back({address(a, points[n].block, points[n].at, space), oracle_->right(a, n)});
    }
  }
  for (const auto& a : accesses) {
    if (a.mode == Mode::read) continue;
    ++counts.writes[static_cast<int>(a.region)];
    star_read_.erase({a.group, a.component, a.timelevel});
    oracle_->write(a, space, number);
    const auto& points = oracle_->points(a.group);
    for (std::size_t n = 0; n < points.size(); ++n)
      if (oracle_->touches(a, points[n]))
        work.writes.push_back({address(a, points[n].block, points[n].at, space), oracle_->right(a, n)});
  }
  auto item = std::make_shared<Item>();
  item->thorn = "Data", item->name = fmt::format("routine{}", number);
  item->launches = space == Space::device;
  item->run = [this, &work, space](Context&) { start(work, space); };
  Problems problems;
  resolve_routines(s_, {item}, problems);
  problems.throw_if_any();
  // Accesses are set by hand: a routine's reads are boxes when declared, and a kernel's regions follow from its
  // handles.
  s_.routines.back().accesses = accesses;
  if (kernel && !accesses.empty()) {
    tables_.push_back(
        std::make_unique<KernelTable>(table_of(s_.grid.dim, static_cast<int>(accesses.size()), &work, findings)));
    s_.routines.back().is_kernel = true, s_.routines.back().table = tables_.back().get();
  }
  if (environment("CEREUS_TRACE", 0)) fmt::print("{}\n", work.who);
  const auto before = s_.traffic.total();
  run_routine(s_, s_.routines.back(), 0);
  const auto after = s_.traffic.total();
  for (int to = 0; to < spaces; ++to) {
    const auto moved = to ? after.to_device - before.to_device : after.to_host - before.to_host;
    counts.bytes[to] += moved;
    if (moved != expected[to])
      findings.add(fmt::format("{}: {} bytes moved to the {} instead of {}", work.who, moved, to ? "device" : "host",
                               expected[to]));
  }
  ++counts.routines, counts.on_device += space == Space::device;
}

bool Schedules::refused(const VariableAccess& a, Space space) {
  try {
    make_valid(s_, 0, {&a, 1}, -1, space);
  } catch (const Failure&) {
    return true;
  }
  return false;
}

// Part of a region that is valid on the device comes to the host through staging: no entry changes, nothing is counted.
void Schedules::slice() {
  VariableAccess a = random_variable();
  if (!oracle_->owned_in(a, Space::device)) return;
  const auto before = s_.traffic.total();
  const Validity validity = s_.fields.validity(a.group, a.component, a.timelevel, 0);
  const int axis = random(s_.grid.dim);
  const Level& level = s_.grid.levels[0];
  const int at = level.domain.lo[axis] + random(level.domain.extent(axis));
  for (const auto& [b, owned] : boxes_of(s_, 0, Region::interior, s_.groups[a.group].centre)) {
    Box box = owned;
    box.lo[axis] = std::max(box.lo[axis], at), box.hi[axis] = std::min(box.hi[axis], at + 1);
    if (box.empty()) continue;
    std::vector<double> staging(static_cast<std::size_t>(box.points()));
    const Layout& layout = s_.fields.layout(0, b);
    const CopyPiece piece{reinterpret_cast<const char*>(address(a, b, box.lo, Space::device)),
                          reinterpret_cast<char*>(staging.data()),
                          {layout.stride[1], layout.stride[2]},
                          {box.extent(0), Offset{box.extent(0)} * box.extent(1)},
                          {box.extent(0), box.extent(1), box.extent(2)},
                          8};
    device_->copy(Space::device, Space::host, {&piece, 1});
    const auto& points = oracle_->points(a.group);
    for (std::size_t n = 0; n < points.size(); ++n) {
      if (points[n].block != b || !box.contains(points[n].at)) continue;
      const auto& p = points[n].at;
      const double seen = staging[static_cast<std::size_t>(
          ((p[2] - box.lo[2]) * box.extent(1) + p[1] - box.lo[1]) * box.extent(0) + p[0] - box.lo[0])];
      if (seen != oracle_->right(a, n))
        findings.add(
            fmt::format("a slice of {} has {} instead of {}", describe({a}), text(seen), text(oracle_->right(a, n))));
    }
  }
  const auto after = s_.traffic.total();
  const Validity& now = s_.fields.validity(a.group, a.component, a.timelevel, 0);
  for (int t = 0; t < spaces; ++t)
    if (!(now.in[t] == validity.in[t]) || after.all() != before.all())
      findings.add("a slice changed what is valid, or was counted");
  ++counts.slices;
}

void Schedules::cycle() {
  const int only = chance(50) ? random(static_cast<int>(s_.groups.size())) : -1;
  for (int g = 0; g < static_cast<int>(s_.groups.size()); ++g) {
    if ((only >= 0 && g != only) || s_.groups[g].timelevels < 2) continue;
    s_.fields.cycle(g, 0, s_.groups[g].timelevels);
    oracle_->cycle(g);
    std::set<Key> kept;
    for (Key k : star_read_)
      if (k[0] != g || ++k[2] < s_.groups[g].timelevels) kept.insert(k);
    star_read_ = kept;
  }
  ++s_.clock.iteration, ++counts.cycles;
}

void Schedules::run() {
  try {
    for (int steps = 10 + random(11); counts.routines < steps && findings.count() == 0; ++counts.steps) {
      if (chance(25))
        cycle();
      else if (chance(15))
        slice();
      else {
        const Space space = chance(50) ? Space::host : Space::device;
        const bool kernel = space == Space::device && chance(40);
        routine(random_accesses(kernel), space, kernel);
      }
    }
    // At the end somebody looks at everything, and is refused where nothing is right in any space; that is not counted.
    const Counts random_part = counts;
    for (const auto& v : s_.variables)
      for (int t = 0; t < s_.groups[v.group].timelevels && findings.count() == 0; ++t) {
        const VariableAccess a{v.group, v.component, t, Mode::read, Region::everywhere};
        const Space space = chance(50) ? Space::device : Space::host;
        if (oracle_->readable(a))
          routine({a}, space, false);
        else if (!refused(a, space))
          findings.add(describe({a}) + ", which nobody wrote");
      }
    device_->wait();
    counts = random_part;
  } catch (const std::exception& e) {
    findings.add(e.what());
  }
}
}  // namespace

TEST(RandomSchedules, see_what_was_written_and_move_what_they_must) {
  const int schedules = environment("CEREUS_SCHEDULES", 500), first = environment("CEREUS_FIRST_SCHEDULE", 1);
  Schedules::Counts total;
  int wrong = 0;
  for (int seed = first; seed < first + schedules; ++seed) {
    Schedules one(static_cast<std::uint64_t>(seed));
    one.run();
    total += one.counts;
    if (one.findings.count() == 0) continue;
    ADD_FAILURE() << "seed " << seed << ": " << one.findings.first();
    if (++wrong == environment("CEREUS_FINDINGS", 5)) break;
  }
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  };
  const auto writes = total.writes[0] + total.writes[1] + total.writes[2];
  const double again = percent(total.star_then_box, total.offset_reads), cycles = percent(total.cycles, total.steps);
  fmt::print(
      "{} schedules, {} routines, {:.0f} % on the device, {} slices\n"
      "writes: {:.0f} % interior only, {:.0f} % outer boundary only, {:.0f} % everywhere\n"
      "reads at an offset: {:.0f} % with a box after a star; steps: {:.0f} % are cycles\n"
      "bytes moved: {} to the host, {} to the device\n",
      schedules, total.routines, percent(total.on_device, total.routines), total.slices,
      percent(total.writes[0], writes), percent(total.writes[1], writes), percent(total.writes[2], writes), again,
      cycles, total.bytes[0], total.bytes[1]);
  if (schedules < 100 || wrong > 0) return;  // too few to speak of
  for (auto n : total.writes) EXPECT_GT(percent(n, writes), 20);
  EXPECT_GT(again, 20);
  EXPECT_GT(cycles, 20);
}
