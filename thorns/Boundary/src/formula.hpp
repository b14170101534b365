// The condition `formula`: values outside from the place, the time, and what the variables of the group are at the
// mirror image of the point.
#pragma once
#include <cereus/formula.hpp>
#include <cmath>

#include "batch.hpp"
#include "variants.hpp"
namespace Boundary {
// For a variable of this group. Throws Error if there is something wrong with it.
inline Steps formula_of(const Group& group, const std::string& text) {
  if (group.variables.size() > together)
    throw Error("its group has more than " + std::to_string(together) + " variables");
  std::vector<std::string> names{"x", "y", "z", "t"};
  names.insert(names.end(), group.variables.begin(), group.variables.end());
  return steps_of(text, names);
}
// Whether a formula is the mirror image of its own variable, 1, or that with the sign changed, −1, and something that
// no variable changes; else 0.
inline int mirrors_itself(const Group& group, int component, const std::string& text) {
  constexpr int places = 4;
  const Steps steps = formula_of(group, text);
  double values[places + together] = {0.3, 0.4, 0.5, 0.6};
  const double without = run(steps, values);
  int sign = 1;
  for (std::size_t v = 0; v < group.variables.size(); ++v) {
    values[places + v] = 1;
    const double slope = run(steps, values) - without;
    values[places + v] = 2;
    const double twice = run(steps, values) - without;
    values[places + v] = 0;
    const bool own = static_cast<int>(v) == component;
    if (std::fabs(twice - 2 * slope) > 1e-9 || std::fabs(std::fabs(slope) - own) > 1e-9) return 0;
    if (own && slope < 0) sign = -1;
  }
  return sign;
}

class FormulaFaces {
 public:
  void fill(Simulation& s, int level, const Variable& v, int axis, int side, Space space, const Boxes& outside) {
    const Group& group = s.groups[v.access.group];
    const Box& cells = s.grid.levels[level].space.cells;
    const int between = group.centre[axis] == Centre::vertex ? 0 : 1;  // a face and its outermost point, in halves
    std::vector<VariableAccess> handles;
    for (int n = 0; n < together; ++n)
      handles.push_back({v.access.group, std::min(n, static_cast<int>(group.variables.size()) - 1), v.access.timelevel,
          Mode::update, Region::boundary});
    const std::string& text = v.faces[2 * axis + side].formula;
    const auto [found, fresh] = known_.try_emplace({v.access.group, text});
    if (fresh) found->second = formula_of(group, text);
    kernel_.launch(s, level, 3, space, handles, outside, [&](auto& k, auto) {
      k.steps = found->second, k.axis = axis, k.target = v.access.component;
      k.image = 2 * (side ? cells.hi[axis] : cells.lo[axis]) - between;
    });
  }

 private:
  std::map<std::pair<int, std::string>, Steps> known_;
  Variants<FillFormula, detail::ints<3>, float, double> kernel_;
};
}  // namespace Boundary
