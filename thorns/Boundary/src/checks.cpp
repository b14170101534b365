#include "checks.hpp"

#include <cereus/console.hpp>
#include <cereus/text.hpp>

#include <cmath>

#include "batch.hpp"
#include "formula.hpp"
namespace Boundary {
namespace {
using namespace cereus;

void warn(const Context& c, const char* name, const std::string& what) {
  if (c.rank() == 0) console::warn(Problem{c.parameters().where(name), "Boundary." + std::string(name) + what}.text());
}

// Whether an axis of the grid ends at that face.
bool ends(const Context& c, int face) {
  return std::ranges::any_of(c.grid().levels, [&](const Level& l) { return c.grid().outer_faces(l) >> face & 1; });
}

// A condition at a face that the domain has not would change nothing.
void warn_of_faces(const Context& c, const Conditions& conditions) {
  const Parameters& par = c.parameters();
  const int dim = c.grid().dim;
  bool none = true;
  for (int f = 0; f < 6; ++f) {
    none = none && !ends(c, f);
    const std::string axis(1, "xyz"[f / 2]), name = face_names[f];
    if (ends(c, f) || !par.was_set(name) || par.string(name) == "none") continue;
    warn(c, face_names[f],
        ": " + par.string(name) + " has no effect: " +
            (c.grid().levels[0].space.joined ? "other patches lie there; the round end of a ball is z_upper"
                : f / 2 < dim                ? axis + " is periodic; give the driver periodic: false, or leave it out"
                                             : "the grid has no axis " + axis));
  }
  if (none && par.was_set("all") && par.string("all") != "none")
    warn(c, "all",
        ": " + par.string("all") +
            " has no effect: all axes are periodic; give the driver periodic: false, or leave it out");
  for (const auto& o : conditions.overrides())
    if (std::ranges::none_of(o.faces, [&](int f) { return ends(c, f); }))
      warn(c, "overrides",
          ": that of " + o.pattern + " has no effect: the domain does not end at " +
              (o.faces.size() == 1 ? face_names[o.faces[0]] : "any face"));
}

// Numbers that no condition takes.
void warn_of_numbers(Context& c, const Conditions& conditions) {
  const Simulation& s = c.simulation();
  const auto somewhere = [&](Condition wanted) {
    const auto has = [&](const Faces& faces) {
      for (int f = 0; f < 6; ++f)
        if (ends(c, f) && faces[f].condition == wanted) return true;
      return false;
    };
    if (has(conditions.defaults())) return true;
    for (const Group& rhs : s.groups)
      for (int v = 0; rhs.evolves >= 0 && v < static_cast<int>(rhs.variables.size()); ++v)
        if (has(faces_of(s, conditions, rhs.evolves, v))) return true;
    return std::ranges::any_of(conditions.overrides(), [&](const Override& o) { return o.condition == wanted; });
  };
  const auto unused = [&](const char* name, bool used, const char* by) {
    if (!used && c.parameters().changed(name)) warn(c, name, std::string(" has no effect: no face says ") + by);
  };
  const bool radiates = somewhere(Condition::radiation);
  unused("value", somewhere(Condition::dirichlet), "dirichlet");
  unused("radiation_speed", radiates, "radiation"), unused("radiation_power", radiates, "radiation");
  unused("extrapolation_order", radiates || somewhere(Condition::extrapolate), "extrapolate or radiation");
}

// One value for variables of several kinds is seldom meant.
void warn_of_value(Context& c, const Conditions& conditions) {
  const double value = c.parameters().real("value");
  if (value == 0) return;
  const Simulation& s = c.simulation();
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    if (s.groups[g].evolves < 0) continue;
    const Group& state = s.groups[s.groups[g].evolves];
    const auto takes = [&](int v) {
      const Faces faces = faces_of(s, conditions, s.groups[g].evolves, v);
      for (int f = 0; f < 6; ++f)
        if (ends(c, f) && faces[f].condition == Condition::dirichlet && faces[f].value == value) return true;
      return false;
    };
    std::vector<std::string> names;
    for (int v = 0; v < static_cast<int>(state.variables.size()); ++v)
      if (takes(v)) names.push_back(state.variables[v]);
    if (names.size() > 1)
      warn(c, "value",
          ": " + format_double(value) + " is held by " + join(names, ", ") + " of " + state.full_name() +
              " alike; overrides give each its own");
  }
}

// Radiation leaves the origin of coordinates: it has no direction there.
void refuse_origin(Context& c, const Conditions& conditions, Problems& problems) {
  const Simulation& s = c.simulation();
  const Patch& domain = c.grid().levels[0].space;
  for (const Group& rhs : s.groups) {
    if (rhs.evolves < 0 || s.groups[rhs.evolves].kind != GroupKind::grid_function) continue;
    const Group& state = s.groups[rhs.evolves];
    const Faces faces = faces_of(s, conditions, rhs.evolves, 0);
    const Box points = domain.points(state.centre, c.grid().dim);
    const auto at = [&](int d, int i) { return domain.coordinate(d, state.centre[d], i); };
    for (int f = 0; f < 2 * c.grid().dim; ++f) {
      if (!ends(c, f) || faces[f].condition != Condition::radiation) continue;
      bool on_it = std::abs(at(f / 2, f % 2 ? points.hi[f / 2] - 1 : points.lo[f / 2])) < 1e-9 * domain.spacing[f / 2];
      for (int d = 0; d < c.grid().dim; ++d)
        if (d != f / 2) on_it = on_it && at(d, points.lo[d]) <= 0 && at(d, points.hi[d] - 1) >= 0;
      if (!on_it) continue;
      const char* said = c.parameters().was_set(face_names[f]) ? face_names[f] : "all";
      return problems.add(
          c.parameters().where(said), std::string("radiation at ") + face_names[f] +
                                          " leaves the origin of coordinates, which lies on that face; " +
                                          "say reflect there, if the field is symmetric, or move the domain");
    }
  }
}

// An override that fits no variable is a mistake: it would change nothing.
void check_overrides(Context& c, const Conditions& conditions, Problems& problems) {
  const Simulation& s = c.simulation();
  std::vector<std::string> names;
  for (const auto& v : s.variables) names.push_back(v.name);
  const auto complain = [&](const std::string& what) {
    problems.add(c.parameters().where("overrides"), "Boundary.overrides: " + what);
  };
  for (const auto& o : conditions.overrides()) {
    const auto matches = s.match(o.pattern);
    if (matches.empty() || o.pattern.starts_with("@"))
      complain("'" + o.pattern + "' is like no variable and no group" + did_you_mean(o.pattern, names));
    for (const int v : matches) try {
        if (!o.formula.empty()) formula_of(s.groups[s.variables[v].group], o.formula);
      } catch (const Error& e) { complain("'" + o.formula + "' of " + s.variables[v].name + ": " + e.what()); }
  }
}
}  // namespace

