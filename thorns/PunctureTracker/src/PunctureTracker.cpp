// Where punctures are: points that the shift carries along, dx/dt = −β(x).
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace PunctureTracker {
using namespace cereus;
using Points = std::vector<std::array<double, 3>>;
const std::array<std::string, 3> positions{"x", "y", "z"}, speeds{"vx", "vy", "vz"};

Points read(Context& c, const std::array<std::string, 3>& names) {
  Points points(c.read_values<double>(names[0]).size());
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t n = 0; n < points.size(); ++n) points[n][d] = c.read_values<double>(names[d])[n];
  return points;
}
void write(Context& c, const std::array<std::string, 3>& names, const Points& points) {
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t n = 0; n < points.size(); ++n) c.values<double>(names[d])[n] = points[n][d];
}
// x + dt (a v + b w)
Points moved(const Points& x, double dt, double a, const Points& v, double b, const Points& w) {
  Points to = x;
  for (std::size_t n = 0; n < x.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d) to[n][d] += dt * (a * v[n][d] + b * w[n][d]);
  return to;
}

// −β at points, and how it changes around them: slope[n][d][e] = −∂_e β^d. Collective; each process gets all of them.
struct Speeds {
  Points v;
  std::vector<Points> slope;
};
Speeds speeds_at(Context& c, const Points& at) {
  Simulation& s = c.simulation();
  std::vector<int> shift;
  for (const VariableAccess& a : c.accesses())
    if (s.groups[a.group].kind == GroupKind::grid_function)
      shift.push_back(s.groups[a.group].first_variable + a.component);
  std::vector<double> values(3 * at.size());
  Points gradients(3 * at.size());
  try {
    c.service<Interpolation>().interpolate(s, shift, at, values, gradients);
  } catch (const Failure& e) {
    throw Failure(c.parameters().where("positions"),
        std::string(
            "PunctureTracker: a puncture is not inside the grid; was it placed there, or has the run blown up? ") +
            e.what());
  }
  Speeds found{Points(at.size()), std::vector<Points>(at.size(), Points(3))};
  for (std::size_t n = 0; n < at.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d) {
      found.v[n][d] = -values[d * at.size() + n];
      for (std::size_t e = 0; e < 3; ++e) found.slope[n][d][e] = -gradients[d * at.size() + n][e];
    }
  return found;
}
// Speeds at points near those where they are known, to first order.
Points speeds_near(const Speeds& from, const Points& at, const Points& to) {
  Points v = from.v;
  for (std::size_t n = 0; n < at.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e) v[n][d] += from.slope[n][d][e] * (to[n][e] - at[n][e]);
  return v;
}

// Of the first two punctures: their distance, and how often the line through both has turned since the start, in
// whatever plane. Turns are no longer counted once the distance is a tenth of the largest that it was.
struct Pair {
  double separation, turns;
};
Pair pair_of(const Points& before, const Points& now, double turned, double widest) {
  const auto line = [](const Points& x) { return std::array{x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]}; };
  const auto a = line(before), b = line(now);
  const double separation = std::hypot(b[0], b[1], b[2]), along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
               across = std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  const bool met = separation < 0.1 * widest;
  return {separation, turned + (met ? 0 : std::atan2(across, along) / (2 * std::numbers::pi))};
}

// Warns, once for each, of punctures that no hole is at any more.
void warn_if_lost(const Context& c, const Points& v) {
  for (std::size_t n = 0; n < v.size() && c.rank() == 0; ++n)
    if (const double speed = std::hypot(v[n][0], v[n][1], v[n][2]); !(speed <= 1.001))
      console::warn("PunctureTracker: puncture " + std::to_string(n + 1) +
                    " moves faster than light: no hole is there, or its surroundings are not resolved; "
                    "Refine.spheres around it are in the wrong place (punctures.asc says where it is)");
}

// From the last look to this one by the trapezoid rule, with a step of Euler as the first guess (Heun's method). The
// device is waited for once: speeds at the new places follow from those at the guess and their slopes.
void track(Context& c) {
  const Clock& clock = c.grid().levels.front().clock;  // that of the run comes later
  double& last = c.values<double>("last_time")[0];
  const double dt = clock.time - last;
  const Points before = read(c, positions), v = read(c, speeds);
  const Points guess = moved(before, dt, 1, v, 0, v);
  const Speeds found = speeds_at(c, guess);
  const Points x = dt > 0 ? moved(before, dt, 0.5, v, 0.5, found.v) : before, next = speeds_near(found, guess, x);
  write(c, positions, x);
  write(c, speeds, next), warn_if_lost(c, next);
  last = clock.time;
  std::vector<std::string> columns;
  std::vector<double> row;
  for (std::size_t n = 0; n < x.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d) columns.push_back("xyz"[d] + std::to_string(n)), row.push_back(x[n][d]);
  c.append("punctures.asc", columns, row);
  if (x.size() < 2) return;
  double& turns = c.values<double>("turns")[0];
  double& widest = c.values<double>("widest")[0];
  const Pair pair = pair_of(before, x, turns, widest);
  turns = pair.turns, widest = std::max(widest, pair.separation);
  c.append("orbits.asc", {"orbits", "separation"}, {pair.turns, pair.separation});
}

