#include "faces.hpp"

#include <cereus/formula.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>

namespace Incompressible {
namespace {
Condition condition_at(const Parameters& par, int face) {
  return static_cast<Condition>(std::ranges::find(condition_names, par.string(face_names[face])) - condition_names);
}
// The velocity of a wall, or of what flows in, along an axis.
std::string velocity_at(const Parameters& par, int face, int component) {
  const auto formulas = par.strings(std::string(face_names[face]) + "_velocity");
  return component < std::ssize(formulas) ? formulas[component] : "0";
}
Steps steps_at(const Parameters& par, int face, int component) {
  return steps_of(velocity_at(par, face, component), {"x", "y", "z", "t"});
}
struct Cell {  // as a formula sees it
  Index at;
  int index(int axis) const { return at[axis]; }
};
}  // namespace

Steps formula(
    const Parameters& par, const std::string& key, const std::string& text, Problems& problems, bool in_time) {
  try {
    return in_time ? steps_of(text, {"x", "y", "z", "t"}) : steps_of(text, {"x", "y", "z"});
  } catch (const Error& e) {
    problems.add(par.where(key), "Incompressible." + key + ": '" + text + "': " + e.what());
    return {};
  }
}

std::string velocity_condition(const Parameters& par, int component, int face) {
  const Condition c = condition_at(par, face);
  const bool across = face / 2 == component;
  if (c == Condition::outflow || (c == Condition::slip && !across)) return "neumann";
  if (c == Condition::slip) return "dirichlet 0";
  if (const auto value = number_of(steps_at(par, face, component))) return "dirichlet " + format_double(*value);
  return "formula 2*(" + velocity_at(par, face, component) + ") - " + "uvw"[component];
}
std::string pressure_condition(const Parameters& par, int face) {
  return condition_at(par, face) == Condition::outflow ? "dirichlet 0" : "neumann";
}

double fastest_face(const Parameters& par) {
  double fastest = 0;
  for (int face = 0; face < 6; ++face) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += std::fabs(number_of(steps_at(par, face, c)).value_or(0));
    fastest = std::max(fastest, sum);
  }
  return fastest;
}

void check_faces(const Parameters& par, const Parameters& grid, Problems& problems) {
  const auto dim = std::ssize(grid.integers("cells"));
  const auto periodic = grid.booleans("periodic");
  std::vector<std::string> in;
  bool out = false;
  for (int face = 0; face < 6; ++face) {
    const std::string name = face_names[face], key = name + "_velocity", along(1, "xyz"[face / 2]);
    const auto formulas = par.strings(key);
    const auto complain = [&](const std::string& what) {
      problems.add(par.where(key), "Incompressible." + key + ": " + what);
    };
    const auto known = problems.count();
    for (const auto& text : formulas) formula(par, key, text, problems, true);
    if (problems.count() > known) continue;
    const Condition c = condition_at(par, face);
    if (face >= 2 * dim) {
      if (!formulas.empty() || c != Condition::wall)
        complain("there is no such face: UniGrid.cells has " + std::to_string(dim) + " numbers; leave it out");
      continue;
    }
    if (periodic[std::min<std::size_t>(face / 2, periodic.size() - 1)]) {
      if (!formulas.empty())
        complain("there is no such face: " + along + " is periodic; let UniGrid.periodic be false there");
      continue;
    }
    if (!formulas.empty() && (c == Condition::slip || c == Condition::outflow))
      complain("at a face with `" + par.string(name) +
               "` the fluid chooses its own velocity; take wall or inflow, or leave this out");
    if (c == Condition::wall && number_of(steps_at(par, face, face / 2)) != 0.0)
      complain("nothing flows through a wall; let the component along " + along + " be 0, or take inflow");
    if (c == Condition::inflow) in.push_back(name);
    if (c == Condition::inflow && formulas.empty())
      complain("it is missing, and nothing flows in; give a component for each axis, [\"1\", \"0\"]");
    out = out || c == Condition::outflow;
  }
  for (const auto& name : in)
    if (!out)
      problems.add(par.where(name),
          "Incompressible." + name + ": fluid flows in, and out nowhere; say outflow at some other face");
}

void check_obstacle(const Parameters& par, const Patch& space, int dim, Problems& problems) {
  const Steps solid = steps_of(par.string("obstacle"), {"x", "y", "z"});
  for (int face = 0; face < 2 * dim; ++face) {
    const int axis = face / 2;
    if (space.periodic[axis] || condition_at(par, face) != Condition::inflow) continue;
    Box layer = space.cells;
    (face % 2 ? layer.lo[axis] : layer.hi[axis]) = face % 2 ? layer.hi[axis] - 1 : layer.lo[axis] + 1;
    for (int k = layer.lo[2]; k < layer.hi[2]; ++k)
      for (int j = layer.lo[1]; j < layer.hi[1]; ++j)
        for (int i = layer.lo[0]; i < layer.hi[0]; ++i) {
          const auto centre = [&](int d, int n) { return space.coordinate(d, Centre::cell, n); };
          const double at[] = {centre(0, i), centre(1, j), dim > 2 ? centre(2, k) : 0};
          if (!(run(solid, at, Cell{{i, j, k}}) > 0)) continue;
          return problems.add(par.where("obstacle"),
              "Incompressible.obstacle: fluid flows in at " + std::string(face_names[face]) +
                  ", where a cell at x = " + format_double(at[0]) + ", y = " + format_double(at[1]) +
                  (dim > 2 ? ", z = " + format_double(at[2]) : "") + " is solid; keep obstacles away from that face");
        }
  }
}
}  // namespace Incompressible