void check(Context& c) {
  const Conditions conditions(c.parameters());
  warn_of_faces(c, conditions);
  warn_of_numbers(c, conditions);
  warn_of_value(c, conditions);
  Problems problems;
  check_overrides(c, conditions, problems);
  refuse_origin(c, conditions, problems);
  problems.throw_if_any();
}

void check_speed(Context& c) {
  const Simulation& s = c.simulation();
  const Conditions conditions(c.parameters());
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& offer = s.groups[g];
    if (offer.kind != GroupKind::scalar || !offer.has_tag("Time::speed") || s.type(g) != ScalarType::float64 ||
        s.fields.buffers(g) == 0)
      continue;
    const double speed = *reinterpret_cast<const double*>(s.fields.plain(g, 0, 0));
    if (speed == 0) continue;
    for (const Group& rhs : s.groups) {
      if (rhs.evolves < 0 || rhs.thorn != offer.thorn) continue;
      const Faces faces = faces_of(s, conditions, rhs.evolves, 0);
      for (int f = 0; f < 6; ++f)
        if (ends(c, f) && faces[f].condition == Condition::radiation && std::abs(faces[f].speed - speed) > 0.01 * speed)
          return warn(c, "radiation_speed",
              ": waves of " + s.groups[rhs.evolves].full_name() + " leave at " + face_names[f] + " with a speed of " +
                  format_double(faces[f].speed) + ", while " + offer.thorn + " offers " + format_double(speed) +
                  ": others than those come back");
    }
  }
}
}  // namespace Boundary
