// Chooses the time step: fixed, or from the speeds and diffusivities that active thorns offer; lands where it is asked
// to.
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <limits>

#include "step.hpp"

namespace Time {
using namespace cereus;

// The largest of all grid scalars whose group carries the tag; 0 if there is none.
double largest(const Simulation& s, const char* tag) {
  double largest = 0;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& group = s.groups[g];
    if (group.kind != GroupKind::scalar || !group.has_tag(tag) || s.fields.buffers(g) == 0) continue;
    for (int c = 0; c < static_cast<int>(group.variables.size()); ++c)
      visit_scalar(s.type(g), [&]<class T>(T) {
        if constexpr (requires(T x) { static_cast<double>(x); }) {
          const auto x = static_cast<double>(*reinterpret_cast<const T*>(s.fields.plain(g, c, 0)));
          if (!std::isfinite(x)) throw Failure(s.variable_name(g, c) + ", which limits the time step, is not finite");
          largest = std::max(largest, x);
        }
      });
  }
  return largest;
}

// Whether no process has a block there: blocks that change may leave a level.
bool empty(const Simulation& s, int level) {
  return level > 0 && s.services.get<Driver>().all_blocks(s.grid, level).empty();
}

// Keeps nothing between two calls: a restart needs nothing.
class Step : public TimeStep {
 public:
  explicit Step(const Parameters& par) : par_(par) {}

  double next_dt(Simulation& s, std::span<const Driver::Tick> ticks) override {
    double dt = unlimited;
    int known = -1;  // the finest level that was looked at: its steps come again
    for (const auto& tick : ticks)
      for (int l = std::max(tick.levels.first, known + 1); l < tick.levels.last; known = l++)
        if (!empty(s, l)) dt = std::min(dt, allowed(s, l) / tick.dt_fraction);
    const double time = s.grid.levels[ticks.front().levels.first].clock.time;
    return land(time, dt, next_landing(time, dt, final_time(s), par_.reals("land_on")));
  }

 private:
  double allowed(const Simulation& s, int level) const {
    // An adaptive integrator knows better, once it has made a first step: it suggests a step of the run.
    if (const auto* integrator = s.services.find<TimeIntegrator>())
      if (const double dt = integrator->suggested_dt(s); dt > 0) return dt;
    if (par_.real("dt") > 0) return par_.real("dt");
    const Patch& space = s.grid.levels[level].space;
    double spacing = space.smallest_distance(0);
    for (int d = 1; d < s.grid.dim; ++d) spacing = std::min(spacing, space.smallest_distance(d));
    const double dt = std::min(advective_limit(par_.real("courant"), spacing, largest(s, "Time::speed")),
        diffusive_limit(par_.real("diffusive_courant"), spacing, s.grid.dim, largest(s, "Time::diffusivity")));
    if (dt == unlimited)
      throw Failure(
          "no active thorn offers a speed or a diffusivity above 0 that would limit the time step; set Time: {dt: …}");
    return dt;
  }
  static double final_time(const Simulation& s) {
    const auto flesh = s.parameters.find("Cereus");
    if (flesh == s.parameters.end()) return 0;
    for (const auto& spec : flesh->second.specs())
      if (spec.name == "final_time") return flesh->second.real("final_time");
    return 0;
  }
  Parameters par_;
};

// Warns of intervals of time that steps of a fixed length do not meet: series with them are not evenly spaced.
void check_intervals(const Simulation& s, const Parameters& par) {
  const double dt = par.real("dt"), end = s.of("Cereus").real("final_time");
  if (dt == 0) return;
  const auto multiple = [](double interval, double of) {
    const double n = interval / of;
    return n > 0.5 && std::fabs(n - std::round(n)) < 1e-6 * n;
  };
  auto landings = par.reals("land_on");  // where there are some, steps are shorter before them
  if (landings.empty()) landings.push_back(dt);
  std::vector<std::string> who, intervals;
  for (const auto& r : s.routines) {
    const Every& every = r.item->every;
    const double interval = every.time;
    if (every.nowhere() || every.iterations > 0 || interval <= dt || (end >= 0 && interval >= end)) continue;
    if (std::ranges::any_of(landings, [&](double each) { return multiple(interval, each); })) continue;
    const std::string text = format_double(interval);
    who.push_back(r.item->full_name() + " (each " + text + ")");
    if (std::ranges::find(intervals, text) == intervals.end()) intervals.push_back(text);
  }
  if (!who.empty())
    console::warn("Time: what runs at intervals that are no multiples of Time.dt: " + format_double(dt) +
                  " is not evenly spaced in time: " + join(who, ", ") + "; Time: {land_on: [" + join(intervals, ", ") +
                  "]} makes steps end there");
}