// Those given, or those of TwoPunctures.
Points at_start(const Schedule& s, const Parameters& par) {
  const auto given = par.reals("positions");
  Points points;
  for (std::size_t n = 0; n + 2 < given.size(); n += 3) points.push_back({given[n], given[n + 1], given[n + 2]});
  if (!given.empty()) return points;
  const Parameters& two = [&]() -> const Parameters& {
    try {
      return s.parameters("TwoPunctures");
    } catch (const Error&) {
      throw Error(par.where("count"),
          "PunctureTracker does not know where punctures start: give positions, x, y, z of each, or add TwoPunctures "
          "to "
          "thorns:, which has two");
    }
  }();
  const auto centre = two.reals("centre"), along = two.reals("direction");
  for (const double side : {1, -1}) {
    const double half = side * two.real("half_distance") / std::hypot(along[0], along[1], along[2]);
    points.push_back({centre[0] + half * along[0], centre[1] + half * along[1], centre[2] + half * along[2]});
  }
  return points;
}

void declare(Declaration& d) {
  d.describe("Follows punctures: points that the shift carries along");
  d.parameter("positions", std::vector<double>{}, any(),
      "x, y, z of each puncture at the start, one after another; none: the two of TwoPunctures");
  d.parameter("count", {2}, at_least(1), "How many punctures there are").length(1);
  d.parameter(
      "shift", Variables{{"BSSN::beta_x", "BSSN::beta_y", "BSSN::beta_z"}}, any(), "The three components of β^i");
  d.parameter("every", 1, at_least(1), "Look each time the iteration is a multiple of this");
  d.arrays("position", {"x", "y", "z"}, "Where the punctures are").type(ScalarType::float64).shape_from("count");
  d.arrays("velocity", {"vx", "vy", "vz"}, "−β^i there, at the last look")
      .type(ScalarType::float64)
      .shape_from("count");
  d.scalars("look", {"last_time", "turns", "widest"},
       "Time of the last look; how often the line through the first two has turned, and its greatest length")
      .type(ScalarType::float64);
  d.needs<Interpolation>();
}

void schedule(Schedule& s, const Parameters& par) {
  const Points start = at_start(s, par);
  if (par.reals("positions").size() % 3)
    throw Error(par.where("positions"), "PunctureTracker.positions must be 3 numbers a puncture: x, y, z");
  if (start.size() != static_cast<std::size_t>(par.integers("count")[0]))
    throw Error(par.where(par.was_set("positions") ? "positions" : "count"),
        "PunctureTracker: count is " + std::to_string(par.integers("count")[0]) + ", and there are positions of " +
            std::to_string(start.size()) + "; let both agree");
  const auto shift = par.strings("shift");
  if (shift.size() != 3)
    throw Error(par.where("shift"), "PunctureTracker.shift must name three variables: β^x, β^y, β^z");
  const int order = static_cast<int>(s.parameters("Interpolate").integer("order"));
  s.routine("start", "Punctures at their first positions",
       [start](Context& c) {
         write(c, positions, start), write(c, speeds, Points(start.size()));
         c.values<double>("last_time")[0] = c.clock().time;
         c.values<double>("turns")[0] = c.values<double>("widest")[0] = 0;
       })
      .writes({"x", "y", "z", "vx", "vy", "vz", "last_time", "turns", "widest"})
      .once()
      .at(bin::initial);
  s.routine("track", "Moves the punctures with the shift", track)
      .reads(shift, Region::interior, order / 2 + 1)
      .launches_kernels()
      .updates({"x", "y", "z", "vx", "vy", "vz", "last_time", "turns", "widest"})
      .at(bin::poststep)  // analysis and output of the same step, and the next regrid, have the new places
      .every({static_cast<int>(par.integer("every"))})
      .once();
}
}  // namespace PunctureTracker
CEREUS_THORN(PunctureTracker, PunctureTracker::declare, PunctureTracker::schedule)
