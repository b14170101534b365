#include "accelerator/random_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "exec/bin.hpp"
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

int environment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}

void Schedules::Counts::operator+=(const Counts& c) {
  steps += c.steps, routines += c.routines, on_device += c.on_device, cycles += c.cycles, slices += c.slices;
  offset_reads += c.offset_reads, star_then_box += c.star_then_box;
  for (int n = 0; n < 3; ++n) writes[n] += c.writes[n];
  for (int n = 0; n < spaces; ++n) bytes[n] += c.bytes[n];
}

// A value outside the domain says of which version of the interior it was made.
struct Schedules::Conditions : BoundaryConditions {
  explicit Conditions(Schedules& t) : test(t) {}
  std::string missing(const Simulation&, int, int) const override { return ""; }
  void apply(Simulation&, std::span<const Ghosts> stale, Space space) override {
    auto& work = test.new_work("the boundary condition");
    Accesses accesses;
    for (const auto& v : stale) {
      const VariableAccess a{v.group, v.component, v.timelevel, Mode::update};
      accesses.push_back(a);
      for (const auto& p : test.oracle_->points(v.group))
        if (p.outside)
          work.conditions.push_back(
              {test.address(a, p.block, p.nearest, space), test.address(a, p.block, p.at, space), p.home});
    }
    test.start(work, accesses, space);
  }
  Schedules& test;
};

double* Schedules::address(const VariableAccess& a, int block, const Index& at, Space space) {
  return reinterpret_cast<double*>(s_.fields.address(a.group, a.component, a.timelevel, block, space)) +
         s_.fields.layout(block).at(at[0], at[1], at[2]);
}

Work& Schedules::new_work(std::string who) {
  works_.push_back(std::make_unique<Work>());
  works_.back()->who = std::move(who);
  return *works_.back();
}

// The device learns which variables this is about, so that it may put off what touches others.
void Schedules::start(const Work& work, std::span<const VariableAccess> accesses, Space space) {
  if (space == Space::host) return work(findings);
  std::vector<char*> slabs;
  for (const auto& a : accesses) slabs.push_back(s_.fields.slab(a.group, a.component, a.timelevel, 0, space));
  const BlockLaunch block{0, {}, {}, {}, {1, 1, 1}};
  const Geometry geometry{};
  device_->launch(kernel_of(s_.grid.dim, accesses, work, findings), {{&block, 1}, slabs.data(), {1, 1, 1}, &geometry},
      work.who.c_str());
}

template <class S>
std::shared_ptr<S> Schedules::make(
    void (*declare)(Declaration&), const std::string& name, const std::map<std::string, Value>& values) {
  ThornRecord record;
  record.name = name;
  Declaration d(record);
  declare(d);
  Parameters parameters(name, record.parameters);
  for (const auto& [parameter, value] : values) parameters.set(parameter, value);
  s_.parameters.emplace(name, parameters);
  for (const auto& o : record.services)
    if (o.service == S::service_name) return std::static_pointer_cast<S>(o.make(parameters));
  throw Failure(name + " does not offer " + S::service_name);
}

Schedules::Schedules(std::uint64_t seed, const Replace& replace) : random_(seed) {
  make_grid_and_services(static_cast<int>(seed), replace);
  make_fields();
}

void Schedules::make_grid_and_services(int seed, const Replace& replace) {
  const int dim = 2 + random(2);
  width_ = 1 + random(3);
  std::vector<int> cells;
  std::vector<bool> periodic;
  for (int d = 0; d < dim; ++d)
    cells.push_back((dim == 2 ? 8 : 6) + random(dim == 2 ? 5 : 4)), periodic.push_back(chance(40));
  const bool uneven = chance(80);
  const int blocks = 3 + random(*std::min_element(cells.begin(), cells.end()) >= 3 * width_ ? 3 : 1);
  s_.services.add(
      Driver::service_name, make<Driver>(UniGrid::declare, "UniGrid",
                                {{"cells", cells}, {"periodic", periodic}, {"uneven", uneven}, {"blocks", blocks}}));
  device_ = make<Device>(AcceleratorMirror::declare, "AcceleratorMirror", {{"seed", seed}});
  s_.services.add(Device::service_name, device_);
  std::string report;
  if (!device_->open(0, report)) throw Failure(report);
  auto accelerator = make<cereus::Accelerator>(::Accelerator::declare, "Accelerator", {});
  s_.services.add(cereus::Accelerator::service_name, replace ? replace(accelerator, device_) : accelerator);
  s_.services.add(BoundaryConditions::service_name, std::make_shared<Conditions>(*this));
}

