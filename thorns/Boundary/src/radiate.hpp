// The radiation condition on right-hand sides: replaces them on the outermost layer of interior points, where edges
// and corners have an outward direction of their own.
#pragma once
#include "batch.hpp"
#include "kept.hpp"
#include "variants.hpp"
namespace Boundary {
// Faces (bits 2·axis + side) at which some variable radiates.
inline unsigned radiating_faces(const Conditions& c) {
  unsigned faces = 0;
  for (std::size_t f = 0; f < c.defaults().size(); ++f)
    if (c.defaults()[f].condition == Condition::radiation) faces |= 1U << f;
  for (const Override& o : c.overrides())
    for (const int f : o.faces)
      if (o.condition == Condition::radiation) faces |= 1U << f;
  return faces;
}

class Radiation {
 public:
  explicit Radiation(const Parameters& par)
      : conditions_(par),
        faces_(radiating_faces(conditions_)),
        power_(static_cast<int>(par.integer("radiation_power"))) {}

  // What it reads along a face of a box: ghost zones off faces, which whoever computes the rates has read, of variables
  // whose derivatives are in them. Those that a routine declares to read have edges, too. On a shell the wave leaves
  // along its radius alone.
  void read_beside(Context& c) const {
    Simulation& s = c.simulation();
    std::vector<VariableAccess> list;
    for (const VariableAccess& a : c.accesses())
      if (a.mode == Mode::read && c.group(a).kind == GroupKind::grid_function)
        list.push_back({a.group, a.component, a.timelevel, Mode::read, Region::interior, 1});
    for (int l = c.levels().first; l < c.levels().last; ++l)
      if (radiates(s, l) && !s.grid.levels[l].space.map) make_valid(s, l, list, c.routine().id, kernel_space(s));
  }

  void operator()(Context& c) {
    const auto is_shell = [&](int level) { return c.simulation().grid.levels[level].space.map != 0; };
    for (Selection now{c.levels().first, 0}; now.first < c.levels().last; now.first = now.last) {
      now.last = now.first + 1;  // or all shells, whose faces are alike
      while (is_shell(now.first) && now.last < c.levels().last && is_shell(now.last)) ++now.last;
      if (radiates(c.simulation(), now.first)) radiate(c, now);
    }
  }

 private:
  bool radiates(const Simulation& s, int level) const { return s.grid.outer_faces(s.grid.levels[level]) & faces_; }
  void radiate(Context& c, Selection levels) {
    Simulation& s = c.simulation();
    const Level& l = s.grid.levels[levels.first];
    std::vector<Variable> list;
    for (const auto& rhs : c.accesses())
      if (rhs.mode == Mode::update && s.groups[rhs.group].kind == GroupKind::grid_function)
        list.push_back({rhs, faces_of(s, conditions_, s.groups[rhs.group].evolves, rhs.component)});
    const auto key = [&](const Variable& v) {
      return std::tuple(s.type(v.access.group), s.groups[v.access.group].centre, radiating(s, l, v.faces));
    };
    for_each_batch(list, key, [&](Batch batch) {
      for (int axis = 0; axis < s.grid.dim; ++axis) run(s, levels, batch, axis);
    });
  }
  using Sides = std::array<bool, 6>;  // whether a face radiates
  static Sides radiating(const Simulation& s, const Level& l, const Faces& faces) {
    Sides sides{};
    for (int f = 0; f < 2 * s.grid.dim; ++f)
      sides[f] = (s.grid.outer_faces(l) >> f & 1) && faces[f].condition == Condition::radiation;
    return sides;
  }
  // The outermost points across an axis, without those of radiating faces across the axes before.
  static Boxes layers(const Simulation& s, int level, const Group& g, const Sides& sides, int axis) {
    Boxes boxes;
    for (int n = s.grid.levels[level].first_block; n < s.grid.levels[level].last_block; ++n) {
      const Block& b = s.grid.blocks[n];
      const auto radiates = [&](int d, int side) { return b.outer(d, side) && sides[2 * d + side]; };
      Box box = s.grid.points(b, g.centre);
      for (int d = 0; d < axis; ++d) box.lo[d] += radiates(d, 0), box.hi[d] -= radiates(d, 1);
      for (const int side : {0, 1}) {
        if (!radiates(axis, side)) continue;
        Box layer = box;
        (side ? layer.lo : layer.hi)[axis] = side ? box.hi[axis] - 1 : box.lo[axis] + 1;
        boxes.push_back({n, layer});
      }
    }
    return boxes;
  }
  void run(Simulation& s, Selection levels, Batch batch, int axis) {
    const Group& group = s.groups[batch[0].access.group];
    const Sides sides = radiating(s, s.grid.levels[levels.first], batch[0].faces);
    unsigned faces = 0;
    for (int f = 0; f < 6; ++f) faces |= unsigned{sides[f]} << f;
    std::vector<LevelBoxes> boxes;
    for (int level = levels.first; level < levels.last; ++level)
      boxes.push_back({level, &kept_.of(s, level, group.centre, static_cast<unsigned>(axis) << 6 | faces,
                                  [&] { return layers(s, level, group, sides, axis); })});
    const auto states = handles_of(batch, [&](const VariableAccess& rhs) {
      return VariableAccess{s.groups[rhs.group].evolves, rhs.component, 0, Mode::read, Region::interior, 1};
    });
    const auto rates = handles_of(batch);
    std::array<VariableAccess, 2 * together> handles;
    std::ranges::copy(rates, std::ranges::copy(states, handles.begin()).out);
    kernel_.launch(s, s.grid.dim, kernel_space(s), handles, boxes, [&]<class T>(auto& k, T) {
      k.face = across<T>(s, levels.first, batch, axis), k.power = power_;
      for (int d = 0; d < s.grid.dim; ++d) {
        const auto there = across<T>(s, levels.first, batch, d);
        k.waves.first[d] = sides[2 * d] ? there.first : Waves<T>::nowhere;
        k.waves.last[d] = sides[2 * d + 1] ? there.last : Waves<T>::nowhere;
      }
      for (std::size_t n = 0; n < batch.size(); ++n)
        for (const int side : {0, 1})
          k.waves.speed[n][side] = static_cast<real_of_t<T>>(batch[n].faces[2 * axis + side].speed);
    });
  }

  Conditions conditions_;
  unsigned faces_;  // bits
  int power_;
  KeptBoxes kept_;
  Variants<Radiate, detail::Dimensions, float, double, complex<float>, complex<double>> kernel_;
};
}  // namespace Boundary
