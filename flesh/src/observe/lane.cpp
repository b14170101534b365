#include "observe/lane.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec/execute.hpp"
#include "exec/make_valid.hpp"
#include "run/assemble.hpp"

namespace cereus {
namespace {
bool is_field(const Simulation& s, const VariableAccess& a) {
  return s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group) > 0;
}
}  // namespace

std::shared_ptr<Lane> Lane::make(Simulation& s) {
  if (!s.services.find<Device>() || s.audit || !s.of("Cereus").boolean("lane") || !s.process.may_thread())
    return nullptr;
  if (std::none_of(s.routines.begin(), s.routines.end(), [&](const Routine& r) { return may_take(s, r); }))
    return nullptr;
  return std::make_shared<Lane>(s);
}

Lane::Lane(Simulation& s) : view_(s) {
  view_.process = s.process.beside();
  rebuild_services(view_);
  view_.services.remove(Device::service_name);
  view_.services.remove(Accelerator::service_name);
  timer_ = s.timers.add("beside the evolution", -1);
  for (const auto& r : s.routines)
    if (may_take(s, r)) timers_[r.id] = s.timers.add(r.item->full_name(), timer_);
  const int threads = std::max(1, omp_get_max_threads() - 1);  // one is left to feed the device
  thread_ = std::thread([this, threads] {
    omp_set_num_threads(threads);
    work();
  });
}

Lane::~Lane() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Lane::may_take(const Simulation& s, const Routine& r) {
  if (r.is_kernel || r.item->launches || (r.item->where != bin::analysis.name && r.item->where != bin::output.name))
    return false;
  bool reads = false;
  for (const auto& a : r.accesses) {
    if (a.mode != Mode::read) return false;
    reads = reads || is_field(s, a);
  }
  return reads;
}

bool Lane::take(Simulation& s, const Routine& r, int level) {
  check(s);
  const int levels = static_cast<int>(s.grid.levels.size());
  const auto of_call = [&](int l) { return level < 0 || l == level; };
  for (int l = 0; l < levels; ++l)
    for (const auto& a : r.accesses)
      if (of_call(l) && is_field(s, a) &&
          !s.fields.validity(a.group, a.component, a.timelevel, l)[Space::device].interior)
        return false;
  for (int l = 0; l < levels; ++l)
    if (of_call(l) && !r.item->parts) make_valid(s, l, r.accesses, r.id, Space::device);

  if (s.clock.iteration != last_iteration_) {  // no more than two iterations have copies at a time
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || jobs_.empty() || jobs_.front()->clock.iteration >= last_iteration_; });
    last_iteration_ = s.clock.iteration;
  }
  auto job = std::make_unique<Job>(Job{&r, level, s.clock, s.grid, s.fields, {}});
  job->fields.copy_plain();
  for (const auto& a : r.accesses)
    for (int l = 0; l < levels && is_field(s, a); ++l) {
      Validity& v = job->fields.validity(a.group, a.component, a.timelevel, l);
      v[Space::host] = v[Space::device];
    }
  std::map<std::pair<int, int>, std::pair<int, int>> components;  // group, timelevel: first and last that are read
  for (const auto& a : r.accesses) {
    if (!is_field(s, a)) continue;
    auto& [first, last] = components.try_emplace({a.group, a.timelevel}, a.component, a.component).first->second;
    first = std::min(first, a.component), last = std::max(last, a.component);
  }
  for (const auto& [of, range] : components)
    for (int l = 0; l < levels; ++l)
      if (of_call(l)) take(s, r, l, of.first, of.second, range.first, range.second, *job);
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
  return true;
}

void Lane::take(Simulation& s, const Routine& r, int level, int group, int timelevel, int first, int last, Job& job) {
  std::vector<Why> version;
  for (int c = first; c <= last; ++c) {
    const auto& v = s.fields.validity(group, c, timelevel, level)[Space::device];
    version.insert(version.end(), {v.why_interior, v.why_ghosts, v.why_boundary});
  }
  const Parts parts = r.item->parts ? parts_read(s, r, level, group) : Parts{};
  for (int b = 0; b < static_cast<int>(s.grid.levels[level].blocks.size()); ++b) {
    Placement p{nullptr, group, first, timelevel, level, b,
        s.fields.run(group, first, last, timelevel, level, b, Space::device), {}};
    if (r.item->parts) {
      job.placements.push_back(take_parts(s, r, parts, std::move(p), last));
      continue;
    }
    bool fresh;
    std::tie(p.snapshot, fresh) = snapshot(s, p.run, version);
    const auto bytes = static_cast<std::int64_t>(p.run.bytes) / (last - first + 1);
    job.placements.push_back(std::move(p));
    for (int c = first; fresh && c <= last; ++c) s.traffic.add({r.id, group, c}, {.to_host = bytes});
  }
}