void Schedules::make_fields() {
  ThornRecord record;
  record.name = "Data";
  Declaration d(record);
  for (int g = 1 + random(3); g > 0; --g) {
    std::vector<std::string> names;
    for (int c = 1 + random(3); c > 0; --c) names.push_back(fmt::format("u{}{}", g, c));
    const auto centre = [&] { return chance(50) ? Centre::vertex : Centre::cell; };
    const int timelevels = 1 + random(3);
    d.group(fmt::format("g{}", g), names, "Values that say who wrote them")
        .timelevels(timelevels)
        .centre(centre(), centre(), centre());
  }
  s_.thorns.push_back(record);
  s_.parameters.emplace(record.name, Parameters(record.name, {}));
  Problems problems;
  collect_groups(s_, problems);
  problems.throw_if_any();
  s_.grid = s_.services.get<Driver>().make_grid(width_, Process{});
  std::vector<int> buffers;
  for (const auto& g : s_.groups) buffers.push_back(g.timelevels);
  s_.fields = Fields(s_.groups, buffers, s_.grid, s_.real, true);
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
  if (kind < 15) a.region = Region::interior;
  else if (kind < 25) a.region = Region::boundary;
  else if (kind < 40) a.region = Region::everywhere;
  else a.reach = 1 + random(s_.grid.ghosts[0]), a.corners = box;
  return oracle_->readable(a);
}

