// The main loop: initial data, then steps until a limit is reached, in the order of Cactus's bins.
#include "run/run.hpp"

#include <atomic>

#include "exec/bin.hpp"
#include "exec/rebuild.hpp"
#include "exec/timed.hpp"
#include "observe/background_thread.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"
#include "run/assemble.hpp"
#include "run/multi_step.hpp"
#include "run/regrid.hpp"

namespace cereus {
namespace {
std::atomic<bool> stop_asked{false}, checkpoint_asked{false};
using steady = std::chrono::steady_clock;
constexpr int most_rounds = 100;

// For each group, whether a routine in the bins of a step writes it. Timelevels of other groups are not cycled.
std::vector<bool> written_in_steps(const Simulation& s) {
  std::vector<bool> written(s.groups.size(), false);
  const auto note = [&](const auto& self, const Node& n) -> void {
    if (n.routine >= 0)
      for (const VariableAccess& a : s.routines[n.routine].accesses)
        if (a.mode != Mode::read) written[a.group] = true;
    for (const Node& child : n.children) self(self, child);
  };
  for (const char* bin : {"prestep", "evolve", "poststep", "postrestrict", "checkpoint", "analysis", "output"})
    note(note, s.bins.at(bin));
  for (std::size_t g = 0; g < s.groups.size(); ++g) written[g] = written[g] || s.groups[g].rhs >= 0;
  return written;
}

void cycle_timelevels(Simulation& s, int level, const std::vector<bool>& written) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (written[g] && s.fields.buffers(g) > 1 && (s.groups[g].kind == GroupKind::grid_function || level == 0))
      s.fields.cycle(g, level, s.groups[g].timelevels);
}

// Multi-step: has the service StepTiles take several steps in one sweep, if no routine is due between them. Returns the
// number of steps; 0 if it takes none.
int multi_step(Simulation& s, double dt, const std::vector<bool>& written) {
  auto* tiles = s.services.find<StepTiles>();
  if (!tiles || s.audit || s.grid.levels.size() > 1 || tiles->most_steps() == 0) return 0;
  const int n = tiles->steps(s, steps_before_due(s, dt, tiles->most_steps()));
  if (n == 0) return 0;
  const auto start = steady::now();
  Clock& clock = s.grid.levels[0].clock;
  clock.dt = dt;
  cycle_timelevels(s, 0, written);
  s.clock.iteration += n;  // validity notes the last of these steps as the iteration of the write
  DeviceWork work(s, s.bins.at("evolve").timer);
  const int timer = tiles->advance(s, n);
  work.rename(timer);
  for (int i = 0; i < n; ++i) ++clock.iteration, clock.time += dt;
  if (auto* device = s.services.find<Device>()) device->submit();
  Timed::wait(s);
  for (const int t : {timer, s.bins.at("evolve").timer}) s.timers.record(t, steady::now() - start);
  return n;
}

// One evolution step of levels that share a clock; before the first of a step of the run, what prepares that.
void evolve(Simulation& s, const Driver::Tick& tick, double dt, const std::vector<bool>& written, bool first) {
  const auto each = [&](auto&& f) {
    for (int l = tick.levels.first; l < tick.levels.last; ++l) f(s.grid.levels[l].clock);
  };
  const double start = s.grid.levels[tick.levels.first].clock.time;
  each([&](Clock& c) { c.dt = dt * tick.dt_fraction, ++c.iteration; });
  for (int l = tick.levels.first; l < tick.levels.last; ++l) cycle_timelevels(s, l, written);
  if (first) run_bin(s, "prestep", s.grid.all());
  run_bin(s, "evolve", tick.levels);
  each([&](Clock& c) { c.time = start + c.dt; });  // an adaptive integrator may have shortened dt
}

void step(Simulation& s, const std::vector<bool>& written) {
  if (s.audit) rebuild_services(s);  // shows services that depend on values which a restart would lose
  regrid(s, s.clock.iteration + 1);
  auto& driver = s.services.get<Driver>();
  const auto ticks = driver.ticks(s.grid);
  const double dt = s.services.get<TimeStep>().next_dt(s, ticks);
  if (multi_step(s, dt, written) == 0) {
    ++s.clock.iteration;
    s.clock.dt = dt;
    for (const auto& tick : ticks)
      for (int l = tick.levels.first; l < tick.levels.last; ++l) s.grid.levels[l].clock.dt = dt * tick.dt_fraction;
    for (std::size_t n = 0; n < ticks.size(); ++n) {
      evolve(s, ticks[n], dt, written, n == 0);
      if (s.grid.levels.size() == 1) continue;
      const auto coarse = timed(s, "restriction", [&] { return driver.restrict_after(s, n); });
      if (coarse.first < coarse.last) run_bin(s, "postrestrict", coarse);
    }
    // All have arrived; levels without blocks took no step.
    for (Level& l : s.grid.levels) l.clock.time = s.grid.levels[0].clock.time;
    run_bin(s, "poststep", s.grid.all());
    if (auto* device = s.services.find<Device>()) device->submit();
  }
  s.clock.dt = s.grid.levels[0].clock.dt;
  s.clock.time = s.grid.levels[0].clock.time;
  for (const char* bin : {"checkpoint", "analysis", "output"}) run_bin(s, bin, s.grid.all());
}
}  // namespace

