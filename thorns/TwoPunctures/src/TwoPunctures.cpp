// Initial data of two black holes: one process solves for them, and all evaluate the solution on the grid.
#include <cereus/beside.hpp>
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <optional>

#include "kernels.hpp"
#include "mirrors.hpp"
#include "solver.hpp"

namespace TwoPunctures {
Vector<double> vector_of(const Parameters& par, const std::string& name) {
  const auto v = par.reals(name);
  return {v[0], v[1], v[2]};
}
Frame frame_of(const Parameters& par) { return frame_along(vector_of(par, "direction")); }
// In the directions of the grid.
Pair<double> pair_of(const Parameters& par) {
  const Vector<double> along = frame_of(par).x;
  const auto puncture = [&](const std::string& sign, double at) -> Puncture<double> {
    return {{at * along.x, at * along.y, at * along.z}, par.real("mass" + sign), vector_of(par, "momentum" + sign),
        vector_of(par, "spin" + sign)};
  };
  const double half = par.real("half_distance");
  return {puncture("_plus", half), puncture("_minus", -half), par.real("least")};
}

Solution solution_of(const Parameters& par) {
  const Pair<double> pair = frame_of(par).seen(pair_of(par));
  const auto n = par.integers("points");
  const Points points{static_cast<int>(n[0]), static_cast<int>(n[1]), static_cast<int>(n[2])};
  return par.string("masses") == "bare" ? solve(pair, points)
                                        : solve_for_masses(pair, {pair.plus.bare, pair.minus.bare}, points);
}

// Ends the run if a puncture is a point of the grid, warns if both lie outside of it. Collective.
void check_places(Context& c) {
  const Parameters& par = c.parameters();
  const Vector<double> centre = vector_of(par, "centre");
  bool inside = false;
  const Pair<double> pair = pair_of(par);
  for (const Puncture<double>* puncture : {&pair.plus, &pair.minus}) {
    const Vector<double>& place = puncture->place;
    const double at[] = {centre.x + place.x, centre.y + place.y, centre.z + place.z};
    bool on_point = false, here = true;
    const Patch& whole_domain = c.grid().levels[0].space;
    for (int d = 0; d < 3; ++d) {
      const double cell = whole_domain.cells_to(d, at[d]);
      here = here && cell >= 0 && cell <= whole_domain.cells.extent(d);
    }
    inside = inside || here;
    for (const BlockRef& b : c.blocks()) {
      if (b.level().space.map) continue;  // around the holes' cube
      Index nearest{};
      bool near = true;
      for (int d = 0; d < 3; ++d) {
        const Patch& space = b.level().space;
        const double index = space.cells_to(d, at[d]), whole = std::round(index);
        near = near && std::fabs(index - whole) < 1e-9 && std::fabs(whole) < 1e9;
        if (near) nearest[d] = space.cells.lo[d] + static_cast<int>(whole);
      }
      on_point = on_point || (near && b.everywhere({Centre::vertex, Centre::vertex, Centre::vertex}).contains(nearest));
    }
    if (c.simulation().process.any(on_point))
      throw Error(par.where(par.was_set("centre") ? "centre" : "half_distance"),
          "TwoPunctures: the puncture at (" + format_double(at[0]) + ", " + format_double(at[1]) + ", " +
              format_double(at[2]) +
              ") is a point of the grid, where nothing is finite; move the holes "
              "(TwoPunctures.centre) or the domain by half a cell");
  }
  if (!inside && c.rank() == 0)  // one alone may be the other's image beyond a face that reflects
    console::warn(
        "TwoPunctures: both punctures lie outside of the domain: half_distance and centre against the driver's "
        "lower and upper");
}

// Ends the run if the grid is reflected in a plane in which the data are not.
void check_mirrors(Context& c) {
  const Parameters& par = c.parameters();
  const Simulation& s = c.simulation();
  const auto* conditions = s.services.find<BoundaryConditions>();
  const int metric = s.group_number("ADMBase::metric");
  for (int face = 0; conditions && face < 6; ++face) {
    const int axis = face / 2, across = axis == 2 ? 2 : 1;  // g_xz or g_xy: odd in a plane across its axis
    const Patch& space = s.grid.levels[0].space;
    if (space.periodic[axis] || conditions->mirrors(s, metric, across, face) != -1) continue;
    const double plane = space.coordinate(axis, Centre::vertex, face % 2 ? space.cells.hi[axis] : space.cells.lo[axis]);
    const std::string why = asymmetry(pair_of(par), vector_of(par, "centre"), axis, plane);
    if (why.empty()) continue;
    const bool of_both = why == "centre" || why == "direction";
    const std::string name = of_both ? why : why + (par.was_set(why + "_plus") ? "_plus" : "_minus");
    throw Error(par.where(name), std::string("TwoPunctures: the grid is reflected in ") + "xyz"[axis] + " = " +
                                     format_double(plane) + ", where the data of the holes are not symmetric (" +
                                     (of_both ? why : why + "_plus, " + why + "_minus") +
                                     "); change these, or take the whole domain, without Boundary: reflect");
  }
}

// What process 0 has found, on all of them; or the Failure that it met.
Solution on_all(const Process& process, const Parameters& par) {
  Solution s{};
  Found& found = s;
  std::string text;
  process.agree([&] {
    if (process.rank() != 0) return;
    try {
      s = solution_of(par);
    } catch (const Failure& e) {
      throw Failure(par.where(par.was_set("mass_plus") ? "mass_plus" : "mass_minus"), e.what());
    }
    text.assign(reinterpret_cast<const char*>(&found), sizeof found);
    text.append(reinterpret_cast<const char*>(s.c.data()), s.c.size() * sizeof(double));
  });
  text = process.broadcast(std::move(text));
  std::memcpy(&found, text.data(), sizeof found);
  s.c.resize((text.size() - sizeof found) / sizeof(double));
  std::memcpy(s.c.data(), text.data() + sizeof found, s.c.size() * sizeof(double));
  return s;
}

// What is kept between the routines of the start.
struct State {
  Solution solution;
  std::optional<Simulation> table;
};

void find(Context& c, State& state) {
  if (c.grid().dim != 3) throw Error("TwoPunctures: black holes need a grid of three dimensions");
  check_places(c);
  if (state.table) return;  // data are set again because blocks became finer
  check_mirrors(c);
  const Solution& s = state.solution = on_all(c.simulation().process, c.parameters());
  c.values<double>("adm_mass")[0] = s.adm;
  c.values<double>("mass_plus")[0] = s.mass[0], c.values<double>("mass_minus")[0] = s.mass[1];
  c.values<double>("bare_plus")[0] = s.pair.plus.bare, c.values<double>("bare_minus")[0] = s.pair.minus.bare;
  c.values<std::int32_t>("steps")[0] = s.steps;
  console::say("TwoPunctures: mass " + format_double(s.adm) + " of the whole, " + format_double(s.mass[0]) + " and " +
               format_double(s.mass[1]) + " of the punctures (bare " + format_double(s.pair.plus.bare) + " and " +
               format_double(s.pair.minus.bare) + "), " + std::to_string(s.steps) + " steps");
  // The coefficients, as a field that kernels read.
  const Points& n = s.points;
  Group g;
  g.thorn = "TwoPunctures", g.name = "table", g.variables = {"c"}, g.type = ScalarType::float64;
  g.centre = {Centre::cell, Centre::cell, Centre::cell};
  Simulation& run = c.simulation();
  const auto driver = std::make_shared<beside_run::BoxDriver>(3, Index{n.phi, n.b, n.a});
  Simulation& table = state.table.emplace(beside(run, run.process.alone(), driver, {g}, 0));
  const Layout& layout = table.fields.layout(0);
  auto* to = reinterpret_cast<double*>(table.fields.address(0, 0, 0, 0));
  for (int i = 0; i < n.a; ++i)
    for (int j = 0; j < n.b; ++j)
      for (int m = 0; m < n.phi; ++m) to[layout.at(m, j, i)] = s.coefficient(i, j, m);
  table.fields.validity(0, 0, 0, 0).wrote_interior(Space::host, {});
}

template <class Real> void fill(Context& c, State& state) {
  Simulation& run = c.simulation();
  const Parameters& par = c.parameters();
  Kernel<Fill<3, Real>, 3, Real> kernel;
  const std::vector<VariableAccess> table{beside_run::reading(0)};
  make_valid(*state.table, 0, table, -1, space_of(run, kernel.table()));
  kernel->pair = pair_of(par), kernel->frame = frame_of(par), kernel->half = par.real("half_distance");
  kernel->pair.plus.bare = state.solution.pair.plus.bare, kernel->pair.minus.bare = state.solution.pair.minus.bare;
  kernel->points = state.solution.points;
  kernel->centre = vector_of(par, "centre"), kernel->collapsed = par.string("lapse") == "psi";
  kernel->grid = beside_run::seen(*state.table, 0);
  std::vector<VariableAccess> handles{beside_run::from_elsewhere(table[0])};
  for (const VariableAccess& a : c.accesses())
    if (a.mode == Mode::write) handles.push_back(a);
  const auto boxes = boxes_of(run, c.level(), Region::everywhere, run.groups[handles[1].group].centre);
  launch(run,
      {.table = &kernel.table(), .handles = handles, .level = c.level(), .other = &*state.table, .who = "TwoPunctures"},
      boxes);
}

void declare(Declaration& d) {
  d.describe("Initial data of two black holes with momenta and spins");
  d.parameter("half_distance", 1.168642873, above(0), "Half of the distance between the punctures, b");
  d.parameter("direction", {1.0, 0.0, 0.0}, any(),
       "From the centre to the first puncture, `plus`; the other lies opposite, and only the ratios count")
      .length(3);
  d.parameter("centre", {0.0, 0.0, 0.0}, any(), "The point in the middle between the punctures").length(3);
  d.parameter("masses", "bare",
      one_of({{"bare", "the parameters m_± of ψ"}, {"puncture", "M_±, as each puncture's own infinity sees it"}}),
      "What mass_plus and mass_minus are");
  for (const std::string sign : {"plus", "minus"}) {
    const bool plus = sign == "plus";
    const std::string of = plus ? "of the puncture in that direction" : "of the puncture opposite";
    d.parameter("mass_" + sign, 0.453, at_least(0), "Mass " + of + "; 0: there is none");
    d.parameter("momentum_" + sign, {0.0, plus ? 0.3331917498 : -0.3331917498, 0.0}, any(), "Linear momentum " + of)
        .length(3);
    d.parameter("spin_" + sign, {0.0, 0.0, 0.0}, any(), "Spin (angular momentum) " + of).length(3);
  }
  d.parameter("points", {30, 30, 16}, between(4, 1000), "Points along A, B and φ; the last is even").length(3);
  d.parameter("least", 1e-10, above(0), "Distances from a puncture are not below this");
  d.parameter("lapse", "psi", one_of({{"psi", "α = ψ^(−2)"}, {"one", "α = 1"}}), "Lapse at the start");
  d.scalars("masses_found", {"adm_mass", "mass_plus", "mass_minus", "bare_plus", "bare_minus"},
       "ADM mass of the whole, masses of the punctures M_±, bare masses m_±")
      .type(ScalarType::float64);
  d.scalars("newton", {"steps"}, "Steps of Newton's method").type(ScalarType::int32);
}

void schedule(Schedule& s, const Parameters& par) {
  const auto n = par.integers("points");
  const double needed = bytes_needed({static_cast<int>(n[0]), static_cast<int>(n[1]), static_cast<int>(n[2])}) / 1e9,
               there = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE)) / 1e9;
  if (needed > there)
    throw Error(par.where("points"), "TwoPunctures.points: the matrices of so many points along A and B take " +
                                         std::to_string(std::lround(needed)) + " GB, and this machine has " +
                                         std::to_string(std::lround(there)) + " GB; take fewer");
  if (n[2] % 2) throw Error(par.where("points"), "TwoPunctures.points: the number of points along φ must be even");
  for (const std::string sign : {"plus", "minus"}) {
    const auto moved = [&](const std::string& name) {
      const Vector<double> v = vector_of(par, name + sign);
      return dot(v, v) > 0;
    };
    if (par.real("mass_" + sign) == 0 && (moved("momentum_") || moved("spin_")))
      throw Error(par.where("mass_" + sign), "TwoPunctures.mass_" + sign +
                                                 ": a puncture without mass has neither momentum nor spin; set both to "
                                                 "0, or give it a mass");
  }
  const Vector<double> direction = vector_of(par, "direction");
  if (!(dot(direction, direction) > 0))
    throw Error(par.where("direction"), "TwoPunctures.direction: (0, 0, 0) is no direction; (0, 1, 0) is along y");
  const auto state = std::make_shared<State>();
  s.routine("find", "Solves for the conformal factor", [state](Context& c) { find(c, *state); })
      .writes({"adm_mass", "mass_plus", "mass_minus", "bare_plus", "bare_minus", "steps"})
      .once()
      .at(bin::initial);
  s.routine("initial", "Metric, curvature, lapse and shift of two black holes",
       [state](Context& c) {
         const bool single = c.simulation().real == ScalarType::float32;
         single ? fill<float>(c, *state) : fill<double>(c, *state);
       })
      .writes<ADMBase::Metric>(Region::everywhere)
      .writes<ADMBase::Curvature>(Region::everywhere)
      .writes<ADMBase::Lapse>(Region::everywhere)
      .writes<ADMBase::Shift>(Region::everywhere)
      .launches_kernels()
      .at(bin::initial)
      .after("find");
}
}  // namespace TwoPunctures
CEREUS_THORN(TwoPunctures, TwoPunctures::declare, TwoPunctures::schedule)
