// Fills the points outside the domain: axis by axis over tangential ghosts too, so that every block computes edges and
// corners itself, with the same bits.
#pragma once
#include "conditions.hpp"
#include "kernels.hpp"
#include "variants.hpp"
namespace Boundary {
class OuterBoundary : public BoundaryConditions {
 public:
  explicit OuterBoundary(const Parameters& par)
      : conditions_(par),
        order_(static_cast<int>(par.integer("extrapolation_order"))) {}

  std::string missing(const Simulation& s, int group, int component) const override {
    const Faces faces = of(s, group, component);
    std::vector<std::string> open, thin, fixed, moving;
    for (const Level& l : s.grid.levels)
      for (int f = 0; f < 2 * s.grid.dim; ++f) {
        if (l.space.periodic[f / 2]) continue;
        if (faces[f].condition == Condition::none) add(open, face_names[f]);
        add(faces[f].condition == Condition::fixed ? fixed : moving, face_names[f]);
        for (int b = l.first_block; b < l.last_block; ++b)
          if (s.grid.blocks[b].outer(f / 2, f % 2) &&
              s.grid.blocks[b].cells.extent(f / 2) < cells_needed(faces[f].condition))
            add(thin, face_names[f]);
      }
    if (!open.empty())
      return "it has no condition at " + list(open) + "; give one to all variables, Boundary: {" + open.front() +
             ": neumann} (or all: neumann), or to this one, Boundary: {overrides: [\"" +
             s.variable_name(group, component) + " " + open.front() + " neumann\"]}";
    if (!fixed.empty() && !moving.empty())
      return "it is fixed at " + list(fixed) + ", but not at " + list(moving) +
             "; all outer faces of a variable are fixed, or none is";
    if (!thin.empty())
      return "the blocks at " + list(thin) + " are too thin: extrapolation reads " + std::to_string(order_ + 1) +
             " points, radiation 3; use fewer processes or a lower Boundary.extrapolation_order";
    return "";
  }

  bool constant(const Simulation& s, int group, int component) const override {
    const Faces faces = of(s, group, component);
    for (const Level& l : s.grid.levels)
      for (int f = 0; f < 2 * s.grid.dim; ++f)
        if (!l.space.periodic[f / 2] && faces[f].condition != Condition::fixed) return false;
    return true;
  }

  void apply(Simulation& s, std::span<const Ghosts> stale, Space space) override {
    const int level = stale.front().level;
    for (int axis = 0; axis < s.grid.dim; ++axis) {
      if (s.grid.levels[level].space.periodic[axis]) continue;
      for (int side = 0; side < 2; ++side)
        for (const auto& v : stale) fill(s, level, v, axis, side, space);
    }
  }

