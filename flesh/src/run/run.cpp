// The main loop: initial data, then steps until a limit is reached, in the order of Cactus's bins.
#include "run/run.hpp"

#include <atomic>
#include <chrono>

#include "exec/bin.hpp"
#include "observe/folder.hpp"
#include "observe/lane.hpp"
#include "observe/progress.hpp"
#include "observe/steering.hpp"
#include "observe/watchdog.hpp"
#include "run/assemble.hpp"
#include "run/quiet_steps.hpp"
#include "run/regrid.hpp"

namespace cereus {
namespace {
std::atomic<bool> stop_asked{false}, checkpoint_asked{false};
using steady = std::chrono::steady_clock;
constexpr int most_rounds = 100;

// Initial data, or what the newest checkpoint holds.
void initialise(Simulation& s) {
  for (const char* bin : {"startup", "paramcheck", "basegrid"}) run_bin(s, bin, s.grid.all());
  if (auto* checkpoints = s.services.find<Checkpoints>(); checkpoints && checkpoints->restore(s)) {
    if (s.grid.epoch > 0) run_bin(s, "basegrid", s.grid.all());
    return describe_run(s);
  }
  int rounds = 0;
  do {  // finer levels get initial data of their own
    if (++rounds > most_rounds) throw Failure("the driver still changes blocks after 100 rounds of initial data");
    for (const char* bin : {"initial", "postinitial", "postpostinitial"}) run_bin(s, bin, s.grid.all());
  } while (regrid(s, 0));
  for (const char* bin : {"poststep", "analysis", "output"}) run_bin(s, bin, s.grid.all());
}

void cycle_timelevels(Simulation& s, int level) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (s.fields.buffers(g) > 1 && (s.groups[g].kind == GroupKind::grid_function || level == 0))
      s.fields.cycle(g, level, s.groups[g].timelevels);
}

// Steps that a sweep takes, several at once where nobody looks at what lies between them. How many; 0 if it takes none.
int leap(Simulation& s, double dt) {
  auto* tiles = s.services.find<StepTiles>();
  if (!tiles || s.audit || s.grid.levels.size() > 1 || tiles->most_steps() == 0) return 0;
  const int n = tiles->steps(s, quiet_steps(s, dt, tiles->most_steps()));
  if (n == 0) return 0;
  const auto start = steady::now();
  Clock& clock = s.grid.levels[0].clock;
  clock.dt = dt;
  cycle_timelevels(s, 0);
  s.clock.iteration += n;  // what is written is of the last of these steps
  tiles->advance(s, n);
  for (int i = 0; i < n; ++i) ++clock.iteration, clock.time += dt;
  if (auto* device = s.services.find<Device>()) device->submit();
  s.timers.record(s.bins.at("evolve").timer, steady::now() - start);
  return n;
}

// One evolution step of levels that share a clock.
void evolve(Simulation& s, const Driver::Tick& tick, double dt) {
  const auto each = [&](auto&& f) {
    for (int l = tick.levels.first; l < tick.levels.last; ++l) f(s.grid.levels[l].clock);
  };
  const double start = s.grid.levels[tick.levels.first].clock.time;
  each([&](Clock& c) { c.dt = dt * tick.dt_fraction, ++c.iteration; });
  for (int l = tick.levels.first; l < tick.levels.last; ++l) cycle_timelevels(s, l);
  run_bin(s, "prestep", tick.levels);
  run_bin(s, "evolve", tick.levels);
  each([&](Clock& c) { c.time = start + c.dt; });  // an adaptive integrator may have shortened dt
  run_bin(s, "poststep", tick.levels);
  if (auto* device = s.services.find<Device>()) device->submit();
}

void step(Simulation& s) {
  if (s.audit) rebuild_services(s);  // what a service keeps between steps would be lost in a restart
  regrid(s, s.clock.iteration + 1);
  auto& driver = s.services.get<Driver>();
  const auto ticks = driver.ticks(s.grid);
  const double dt = s.services.get<TimeStep>().next_dt(s, ticks);
  if (leap(s, dt) == 0) {
    ++s.clock.iteration;
    s.clock.dt = dt;
    for (std::size_t n = 0; n < ticks.size(); ++n) {
      evolve(s, ticks[n], dt);
      if (const Selection coarse = driver.restrict_after(s, n); coarse.first < coarse.last)
        run_bin(s, "postrestrict", coarse);
    }
  }
  s.clock.dt = s.grid.levels[0].clock.dt;
  s.clock.time = s.grid.levels[0].clock.time;
  for (const char* bin : {"checkpoint", "analysis", "output"}) run_bin(s, bin, s.grid.all());
}
}  // namespace

void wait_for_all(Simulation& s) {
  if (auto* device = s.services.find<Device>()) device->wait();
  if (s.lane) s.lane->drain(s);
}

void ask_to_stop() { stop_asked = true; }
void ask_for_checkpoint() { checkpoint_asked = true; }

Ended run(Simulation& s) {
  const auto start = steady::now();
  const auto checkpoints = [&] { return s.services.find<Checkpoints>(); };  // services are made anew in an audit
  const auto seconds = [&] { return std::chrono::duration<double>(steady::now() - start).count(); };
  std::optional<Watchdog> watchdog(std::in_place, s);
  const auto early = [&] {
    const double needed = checkpoints() ? checkpoints()->seconds() + watchdog->longest_step() : 0;
    const double limit = 60 * s.of("Cereus").real("wall_clock");
    return s.process.any(stop_asked || s.stop || (limit > 0 && seconds() + needed >= limit));
  };
  s.lane = Lane::make(s);
  initialise(s);
  s.services.get<Driver>().prepare(s);
  if (auto* tiles = s.services.find<StepTiles>()) tiles->start(s);
  wait_for_all(s);  // so that rates are those of the steps alone
  Progress progress(s);
  watchdog->set_out();
  Steering steering;
  Ended ended = Ended::done;
  while (s.failure.empty() && !over(s, s.clock)) {
    if (early()) {
      ended = s.process.any(s.stop) ? Ended::done : Ended::stopped;  // a routine may say that this is enough
      break;
    }
    step(s);
    if (s.lane) s.lane->check(s);
    if (!s.failure.empty()) break;
    if (checkpoints()) checkpoints()->after_step(s, checkpoint_asked.exchange(false));
    steering.look(s);
    watchdog->step_ended();
    progress.show(s);
  }
  wait_for_all(s);
  if (!s.failure.empty()) ended = Ended::failed;
  progress.finish(s, ended == Ended::done ? "done" : ended == Ended::stopped ? "stopped" : failed_state);
  watchdog.reset();  // the last checkpoint takes as long as it takes
  if (checkpoints() && ended != Ended::failed) checkpoints()->finish(s, ended == Ended::stopped);
  for (const char* bin : {"terminate", "shutdown"}) run_bin(s, bin, s.grid.all());
  s.lane = nullptr;
  return ended;
}
}  // namespace cereus
