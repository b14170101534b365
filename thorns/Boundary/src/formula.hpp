// The condition `formula`: values outside from the place, the time, and what the variables of the group are at the
// mirror image of the point.
#pragma once
#include <algorithm>
#include <array>
#include <cereus/formula.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "batch.hpp"
#include "variants.hpp"
namespace Boundary {
// For a variable of this group. Throws Error if there is something wrong with it.
inline Steps formula_of(const Group& group, const std::string& text) {
  if (group.variables.size() > in_formula)
    throw Error("its group has more than " + std::to_string(in_formula) + " variables");
  std::vector<std::string> names{"x", "y", "z", "t"};
  names.insert(names.end(), group.variables.begin(), group.variables.end());
  return steps_of(text, names);
}
// Whether a formula is the mirror image of its own variable, 1, or that with the sign changed, −1, and something that
// no variable changes; else 0.
inline int mirrors_itself(const Group& group, int component, const std::string& text) {
  constexpr int places = 4;
  struct Linear {                       // what is on the stack:
    double slope = 0;                   // what multiplies the variable in it; NaN: it is not linear in it
    std::optional<double> number = {};  // or it is this number
  };
  const auto combined = [](Operation o, const Linear& a, const Linear& b, const Linear& c) -> Linear {
    constexpr double not_linear = std::numeric_limits<double>::quiet_NaN();
    const int used = operands(o);
    if (o != Operation::noise && a.number && (used < 2 || b.number) && (used < 3 || c.number))
      return {0, apply(o, *a.number, b.number.value_or(0), c.number.value_or(0))};
    switch (o) {
      case Operation::negate: return {-a.slope};
      case Operation::add: return {a.slope + b.slope};
      case Operation::subtract: return {a.slope - b.slope};
      case Operation::multiply:
        if (a.number || b.number) return {a.number ? *a.number * b.slope : a.slope * *b.number};
        break;
      case Operation::divide:
        if (b.number) return {a.slope / *b.number};
        break;
      case Operation::choose: return {a.slope == 0 && b.slope == c.slope ? b.slope : not_linear};
      default: break;
    }
    const bool free = a.slope == 0 && (used < 2 || b.slope == 0) && (used < 3 || c.slope == 0);
    return {free ? 0 : not_linear};
  };
  const Steps steps = formula_of(group, text);
  std::vector<Linear> stack;
  for (int n = 0; n < steps.count; ++n) {
    const Operation o = steps.operation[n];
    const int name = static_cast<int>(steps.number[n]), used = operands(o);
    if (o == Operation::number) stack.push_back({0, steps.number[n]});
    else if (o == Operation::name) stack.push_back({name < places ? 0 : name == places + component ? 1 : std::nan("")});
    else {
      std::array<Linear, 3> of;
      std::copy(stack.end() - used, stack.end(), of.begin());
      stack.resize(stack.size() - static_cast<std::size_t>(used));
      stack.push_back(combined(o, of[0], of[1], of[2]));
    }
  }
  const double slope = stack.back().slope;
  return std::fabs(slope) == 1 ? static_cast<int>(slope) : 0;
}

class FormulaFaces {
 public:
  void fill(Simulation& s, int level, const Variable& v, int axis, int side, Space space, const LaunchBoxes& outside,
      const LaunchBoxes& on_face) {
    const Group& group = s.groups[v.access.group];
    const Box& cells = s.grid.levels[level].space.cells;
    const int between = group.centre[axis] == Centre::vertex ? 0 : 1;  // a face and its outermost point, in halves
    std::vector<VariableAccess> handles;
    for (int n = 0; n < in_formula; ++n)
      handles.push_back({v.access.group, std::min(n, static_cast<int>(group.variables.size()) - 1), v.access.timelevel,
          Mode::update, Region::boundary});
    const std::string& text = v.faces[2 * axis + side].formula;
    const auto [found, fresh] = known_.try_emplace({v.access.group, v.access.component, text});
    if (fresh) found->second = {formula_of(group, text), mirrors_itself(group, v.access.component, text)};
    const auto launch = [&](const LaunchBoxes& points, bool on_it) {
      kernel_.launch(s, level, 3, space, handles, points, [&](auto& k, auto) {
        k.steps = found->second.steps, k.axis = axis, k.target = v.access.component, k.on_face = on_it;
        k.image = 2 * (side ? cells.hi[axis] : cells.lo[axis]) - between;
      });
    };
    launch(outside, false);
    if (between == 0 && found->second.mirror < 0) launch(on_face, true);
  }

 private:
  struct Known {
    Steps steps;
    int mirror;
  };
  std::map<std::tuple<int, int, std::string>, Known> known_;
  Variants<FillFormula, detail::ints<3>, float, double> kernel_;
};
}  // namespace Boundary
