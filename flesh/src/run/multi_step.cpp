#include "run/multi_step.hpp"

#include <algorithm>

#include "exec/bin.hpp"
namespace cereus {
namespace {
// Whether any of these routines in a bin, or in a group of it, runs at this time.
template <class F> bool any_due(const Simulation& s, const Node& node, const Clock& at, F&& these) {
  if (node.routine >= 0) {
    const Routine& r = s.routines[node.routine];
    return these(r) && due(s, r, at);
  }
  return std::ranges::any_of(node.children, [&](const Node& child) { return any_due(s, child, at, these); });
}
// Whether a routine of a bin is due. One on demand does not count: it runs only if a routine that is due reads it.
bool anything_due(const Simulation& s, const char* bin, const Clock& at) {
  return any_due(s, s.bins.at(bin), at, [](const Routine& r) { return !r.item->on_demand; });
}
// Whether a routine that is due reads a past timelevel.
bool past_is_read(const Simulation& s, const char* bin, const Clock& at) {
  return any_due(s, s.bins.at(bin), at, [](const Routine& r) {
    return std::ranges::any_of(r.accesses, [](const auto& a) { return a.timelevel > 0 && a.mode == Mode::read; });
  });
}
constexpr const char* after_steps[] = {"checkpoint", "analysis", "output"};
}  // namespace

int steps_before_due(Simulation& s, double dt, int most) {
  const auto* checkpoints = s.services.find<Checkpoints>();
  Clock& level = s.grid.levels[0].clock;
  const Clock now = level;
  const auto& driver = s.services.get<Driver>();
  const auto ticks = driver.ticks(s.grid);
  Clock at = s.clock;
  at.dt = dt;
  int n = 0;
  bool go_on = true;
  while (go_on && n < most) {
    ++at.iteration;
    if (anything_due(s, "prestep", at)) break;
    at.time += dt;
    if (anything_due(s, "poststep", at)) break;
    if (std::ranges::any_of(after_steps, [&](auto* bin) { return past_is_read(s, bin, at); })) break;
    ++n;
    go_on = !limit_reached(s, at) && !driver.adapts(at.iteration + 1) &&
            !(checkpoints && checkpoints->planned(at.iteration));
    for (const char* bin : after_steps) go_on = go_on && !anything_due(s, bin, at);
    level.iteration = at.iteration, level.time = at.time;
    go_on = go_on && s.services.get<TimeStep>().next_dt(s, ticks) == dt;
  }
  level = now;
  return n;
}
}  // namespace cereus
