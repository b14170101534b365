// Looks for not-a-numbers, infinities and numbers too large in chosen variables; says where the first is, and stops the
// run if asked.
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace NaNChecker {
struct Look {
  Numbering numbering;
  double limit;
};

template <int dim, class Real> Bad look(Simulation& s, const VariableAccess& a, int level, const Look& how) {
  Kernel<FindBad<dim, Real>, dim, Real> kernel;
  kernel->numbering = how.numbering, kernel->limit = how.limit;
  Bad bad = Bad::identity();
  launch(s, {.table = &kernel.table(),
                .handles = {&a, 1},
                .level = level,
                .list = interiors(s, level, s.groups[a.group].centre).list(),
                .result = &bad,
                .who = "NaNChecker"});
  s.services.get<Driver>().combine_over_processes(&bad, sizeof bad, kernel.table().combine);
  return bad;
}

template <class Real> Bad look(Simulation& s, const VariableAccess& a, int level, const Look& how) {
  switch (s.grid.dim) {
    case 1: return look<1, Real>(s, a, level, how);
    case 2: return look<2, Real>(s, a, level, how);
    default: return look<3, Real>(s, a, level, how);
  }
}

// All processes see the same; empty if the variable is finite everywhere on this level.
std::string report(Simulation& s, const VariableAccess& a, int level_number, double limit) {
  const Level& level = s.grid.levels[level_number];
  const auto& centre = s.groups[a.group].centre;
  const Box points = level.space.points(centre, s.grid.dim);
  Look how{{}, limit};
  long long stride = 1;
  for (int d = 0; d < 3; ++d) {
    how.numbering.first[d] = points.lo[d], how.numbering.stride[d] = stride;
    stride *= points.extent(d);
  }
  Bad bad = Bad::identity();
  switch (s.type(a.group)) {
    case ScalarType::float32: bad = look<float>(s, a, level_number, how); break;
    case ScalarType::float64: bad = look<double>(s, a, level_number, how); break;
    case ScalarType::complex64: bad = look<complex<float>>(s, a, level_number, how); break;
    case ScalarType::complex128: bad = look<complex<double>>(s, a, level_number, how); break;
    case ScalarType::int32: break;  // always finite
  }
  if (bad.nans + bad.infinities + bad.beyond == 0) return "";
  std::vector<std::string> counts, index, coordinates;
  if (bad.nans) counts.push_back(std::to_string(bad.nans) + " NaN");
  if (bad.infinities) counts.push_back(std::to_string(bad.infinities) + " infinite");
  if (bad.beyond) counts.push_back(std::to_string(bad.beyond) + " too large (limit: " + format_double(limit) + ")");
  for (int d = 0; d < s.grid.dim; ++d) {
    const int i = points.lo[d] + static_cast<int>(bad.first % points.extent(d));
    bad.first /= points.extent(d);
    index.push_back(std::to_string(i));
    coordinates.push_back(std::string(1, "xyz"[d]) + " = " + format_double(level.space.coordinate(d, centre[d], i)));
  }
  return s.variable_name(a.group, a.component) + " has " + join(counts, " and ") + " values in iteration " +
         std::to_string(s.clock.iteration) + ", t = " + format_double(level.clock.time) +
         ", dt = " + format_double(level.clock.dt) +
         (s.grid.levels.size() > 1 ? " on level " + std::to_string(level_number) : "") + ", the first at (" +
         join(index, ", ") + "), " + join(coordinates, ", ");
}

void check(Context& c) {
  std::vector<std::string> found;
  for (const auto& a : c.accesses()) {
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

void declare(Declaration& d) {
  d.describe("Looks for not-a-numbers, infinities, and numbers that are too large");
  d.parameter("variables", Variables{{"@evolved"}}, any(), "What to check: names, patterns or @tags of grid functions");
  d.parameter("limit", 1e100, above(0.0), "Largest magnitude that is let through").may_steer();
  d.parameter("every", 1, at_least(1), "Check each time the iteration is a multiple of this");
  d.parameter("action", "stop",
       one_of({{"warn", "say so and go on"}, {"stop", "end the run after the output of this step, with exit code 3"}}),
       "What to do when something is found")
      .may_steer();
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  s.routine("check", "Looks for what blew up", check)
      .reads(par.strings("variables"))
      .launches_kernels()
      .at(bin::analysis)
      .every({static_cast<int>(par.integer("every"))})
      .once();
}
}  // namespace NaNChecker
CEREUS_THORN(NaNChecker, NaNChecker::declare, NaNChecker::schedule)
