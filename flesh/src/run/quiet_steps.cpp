#include "run/quiet_steps.hpp"

#include <algorithm>
namespace cereus {
namespace {
// Whether anything in a bin, or in a group of it, runs at this time; what runs on demand does not count by itself.
bool anything_due(const Simulation& s, const Node& node, const Clock& at) {
  if (node.routine >= 0) {
    const Item& item = *s.routines[node.routine].item;
    return !item.on_demand && item.every.due(at.iteration, at.time, at.dt);
  }
  return std::ranges::any_of(node.children, [&](const Node& child) { return anything_due(s, child, at); });
}
}  // namespace

bool over(const Simulation& s, const Clock& at) {
  const Parameters& p = s.of("Cereus");
  const auto iterations = p.integer("iterations");
  const double final_time = p.real("final_time");
  return (iterations >= 0 && at.iteration >= iterations) || (final_time >= 0 && at.time >= final_time - 1e-9 * at.dt);
}

int quiet_steps(Simulation& s, double dt, int most) {
  const auto* checkpoints = s.services.find<Checkpoints>();
  Clock& level = s.grid.levels[0].clock;
  const Clock now = level;
  const auto& driver = s.services.get<Driver>();
  const auto ticks = driver.ticks(s.grid);
  Clock at = s.clock;
  at.dt = dt;
  int n = 0;
  bool quiet = true;
  while (quiet && n < most) {
    ++at.iteration;
    if (anything_due(s, s.bins.at("prestep"), at)) break;
    at.time += dt;
    if (anything_due(s, s.bins.at("poststep"), at)) break;
    ++n;
    quiet = !over(s, at) && !driver.adapts(at.iteration + 1) && !(checkpoints && checkpoints->planned(at.iteration));
    for (const char* bin : {"checkpoint", "analysis", "output"}) quiet = quiet && !anything_due(s, s.bins.at(bin), at);
    level.iteration = at.iteration, level.time = at.time;
    quiet = quiet && s.services.get<TimeStep>().next_dt(s, ticks) == dt;
  }
  level = now;
  return n;
}
}  // namespace cereus