Schedules::Accesses Schedules::random_accesses(bool kernel) {
  Accesses list;
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

std::string Schedules::describe(const Accesses& accesses) const {
  constexpr const char* regions[] = {"interior", "boundary", "everywhere"};
  constexpr const char* modes[] = {"reads", "writes", "updates", "adds to"};
  std::string what;
  for (const auto& a : accesses)
    what += fmt::format("{}{} {}[{}] {}{}", what.empty() ? "" : ", ", modes[static_cast<int>(a.mode)],
        s_.variable_name(a.group, a.component), a.timelevel, regions[static_cast<int>(a.region)],
        a.reach ? fmt::format(" {}<{}>", a.corners ? "box" : "star", a.reach) : "");
  return what;
}

// What the routine will see and write, by the oracle, and the bytes that this takes. A kernel sees the blocks that it
// loops over.
Work& Schedules::plan(const Accesses& accesses, Space space, bool kernel, Bytes& expected) {
  auto& work = new_work(fmt::format("step {}, routine {} on the {}{} ({})", counts.steps, s_.routines.size(),
      space == Space::host ? "host" : "device", kernel ? ", a kernel" : "", describe(accesses)));
  std::set<int> seen;
  if (kernel) {
    const auto output =
        std::find_if(accesses.begin(), accesses.end(), [](const auto& a) { return a.mode != Mode::read; });
    const auto& place = output == accesses.end() ? accesses.front() : *output;
    for (const auto& [b, box] : boxes_of(s_, 0, place.region, s_.groups[place.group].centre)) seen.insert(b);
  }
  for (const auto& a : accesses) {
    if (a.mode == Mode::write) continue;
    const auto& points = oracle_->points(a.group);
    const Key key{a.group, a.component, a.timelevel};
    const bool box = a.region == Region::everywhere || (a.reach > 0 && a.corners), star = a.reach > 0 && !a.corners;
    counts.offset_reads += box || star;
    if (box && star_read_.erase(key)) ++counts.star_then_box;
    if (star) star_read_.insert(key);
    expected[static_cast<int>(space)] += oracle_->read(a, space);
    for (std::size_t n = 0; n < points.size(); ++n)
      if (oracle_->touches(a, points[n]) && (!kernel || seen.count(points[n].block)))
        work.reads.push_back({address(a, points[n].block, points[n].at, space), oracle_->right(a, n)});
  }
  for (const auto& a : accesses) {
    if (a.mode == Mode::read) continue;
    ++counts.writes[static_cast<int>(a.region)];
    star_read_.erase({a.group, a.component, a.timelevel});
    oracle_->write(a, space, static_cast<int>(s_.routines.size()));
    const auto& points = oracle_->points(a.group);
    for (std::size_t n = 0; n < points.size(); ++n)
      if (oracle_->touches(a, points[n]))
        work.writes.push_back({address(a, points[n].block, points[n].at, space), oracle_->right(a, n)});
  }
  return work;
}

// A forecast must come to the same bytes.
std::int64_t Schedules::foreseen(const Accesses& accesses, Space space) const {
  std::int64_t bytes = 0;
  for (const auto& a : accesses) {
    Validity v = s_.fields.validity(a.group, a.component, a.timelevel, 0);
    if (a.mode != Mode::write) bytes += s_.services.get<cereus::Accelerator>().bytes_to_bring(s_, 0, a, v, space);
  }
  return bytes;
}

void Schedules::routine(const Accesses& accesses, Space space, bool kernel) {
  kernel = kernel && !accesses.empty();
  Bytes expected{};
  const std::int64_t forecast = foreseen(accesses, space);
  auto& work = plan(accesses, space, kernel, expected);
  auto item = std::make_shared<Item>();
  item->thorn = "Data", item->name = fmt::format("routine{}", s_.routines.size());
  item->launches = space == Space::device;
  item->run = [this, &work, accesses, space](Context&) { start(work, accesses, space); };
  Problems problems;
  resolve_routines(s_, {item}, problems);
  problems.throw_if_any();
  // Accesses are set by hand: a routine's reads are boxes when declared, and a kernel's regions follow from its
  // handles.
  Routine& r = s_.routines.back();
  r.accesses = accesses;
  if (kernel) {
    tables_.push_back(std::make_unique<KernelTable>(kernel_of(s_.grid.dim, accesses, work, findings)));
    r.is_kernel = true, r.table = tables_.back().get();
  }
  if (environment("CEREUS_TRACE", 0)) fmt::print("{}\n", work.who);
  const auto before = s_.traffic.total();
  run_unaudited(s_, r, {0, 1});
  const auto after = s_.traffic.total();
  const Bytes moved{after.to_host - before.to_host, after.to_device - before.to_device};
  for (int to = 0; to < spaces; ++to) {
    counts.bytes[to] += moved[to];
    if (moved[to] != expected[to])
      findings.add(fmt::format(
          "{}: {} bytes moved to the {} instead of {}", work.who, moved[to], to ? "device" : "host", expected[to]));
  }
  if (forecast != expected[0] + expected[1])
    findings.add(
        fmt::format("{}: {} bytes were foreseen instead of {}", work.who, forecast, expected[0] + expected[1]));
  ++counts.routines, counts.on_device += space == Space::device;
}

bool Schedules::refused(const VariableAccess& a, Space space) {
  try {
    make_valid(s_, 0, {&a, 1}, -1, space);
  } catch (const Failure&) { return true; }
  return false;
}

// Part of a region that is valid on the device comes to the host through staging: no entry changes, nothing is counted.
void Schedules::slice() {
  VariableAccess a = random_variable();
  if (!oracle_->owned_in(a, Space::device)) return;
  const auto before = s_.traffic.total();
  const Validity validity = s_.fields.validity(a.group, a.component, a.timelevel, 0);
  const int axis = random(s_.grid.dim);
  const Box& cells = s_.grid.levels[0].space.cells;
  const int at = cells.lo[axis] + random(cells.extent(axis));
  for (const auto& [b, owned] : boxes_of(s_, 0, Region::interior, s_.groups[a.group].centre)) {
    Box box = owned;
    box.lo[axis] = std::max(box.lo[axis], at), box.hi[axis] = std::min(box.hi[axis], at + 1);
    if (box.empty()) continue;
    std::vector<double> staging(static_cast<std::size_t>(box.points()));
    const Layout& layout = s_.fields.layout(b);
    const CopyPiece piece{reinterpret_cast<const char*>(address(a, b, box.lo, Space::device)),
        reinterpret_cast<char*>(staging.data()), {layout.stride[1], layout.stride[2]},
        {box.extent(0), Offset{box.extent(0)} * box.extent(1)}, {box.extent(0), box.extent(1), box.extent(2)}, 8};
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
      if (chance(25)) cycle();
      else if (chance(15)) slice();
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
        if (oracle_->readable(a)) routine({a}, space, false);
        else if (!refused(a, space)) findings.add(describe({a}) + ", which nobody wrote");
      }
    device_->wait();
    counts = random_part;
  } catch (const std::exception& e) { findings.add(e.what()); }
}