Lane::Placement Lane::take_parts(Simulation& s, const Routine& r, const Parts& parts, Placement p, int last) {
  const int size = static_cast<int>(size_of(s.type(p.group)));
  const Layout& layout = s.fields.layout(p.level, p.block);
  for (const auto& [b, box] : parts)
    for (int c = p.first; b == p.block && c <= last; ++c) {
      if (std::ranges::none_of(r.accesses,
              [&](const auto& a) { return a.group == p.group && a.component == c && a.timelevel == p.timelevel; }))
        continue;
      const char* first = s.fields.address(p.group, c, p.timelevel, p.level, b, Space::device) +
                          layout.at(box.lo[0], box.lo[1], box.lo[2]) * size;
      p.parts.push_back({first, nullptr, {layout.stride[1], layout.stride[2]}, {},
          {box.extent(0), box.extent(1), box.extent(2)}, size});
      s.traffic.add({r.id, p.group, c}, {.to_host = p.parts.back().bytes()});
    }
  if (!p.parts.empty()) p.snapshot = s.services.get<Device>().snapshot(p.parts);
  return p;
}

std::pair<std::shared_ptr<Snapshot>, bool> Lane::snapshot(
    Simulation& s, Fields::Run run, const std::vector<Why>& version) {
  Kept& kept = snapshots_[run.begin];
  const auto same = [](Why a, Why b) { return a.iteration == b.iteration && a.routine == b.routine; };
  if (auto found = kept.snapshot.lock();
      found && std::equal(version.begin(), version.end(), kept.version.begin(), kept.version.end(), same))
    return {found, false};
  auto fresh = s.services.get<Device>().snapshot(run.begin, run.bytes);
  kept = {version, fresh};
  return {fresh, true};
}

void Lane::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return end_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job& job = *jobs_.front();
    const bool skip = failure_ != nullptr;  // nothing more is written after a failure
    lock.unlock();
    const auto start = std::chrono::steady_clock::now();
    std::exception_ptr failure;
    if (!skip) try {
        run(job);
      } catch (...) { failure = std::current_exception(); }
    const auto spent = std::chrono::steady_clock::now() - start;
    lock.lock();
    if (failure) failure_ = failure;
    stop_run_ = stop_run_ || view_.stop;
    spent_.emplace_back(job.routine->id, spent);
    jobs_.pop_front();
    changed_.notify_all();
  }
}

// Parts lie where they do in the block: what is not touched of its memory takes none. In runs that poison, all of it is
// touched, and what was not asked for shows.
char* Lane::memory_of(const Placement& p, bool parts) {
  if (!parts) return p.snapshot->bring();
  auto& memory = parts_memory_[{{p.group, p.first, p.timelevel, p.level, p.block}, p.run.bytes}];
  if (!memory) {
    memory = {static_cast<char*>(std::calloc(p.run.bytes, 1)), [](char* m) { std::free(m); }};
    if (!memory) throw Failure("out of memory for output beside the evolution; without it: Cereus: {lane: false}");
    if (view_.of("Cereus").boolean("poison")) std::memset(memory.get(), 0xff, p.run.bytes);
  }
  const char* from = p.parts.empty() ? nullptr : p.snapshot->bring();
  for (const CopyPiece& part : p.parts) {
    const Offset row = part.extent[0], plane = row * part.extent[1];
    const CopyPiece unpack{from, memory.get() + (part.from - p.run.begin), {row, plane},
        {part.from_stride[0], part.from_stride[1]}, {part.extent[0], part.extent[1], part.extent[2]}, part.element};
    copy_on_host({&unpack, 1});
    from += part.bytes();
  }
  return memory.get();
}

void Lane::run(Job& job) {
  for (const auto& p : job.placements)
    job.fields.move(p.group, p.first, p.timelevel, p.level, p.block, memory_of(p, job.routine->item->parts != nullptr));
  view_.clock = job.clock, view_.grid = std::move(job.grid), view_.fields = std::move(job.fields);
  call(view_, *job.routine, job.level);
  view_.fields = {};
}

void Lane::check(Simulation& s) {
  const std::lock_guard lock(mutex_);
  for (const auto& [routine, time] : spent_) s.timers.record(timer_, time), s.timers.record(timers_.at(routine), time);
  spent_.clear();
  s.stop = s.stop || stop_run_;
  if (failure_) std::rethrow_exception(failure_);
}

void Lane::drain(Simulation& s) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.empty(); });
  }
  check(s);
}
}  // namespace cereus