// Warns of steps that no scheme, or no order of differences, bears; of a dt that is the first step alone; and of a
// limit that limits nothing.
void check(Context& c) {
  Simulation& s = c.simulation();
  const Parameters& par = c.parameters();
  if (c.rank() != 0) return;
  const double speed = largest(s, "Time::speed"), diffusivity = largest(s, "Time::diffusivity");
  const auto unused = [&](const char* name, const char* tag, const char* what) {
    const bool offered = std::ranges::any_of(s.groups, [&](const Group& g) { return g.has_tag(tag); });
    if (par.changed(name) && !offered && par.real("dt") == 0)
      console::warn(
          Problem{par.where(name), "Time." + std::string(name) + " limits nothing: no thorn offers a " + what}.text());
  };
  unused("courant", "Time::speed", "speed"), unused("diffusive_courant", "Time::diffusivity", "diffusivity");
  const auto* integrator = s.services.find<TimeIntegrator>();
  if (!integrator) return;
  const double limit = integrator->decay_limit();
  if (limit == 0) {
    if (par.changed("dt"))
      console::warn(Problem{par.where("dt"), "Time.dt is the first step alone: MoL.method chooses the others"}.text());
    return;
  }
  check_intervals(s, par);
  if (speed == 0 && diffusivity == 0) return;
  const auto [finest, step, steps] = finest_step(c);
  double least = unlimited, fastest = 0;  // decay of what alternates from point to point, by second-order differences
  for (int d = 0; d < c.grid().dim; ++d) {
    const double h = s.grid.levels[finest].space.smallest_distance(d);
    least = std::min(least, h), fastest += 4 / (h * h);
  }
  if (speed * step > std::max(1.0, integrator->imaginary_limit()) * least)
    console::warn("Time: with steps of dt = " + format_double(steps * step) + " the fastest signals cross " +
                  format_double(speed * step / least) +
                  " cells in a step, which no scheme bears with this MoL.method: lower Time.courant, or Time.dt");
  if (diffusivity * fastest * step > limit)
    console::warn("Time: with steps of dt = " + format_double(steps * step) +
                  " what diffuses blows up; MoL.method bears at most " +
                  format_double(steps * limit / (diffusivity * fastest)) +
                  ": lower Time.diffusive_courant, or Time.dt");
}

void declare(Declaration& d) {
  d.describe("Chooses the time step: fixed, or by Courant's condition; lands on the final time and on output times");
  d.parameter("dt", 0.0, at_least(0.0), "Time step; 0: from the limits below");
  d.parameter("courant", 0.4, above(0.0),
       "dt ≤ courant · h / v, h the smallest spacing, v the fastest speed (tag Time::speed)")
      .only_with("dt", {"0.0"});
  d.parameter("diffusive_courant", 0.5, above(0.0),
       "dt ≤ diffusive_courant · h² / (2 dim D), D the largest diffusivity "
       "(tag Time::diffusivity)")
      .only_with("dt", {"0.0"});
  d.parameter("land_on", std::vector<double>{}, above(0.0),
      "Intervals of time on whose multiples steps end, as on the final time");
  d.provides<TimeStep>([](const Parameters& par) { return std::make_shared<Step>(par); });
}

void schedule(Schedule& s, const Parameters&) {
  s.routine("check", "Warns of steps that are too long", check)
      .at(bin::analysis)
      .every({.iterations = std::numeric_limits<int>::max()})
      .once();
}
}  // namespace Time
CEREUS_THORN(Time, Time::declare, Time::schedule)