void wait_for_all(Simulation& s) {
  if (auto* device = s.services.find<Device>()) device->wait();
  if (!s.background) return;
  const Share waited(Shared::background, true);
  s.background->drain(s);
}

void ask_to_stop(bool asked) { stop_asked = asked; }
void ask_for_checkpoint() { checkpoint_asked = true; }

void Run::start() {
  watchdog_.emplace(s_);
  s_.background = BackgroundThread::make(s_);
  bins_begin_ = steady::now();
  for (const char* bin : {"startup", "paramcheck", "basegrid"}) run_bin(s_, bin, s_.grid.all());
  if (auto* checkpoints = s_.services.find<Checkpoints>();
      checkpoints && timed(s_, "restart", [&] { return checkpoints->restore(s_); })) {
    if (s_.grid.epoch > 0) run_bin(s_, "basegrid", s_.grid.all());
    restored_ = true;
    return describe_run(s_);
  }
  int rounds = 0;
  do {  // initial data are computed anew after each regrid, because finer levels need their own
    if (++rounds > most_rounds) throw Failure("the driver still changes blocks after 100 rounds of initial data");
    for (const char* bin : {"initial", "postinitial", "postpostinitial"}) run_bin(s_, bin, s_.grid.all());
  } while (regrid(s_, 0));
}

void Run::first_look() {
  if (restored_) return;
  for (const char* bin : {"poststep", "analysis", "output"}) run_bin(s_, bin, s_.grid.all());
}

void Run::set_out() {
  if (!s_.background) s_.background = BackgroundThread::make(s_);
  s_.services.get<Driver>().prepare(s_);
  if (auto* tiles = s_.services.find<StepTiles>()) tiles->start(s_);
  check_agreed(s_);
  describe_agreed(s_);
  shares_ = Shares(s_);
  wait_for_all(s_);  // so that rates count steps only
  Timed::started(s_.timers, steady::now() - bins_begin_);
}

bool Run::early(double longest_step) const {
  const auto* checkpoints = s_.services.find<Checkpoints>();
  const double seconds = std::chrono::duration<double>(steady::now() - begin_).count(),
               needed = checkpoints ? checkpoints->seconds() + longest_step : 0,
               limit = 60 * s_.of("Cereus").real("wall_clock");
  return s_.process.any(stop_asked || s_.stop || (limit > 0 && seconds + needed >= limit));
}

Ended Run::steps(const std::function<void(const Clock&)>& each) {
  if (!watchdog_) watchdog_.emplace(s_);
  Progress progress(s_);
  watchdog_->set_out();
  const auto written = written_in_steps(s_);
  Ended ended = Ended::done;
  while (s_.failure.empty() && !limit_reached(s_, s_.clock)) {
    if (early(watchdog_->longest_step())) {
      ended = s_.process.any(s_.stop) ? Ended::done : Ended::stopped;  // a routine may say that this is enough
      break;
    }
    shares_.before_step(s_);
    step(s_, written);
    if (s_.background) s_.background->check(s_);
    if (!s_.failure.empty()) break;
    if (auto* checkpoints = s_.services.find<Checkpoints>();  // asked each time: an audit makes services anew
        checkpoints && checkpoints->due(s_, checkpoint_asked.exchange(false)))
      write(*checkpoints);
    steering_.look(s_);
    watchdog_->step_ended();
    progress.show(s_);
    if (each) each(s_.clock);
  }
  timed(s_, "the end", [&] { wait_for_all(s_); });
  if (!s_.failure.empty()) ended = Ended::failed;
  progress.finish(s_, ended == Ended::failed ? failed_state : ended == Ended::stopped || s_.unmet ? "stopped" : "done");
  watchdog_.reset();  // the last checkpoint, or the program that goes on from here, may take long
  return ended;
}

// Writes a checkpoint, unless a routine of the bin finds a mistake in the state.
void Run::write(Checkpoints& checkpoints) {
  run_bin(s_, "precheckpoint", s_.grid.all());
  if (s_.failure.empty()) timed(s_, "checkpoints", [&] { checkpoints.write(s_); });
}

Ended Run::finish(Ended ended) {
  if (auto* checkpoints = s_.services.find<Checkpoints>(); checkpoints && ended != Ended::failed) {
    if (checkpoints->due_at_end(s_, ended == Ended::stopped)) write(*checkpoints);
    timed(s_, "checkpoints", [&] { checkpoints->finish(); });
  }
  if (s_.failure.empty()) run_at_end(s_);
  if (s_.device_times && s_.failure.empty()) s_.device_times->settle(s_.timers);
  for (const char* bin : {"terminate", "shutdown"}) run_bin(s_, bin, s_.grid.all());
  s_.background = nullptr;
  if (ended == Ended::failed || s_.failure.empty()) return ended;
  if (s_.process.rank() == 0) note_failure(s_);
  return Ended::failed;
}

Ended run(Simulation& s) {
  Run all(s);
  s.ends_at_limit = true;
  all.start();
  all.first_look();
  all.set_out();
  return all.finish(all.steps());
}
}  // namespace cereus