 private:
  Faces of(const Simulation& s, int group, int component) const {
    return conditions_.of(s.variable_name(group, component), s.groups[group].full_name());
  }
  int cells_needed(Condition c) const {
    return c == Condition::radiation ? std::max(order_ + 1, 3) : c == Condition::extrapolate ? order_ + 1 : 1;
  }
  static void add(std::vector<std::string>& list, const char* face) {
    if (std::find(list.begin(), list.end(), face) == list.end()) list.push_back(face);
  }
  static std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& w : words) text += (text.empty() ? "" : ", ") + w;
    return text;
  }

  void fill(Simulation& s, int level, const Ghosts& v, int axis, int side, Space space) {
    const Face face = of(s, v.group, v.component)[2 * axis + side];
    const Group& group = s.groups[v.group];
    const Level& l = s.grid.levels[level];
    const bool vertex = group.centre[axis] == Centre::vertex;
    // The outermost interior point; and the sum of the indices of a point and its mirror image.
    const int first = side ? l.space.cells.hi[axis] - (vertex ? 0 : 1) : l.space.cells.lo[axis];
    const int mirror = vertex ? 2 * first : side ? 2 * first + 1 : 2 * first - 1;
    const VariableAccess access[] = {{v.group, v.component, v.timelevel, Mode::update, Region::boundary}};

    const int sign = face.condition == Condition::reflect     ? parity(group, v.component, axis)
                     : face.condition == Condition::dirichlet ? -1
                                                              : 1;
    switch (face.condition) {
      case Condition::none: return;
      case Condition::fixed: return keep(s, level, v, axis, side, space);
      case Condition::extrapolate:
      case Condition::radiation:
        return extrapolate_.launch(s, level, 3, space, access, outside(s, level, group, axis, side),
            [&](auto& k, auto) { k.axis = axis, k.first = first, k.inward = side ? -1 : 1, k.order = order_; });
      default:
        mirror_.launch(s, level, 3, space, access, outside(s, level, group, axis, side), [&]<class T>(auto& k, T) {
          k.axis = axis, k.mirror = mirror, k.sign = static_cast<real_of_t<T>>(sign);
          k.shifted = face.condition == Condition::dirichlet, k.shift = number<T>(2 * face.value);
        });
        // A vertex on the face is its own image: an odd variable vanishes there, and Dirichlet's value is known.
        if (vertex && sign < 0)
          fill_.launch(s, level, 3, space, access, plane(s, level, group, axis, first), [&]<class T>(auto& k, T) {
            k.value = number<T>(face.condition == Condition::dirichlet ? face.value : 0);
          });
    }
  }

  // From another buffer of the variable, which still has them. Along a ghost zone they come with the face across it.
  void keep(Simulation& s, int level, const Ghosts& v, int axis, int side, Space space) {
    const auto has = [&](int buffer) {
      return buffer != v.timelevel &&
             (s.fields.validity(v.group, v.component, buffer, level)[space].boundary >> (2 * axis + side) & 1);
    };
    int from = 0;
    while (from < s.fields.buffers(v.group) && !has(from)) ++from;
    if (from == s.fields.buffers(v.group))
      throw Failure(s.variable_name(v.group, v.component) + " keeps its values at " + face_names[2 * axis + side] +
                    ", but has none there: initial data must be written everywhere");
    const VariableAccess access[] = {
        {v.group, v.component, from}, {v.group, v.component, v.timelevel, Mode::write, Region::boundary}};
    keep_.launch(s, level, 3, space, access, outside(s, level, s.groups[v.group], axis, side), [](auto&, auto) {});
  }

  template <class T> static T number(double x) {
    if constexpr (requires(T c) { c.re; }) return {static_cast<real_of_t<T>>(x), 0};
    else return static_cast<T>(x);
  }
  static Boxes outside(const Simulation& s, int level, const Group& group, int axis, int side) {
    Boxes boxes;
    const Level& l = s.grid.levels[level];
    for (int b = l.first_block; b < l.last_block; ++b)
      if (const Box box = s.grid.boundary(s.grid.blocks[b], group.centre, axis, side); !box.empty())
        boxes.push_back({b, box});
    return boxes;
  }
  // The vertices on the face, also where a block sees them only in its ghost zone.
  static Boxes plane(const Simulation& s, int level, const Group& group, int axis, int index) {
    Boxes boxes;
    const Level& l = s.grid.levels[level];
    for (int b = l.first_block; b < l.last_block; ++b) {
      Box box = s.grid.everywhere(s.grid.blocks[b], group.centre);
      if (index < box.lo[axis] || index >= box.hi[axis]) continue;
      box.lo[axis] = index, box.hi[axis] = index + 1;
      boxes.push_back({b, box});
    }
    return boxes;
  }

  Conditions conditions_;
  int order_;
  // These kernels do not look at the dimension: the one for three serves all.
  template <template <int, class> class K>
  using AnyType = Variants<K, detail::ints<3>, float, double, complex<float>, complex<double>, std::int32_t>;
  AnyType<Fill> fill_;
  AnyType<Keep> keep_;
  AnyType<Mirror> mirror_;
  AnyType<Extrapolate> extrapolate_;
};
}  // namespace Boundary
