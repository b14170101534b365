#include "faces.hpp"

#include <cereus/formula.hpp>
#include <cereus/text.hpp>

#include <algorithm>

namespace Incompressible {
Condition condition_at(const Parameters& par, int face) {
  const std::string word = par.string(face_names[face]);
  return static_cast<Condition>(std::ranges::find(condition_names, word) - std::begin(condition_names));
}

std::string velocity_at(const Parameters& par, int face, int component) {
  const auto formulas = par.strings(std::string(face_names[face]) + "_velocity");
  return component < std::ssize(formulas) ? formulas[component] : "0";
}

namespace {
std::optional<double> constant(const std::string& text) {
  const Steps s = steps_of(text, {"x", "y", "z", "t"});
  for (int n = 0; n < s.count; ++n)
    if (s.operation[n] == Operation::name) return std::nullopt;
  const double none[4] = {};
  return run(s, none);
}
}  // namespace

std::string velocity_condition(const Parameters& par, int component, int face) {
  const bool across = face / 2 == component;
  switch (condition_at(par, face)) {
    case Condition::outflow: return "neumann";
    case Condition::slip: return across ? "dirichlet 0" : "neumann";
    case Condition::wall:
      if (across) return "dirichlet 0";
      [[fallthrough]];
    default:
      const std::string velocity = velocity_at(par, face, component);
      if (const auto number = constant(velocity)) return "dirichlet " + format_double(*number);
      return "formula 2*(" + velocity + ") - " + "uvw"[component];
  }
}
std::string pressure_condition(const Parameters& par, int face) {
  return condition_at(par, face) == Condition::outflow ? "dirichlet 0" : "neumann";
}

Faces faces_with(const Parameters& par, std::initializer_list<Condition> list, int dim) {
  Faces faces{};
  for (int face = 0; face < 2 * dim; ++face) faces.of[face] = std::ranges::count(list, condition_at(par, face)) > 0;
  return faces;
}
bool inflow_changes(const Parameters& par) {
  for (int face = 0; face < 6; ++face)
    if (condition_at(par, face) == Condition::inflow && !constant(velocity_at(par, face, face / 2))) return true;
  return false;
}

void check_faces(const Parameters& par) {
  Problems problems;
  bool in = false, out = false;
  for (int face = 0; face < 6; ++face) {
    const std::string key = std::string(face_names[face]) + "_velocity";
    const Condition c = condition_at(par, face);
    const auto formulas = par.strings(key);
    for (const auto& text : formulas) try {
        steps_of(text, {"x", "y", "z", "t"});
      } catch (const Error& e) {
        problems.add(par.where(key), "Incompressible." + key + ": '" + text + "': " + e.what());
      }
    const auto complain = [&](const std::string& what) {
      problems.add(par.where(key), "Incompressible." + key + ": " + what);
    };
    if (!formulas.empty() && (c == Condition::slip || c == Condition::outflow))
      complain(std::string("at a face with `") + condition_names[static_cast<int>(c)] +
               "` the fluid chooses its own velocity; take wall or inflow, or leave this out");
    if (c == Condition::wall && face / 2 < std::ssize(formulas) && formulas[face / 2] != "0")
      complain("nothing flows through a wall; let the component along " + std::string(1, "xyz"[face / 2]) +
               " be 0, or take inflow");
    in = in || c == Condition::inflow, out = out || c == Condition::outflow;
    if (in && !out && face == 5)
      for (int f = 0; f < 6; ++f)
        if (condition_at(par, f) == Condition::inflow)
          problems.add(par.where(face_names[f]), std::string("Incompressible: fluid flows in at ") + face_names[f] +
                                                     ", and out nowhere; say outflow at some face");
  }
  problems.throw_if_any();
}
}  // namespace Incompressible
