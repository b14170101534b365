// The radiation condition on right-hand sides: replaces them on the outermost layer of interior points, faces, edges
// and corners each with its own outward direction.
#pragma once
#include "conditions.hpp"
#include "kernels.hpp"
#include "variants.hpp"
namespace Boundary {
inline bool radiates(const Conditions& c) {
  const auto yes = [](const Face& f) { return f.condition == Condition::radiation; };
  return std::any_of(c.defaults().begin(), c.defaults().end(), yes) ||
         std::any_of(c.overrides().begin(), c.overrides().end(),
             [&](const Override& o) { return o.condition == Condition::radiation; });
}

inline Faces faces_of(const Simulation& s, const Conditions& c, int group, int component) {
  const Group& g = s.groups[group];
  Outgoing o;
  if (!g.outgoing.empty()) o = g.outgoing[component];
  return c.of(s.variable_name(group, component), g.full_name(), o.far,
      o.speed ? std::optional(o.speed(s.of(g.thorn))) : std::nullopt);
}

class Radiation {
 public:
  explicit Radiation(const Parameters& par)
      : conditions_(par),
        power_(static_cast<int>(par.integer("radiation_power"))) {}

  void operator()(Context& c) {
    Simulation& s = c.simulation();
    for (const auto& rhs : c.accesses()) {
      if (rhs.mode != Mode::update || s.groups[rhs.group].kind != GroupKind::grid_function) continue;
      const int state = s.groups[rhs.group].evolves;
      const Faces faces = faces_of(s, conditions_, state, rhs.component);
      for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x)
            if (const Outward out{{x, y, z}}; applies(s, c.level(), faces, out))
              run(s, c.level(), rhs, state, faces, out);
    }
  }

 private:
  static bool radiating(const Level& l, const Faces& faces, int axis, int side) {
    return !l.space.periodic[axis] && faces[2 * axis + side].condition == Condition::radiation;
  }
  static bool applies(const Simulation& s, int level, const Faces& faces, const Outward& out) {
    bool any = false;
    for (int d = 0; d < 3; ++d) {
      if (out.n[d] == 0) continue;
      if (d >= s.grid.dim || !radiating(s.grid.levels[level], faces, d, out.n[d] > 0)) return false;
      any = true;
    }
    return any;
  }
  // The outermost points in this direction: planes that radiate belong to the edges and corners of directions that say
  // so.
  static Box layer(const Simulation& s, int level, int block, const Group& g, const Faces& faces, const Outward& out) {
    const Level& l = s.grid.levels[level];
    const Block& b = s.grid.blocks[block];
    Box box = s.grid.points(b, g.centre);
    for (int d = 0; d < s.grid.dim; ++d) {
      const bool low = b.outer(d, 0) && radiating(l, faces, d, 0);
      const bool high = b.outer(d, 1) && radiating(l, faces, d, 1);
      if (out.n[d] < 0) box.hi[d] = low ? box.lo[d] + 1 : box.lo[d];
      else if (out.n[d] > 0) box.lo[d] = high ? box.hi[d] - 1 : box.hi[d];
      else box.lo[d] += low, box.hi[d] -= high;
    }
    return box;
  }
  void run(Simulation& s, int level, const VariableAccess& rhs, int state, const Faces& faces, const Outward& out) {
    Boxes boxes;
    for (int b = s.grid.levels[level].first_block; b < s.grid.levels[level].last_block; ++b)
      if (const Box box = layer(s, level, b, s.groups[rhs.group], faces, out); !box.empty()) boxes.push_back({b, box});
    // At an edge or a corner faces may disagree on the wave; the first of them decides.
    int face = 0;
    while (out.n[face / 2] == 0 || (out.n[face / 2] > 0) != (face % 2 == 1)) ++face;
    const VariableAccess handles[] = {{state, rhs.component, 0, Mode::read, Region::interior, 2, true}, rhs};
    kernel_.launch(s, level, s.grid.dim, kernel_space(s), handles, boxes, [&]<class T>(auto& k, T) {
      using Real = real_of_t<T>;
      k.out = out, k.power = power_, k.speed = static_cast<Real>(faces[face].speed);
      if constexpr (requires(T c) { c.re; }) k.value = {static_cast<Real>(faces[face].value), 0};
      else k.value = static_cast<Real>(faces[face].value);
    });
  }

  Conditions conditions_;
  int power_;
  Variants<Radiate, detail::Dimensions, float, double, complex<float>, complex<double>> kernel_;
};
}  // namespace Boundary
