// Looks for not-a-numbers, infinities and numbers too large in chosen variables; says where the first is, and stops the
// run if asked.
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>
#include <set>

#include "kernels.hpp"

namespace NaNChecker {
struct Look {
  Numbering numbering;
  double limit;
};

template <template <int, class> class K, class Result, int dim, class Real>
Result look(Simulation& s, const VariableAccess& a, int level, const Look& how) {
  Kernel<K<dim, Real>, dim, Real> kernel;
  kernel->numbering = how.numbering, kernel->limit = how.limit;
  Result result = Result::identity();
  launch(s, {.table = &kernel.table(),
                .handles = {&a, 1},
                .level = level,
                .list = interiors(s, level, s.groups[a.group].centre).list(),
                .result = &result,
                .who = "NaNChecker"});
  s.services.get<Driver>().combine_over_processes(&result, sizeof result, kernel.table().combine);
  return result;
}

template <template <int, class> class K, class Result, class Real>
Result look(Simulation& s, const VariableAccess& a, int level, const Look& how) {
  switch (s.grid.dim) {
    case 1: return look<K, Result, 1, Real>(s, a, level, how);
    case 2: return look<K, Result, 2, Real>(s, a, level, how);
    default: return look<K, Result, 3, Real>(s, a, level, how);
  }
}

Look over(const Box& points, double limit) {
  Look how{{}, limit};
  long long stride = 1;
  for (int d = 0; d < 3; ++d) {
    how.numbering.first[d] = points.lo[d], how.numbering.stride[d] = stride;
    stride *= points.extent(d);
  }
  return how;
}

// When and where: the point of a number.
std::string place(const Simulation& s, const VariableAccess& a, int level_number, const Box& points, long long number) {
  const Level& level = s.grid.levels[level_number];
  const auto& centre = s.groups[a.group].centre;
  std::vector<std::string> index, coordinates;
  Index at{};
  for (int d = 0; d < s.grid.dim; ++d) {
    at[d] = points.lo[d] + static_cast<int>(number % points.extent(d));
    number /= points.extent(d);
    index.push_back(std::to_string(at[d]));
  }
  const auto x = level.space.place(centre, at);
  for (int d = 0; d < s.grid.dim; ++d) coordinates.push_back(std::string(1, "xyz"[d]) + " = " + format_double(x[d]));
  return " values in iteration " + std::to_string(s.clock.iteration) + ", t = " + format_double(level.clock.time) +
         ", dt = " + format_double(level.clock.dt) + (s.grid.levels.size() > 1 ? " on " + level.name() : "") +
         ", the first at (" + join(index, ", ") + "), " + join(coordinates, ", ");
}

// All processes see the same; empty if the variable is finite everywhere on this level.
std::string report(Simulation& s, const VariableAccess& a, int level, double limit) {
  const Box points = s.grid.levels[level].space.points(s.groups[a.group].centre, s.grid.dim);
  const Look how = over(points, limit);
  Bad bad = Bad::identity();
  switch (s.type(a.group)) {
    case ScalarType::float32: bad = look<FindBad, Bad, float>(s, a, level, how); break;
    case ScalarType::float64: bad = look<FindBad, Bad, double>(s, a, level, how); break;
    case ScalarType::complex64: bad = look<FindBad, Bad, complex<float>>(s, a, level, how); break;
    case ScalarType::complex128: bad = look<FindBad, Bad, complex<double>>(s, a, level, how); break;
    case ScalarType::int32: break;  // always finite
  }
  if (bad.nans + bad.infinities + bad.beyond == 0) return "";
  std::vector<std::string> counts;
  if (bad.nans) counts.push_back(std::to_string(bad.nans) + " NaN");
  if (bad.infinities) counts.push_back(std::to_string(bad.infinities) + " infinite");
  if (bad.beyond) counts.push_back(std::to_string(bad.beyond) + " too large (limit: " + format_double(limit) + ")");
  return s.variable_name(a.group, a.component) + " has " + join(counts, " and ") +
         place(s, a, level, points, bad.first);
}

// The same for values at or below a floor.
std::string report_low(Simulation& s, const VariableAccess& a, int level, double floor) {
  const Box points = s.grid.levels[level].space.points(s.groups[a.group].centre, s.grid.dim);
  const Look how = over(points, floor);
  const Low low = s.type(a.group) == ScalarType::float32 ? look<FindLow, Low, float>(s, a, level, how)
                                                         : look<FindLow, Low, double>(s, a, level, how);
  if (low.count == 0) return "";
  return s.variable_name(a.group, a.component) + " is at or below its floor, " + format_double(floor) + ": " +
         std::to_string(low.count) + place(s, a, level, points, low.first);
}

// Says of each variable once that it was at its floor.
void check_floors(Context& c, std::set<std::string>& said) {
  const Parameters& par = c.parameters();
  const auto patterns = par.strings("floored");
  Simulation& s = c.simulation();
  for (std::size_t n = 0; n < patterns.size(); ++n)
    for (int v : s.match(patterns[n])) {
      const VariableAccess a{s.variables[v].group, s.variables[v].component};
      for (int l = 0; l < static_cast<int>(c.grid().levels.size()) && !said.count(s.variables[v].name); ++l) {
        const std::string text = report_low(s, a, l, par.reals("floors")[n]);
        if (text.empty()) continue;
        said.insert(s.variables[v].name);
        if (c.rank() == 0) console::warn("NaNChecker: " + text);
      }
    }
}

void check(Context& c, std::span<const VariableAccess> variables) {
  std::vector<std::string> found;
  for (const auto& a : variables) {
    if (c.group(a).kind != GroupKind::grid_function) continue;
    for (int l = 0; l < static_cast<int>(c.grid().levels.size()); ++l)
      if (auto text = report(c.simulation(), a, l, c.parameters().real("limit")); !text.empty())
        found.push_back(std::move(text));
  }
  if (found.empty()) return;
  if (c.parameters().string("action") == "stop") {
    c.simulation().failure = "NaNChecker: " + join(found, "\nNaNChecker: ");
    return;
  }
  if (c.rank() == 0)
    for (const auto& text : found) console::warn("NaNChecker: " + text);
}

// Of a step that `every` leaves out, checks the evolved variables that were chosen: analysis may not be valid there.
void check_state(Context& c, const Every& every) {
  if (every.due(c.clock()) || !c.simulation().failure.empty()) return;
  std::set<int> chosen;
  for (const auto& pattern : c.parameters().strings("variables"))
    for (const int v : c.simulation().match(pattern)) chosen.insert(v);
  std::vector<VariableAccess> evolved(c.accesses().begin(), c.accesses().end());
  std::erase_if(evolved, [&](const auto& a) { return !chosen.count(c.group(a).first_variable + a.component); });
  check(c, evolved);
}

void declare(Declaration& d) {
  d.describe("Looks for not-a-numbers, infinities, and numbers that are too large");
  d.parameter("variables", Variables{{"@evolved"}}, any(), "What to check: names, patterns or @tags of grid functions");
  d.parameter("limit", 1e100, above(0.0), "Largest magnitude that is let through").may_steer();
  d.parameter("every", 1, at_least(1), "Check each time the iteration is a multiple of this");
  d.parameter("action", "stop",
       one_of({{"warn", "say so and go on"}, {"stop", "end the run after the output of this step, with exit code 3"}}),
       "What to do when something is found")
      .may_steer();
  d.parameter("floored", Variables{}, any(), "Real grid functions to say of when they first are at or below a floor");
  d.parameter("floors", std::vector<double>{}, any(), "Of each of these, the floor");
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  const Every every{static_cast<int>(par.integer("every"))};
  s.routine("check", "Looks for what blew up", [](Context& c) { check(c, c.accesses()); })
      .reads(par.strings("variables"))
      .launches_kernels()
      .at(bin::analysis)
      .every(every)
      .once();
  for (const Bin& last : {bin::precheckpoint, bin::terminate})
    if (every.iterations > 1)
      s.routine(std::string("check_") + last.name, "Looks for what blew up since the last look",
           [every](Context& c) { check_state(c, every); })
          .reads({"@evolved"})
          .launches_kernels()
          .at(last)
          .once();
  if (par.strings("floored").size() != par.reals("floors").size())
    throw Error(par.where(par.was_set("floors") ? "floors" : "floored"),
        "NaNChecker.floored and NaNChecker.floors must have as many entries as each other");
  if (par.strings("floored").empty()) return;
  const auto said = std::make_shared<std::set<std::string>>();
  s.routine("check_floors", "Looks for what is at its floor", [said](Context& c) { check_floors(c, *said); })
      .reads(par.strings("floored"))
      .launches_kernels()
      .at(bin::analysis)
      .every(every)
      .once();
}
}  // namespace NaNChecker
CEREUS_THORN(NaNChecker, NaNChecker::declare, NaNChecker::schedule)
