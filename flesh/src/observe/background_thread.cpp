#include "observe/background_thread.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec/bin.hpp"
#include "exec/rebuild.hpp"
#include "exec/timed.hpp"
#include "exec/valid.hpp"

namespace cereus {
namespace {
bool is_field(const Simulation& s, const VariableAccess& a) {
  return s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group) > 0;
}
}  // namespace

std::shared_ptr<Background> BackgroundThread::make(Simulation& s) {
  if (!s.services.find<Device>() || s.two_kinds || s.audit || !s.of("Cereus").boolean("lane") ||
      !s.process.may_thread())
    return nullptr;
  if (std::none_of(s.routines.begin(), s.routines.end(), [&](const Routine& r) { return may_take(s, r); }))
    return nullptr;
  return std::make_shared<BackgroundThread>(s);
}

BackgroundThread::BackgroundThread(Simulation& s) : view_(s) {
  view_.process = s.process.beside();
  rebuild_services(view_);
  view_.fields = {};      // each job brings its own
  view_.plans = nullptr;  // as the lane has
  view_.services.remove(Device::service_name);
  view_.services.remove(Accelerator::service_name);
  timer_ = s.timers.add(background_timer, -1);
  for (const auto& r : s.routines)
    if (may_take(s, r)) timers_[r.id] = s.timers.add(r.name, timer_);
  const int threads = std::max(1, omp_get_max_threads() - 1);  // one is left to feed the device
  thread_ = std::thread([this, threads] {
    omp_set_num_threads(threads);
    work();
  });
}

BackgroundThread::~BackgroundThread() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool BackgroundThread::only_reads(const Routine& r) {
  return !r.is_kernel && !r.item->launches &&
         (r.item->where == bin::analysis.name || r.item->where == bin::output.name) &&
         std::ranges::all_of(r.accesses, [](const auto& a) { return a.mode == Mode::read; });
}

bool BackgroundThread::may_take(const Simulation& s, const Routine& r) {
  return only_reads(r) && std::ranges::any_of(r.accesses, [&](const auto& a) { return is_field(s, a); });
}

bool BackgroundThread::take(Simulation& s, const Routine& r, Selection levels) {
  if (!may_take(s, r)) return false;
  if (put(s, r, levels)) return true;
  const Share waited(Shared::background);
  drain(s);  // the routines that were taken earlier come first
  return false;
}

bool BackgroundThread::put(Simulation& s, const Routine& r, Selection levels) {
  check(s);
  for (int l = levels.first; l < levels.last; ++l)
    for (const auto& a : r.accesses)
      if (is_field(s, a) && !s.fields.validity(a.group, a.component, a.timelevel, l)[Space::device].interior)
        return false;
  if (!r.item->parts) make_valid(s, levels, r.accesses, r.id, Space::device);

  if (s.clock.iteration != last_iteration_) {  // no more than two iterations have copies at a time
    const Share waited(Shared::background, true);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || jobs_.empty() || jobs_.front()->clock.iteration >= last_iteration_; });
    last_iteration_ = s.clock.iteration;
  }
  auto job = std::make_unique<Job>(Job{&r, levels, s.clock, s.grid, s.fields, s.parameters, {}});
  job->fields.copy_plain();
  for (int l = levels.first; l < levels.last; ++l)
    for (const auto& a : r.accesses) {
      if (!is_field(s, a)) continue;
      Validity& v = job->fields.validity(a.group, a.component, a.timelevel, l);
      v[Space::host] = v[Space::device];
      job->placements.push_back(take(s, r, a, l));
    }
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
  return true;
}

BackgroundThread::Placement BackgroundThread::take(
    Simulation& s, const Routine& r, const VariableAccess& a, int level) {
  Placement p{nullptr, a.group, a.component, a.timelevel, level,
      s.fields.run(a.group, a.component, a.timelevel, level, Space::device), {}};
  if (r.item->parts) {
    take_parts(s, r, p);
    return p;
  }
  std::vector<Why> version;  // of all levels that may lie in the slab
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    const Validity& all = s.fields.validity(a.group, a.component, a.timelevel, l);
    const auto& v = all[Space::device];
    version.insert(version.end(), {{static_cast<int>(all.version)}, v.why_interior, v.why_ghosts, v.why_boundary});
  }
  bool fresh;
  std::tie(p.snapshot, fresh) = snapshot(s, p.run, version);
  if (fresh) s.traffic.add({r.id, a.group, a.component}, {.to_host = static_cast<std::int64_t>(p.run.bytes)});
  return p;
}

void BackgroundThread::take_parts(Simulation& s, const Routine& r, Placement& p) {
  const int size = static_cast<int>(size_of(s.type(p.group)));
  for (const auto& [b, box] : parts_read(s, r, p.level, p.group)) {
    const Layout& layout = s.fields.layout(b);
    const char* first = s.fields.address(p.group, p.component, p.timelevel, b, Space::device) +
                        layout.at(box.lo[0], box.lo[1], box.lo[2]) * size;
    p.parts.push_back({first, nullptr, {layout.stride[1], layout.stride[2]}, {},
        {box.extent(0), box.extent(1), box.extent(2)}, size});
    s.traffic.add({r.id, p.group, p.component}, {.to_host = p.parts.back().bytes()});
  }
  if (!p.parts.empty()) p.snapshot = s.services.get<Device>().snapshot(p.parts);
}

std::pair<std::shared_ptr<Snapshot>, bool> BackgroundThread::snapshot(
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

void BackgroundThread::work() {
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

// Parts are unpacked to where they lie in the slab. Pages that are never touched take no memory. With Cereus.poison all
// pages are filled, so that a read outside the parts shows.
char* BackgroundThread::memory_of(const Placement& p, bool parts) {
  if (!parts) return p.snapshot->bring();
  auto& memory = parts_memory_[{p.run.begin, p.run.bytes}];
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

void BackgroundThread::run(Job& job) {
  for (const auto& p : job.placements)
    job.fields.move(p.group, p.component, p.timelevel, p.level, memory_of(p, job.routine->item->parts != nullptr));
  view_.clock = job.clock, view_.grid = std::move(job.grid), view_.fields = std::move(job.fields);
  for (auto& [thorn, parameters] : job.parameters)  // services may look at them where they lie
    view_.parameters.insert_or_assign(thorn, std::move(parameters));
  call(view_, *job.routine, job.levels);
  view_.fields = {};
}

void BackgroundThread::check(Simulation& s) {
  const std::lock_guard lock(mutex_);
  for (const auto& [routine, time] : spent_) s.timers.record(timer_, time), s.timers.record(timers_.at(routine), time);
  spent_.clear();
  s.stop = s.stop || stop_run_;
  if (failure_) std::rethrow_exception(failure_);
}

// The caller has waited for all routines.
void BackgroundThread::grid_changed(const Simulation& s) {
  make_grid_of(view_, s.services.get<Driver>().grid_text());
  view_.grid = s.grid;
  snapshots_.clear();
  parts_memory_.clear();
  view_.services.grid_changed(view_);
}

void BackgroundThread::drain(Simulation& s) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.empty(); });
  }
  check(s);
}
}  // namespace cereus
