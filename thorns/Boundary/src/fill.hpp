// Fills the points outside the domain: axis by axis over tangential ghosts too, so that every block computes edges and
// corners itself, with the same bits.
#pragma once
#include <mutex>

#include "batch.hpp"
#include "formula.hpp"
#include "kept.hpp"
#include "variants.hpp"
namespace Boundary {
class OuterBoundary : public BoundaryConditions {
 public:
  explicit OuterBoundary(const Parameters& par)
      : conditions_(par),
        asked_(static_cast<int>(par.integer("extrapolation_order"))) {}

  std::string missing(const Simulation& s, int group, int component) const override {
    const Faces faces = of(s, group, component);
    std::vector<std::string> open, thin, fixed, moving, aside;
    int most = 0;  // points that a thin block would need
    for (const Level& l : s.grid.levels)
      for (int f = 0; f < 2 * s.grid.dim; ++f) {
        if (!(s.grid.outer_faces(l) >> f & 1)) continue;
        if (faces[f].condition == Condition::none) add(open, face_names[f]);
        add(faces[f].condition == Condition::fixed ? fixed : moving, face_names[f]);
        if (faces[f].condition == Condition::reflect && l.space.map)
          return "`reflect` at the round end of a ball is no mirror; take neumann";
        if (faces[f].condition == Condition::reflect && l.space.stretched(f / 2) && !lies_at_0(l.space, f))
          add(aside, face_names[f]);
        for (int b = l.first_block; b < l.last_block; ++b)
          if (s.grid.blocks[b].outer(f / 2, f % 2) &&
              s.grid.blocks[b].cells.extent(f / 2) < cells_needed(faces[f].condition))
            add(thin, face_names[f]), most = std::max(most, cells_needed(faces[f].condition));
      }
    if (!open.empty())
      return "it has no condition at " + list(open) + "; give one to all variables, Boundary: {" + open.front() +
             ": neumann} (or all: neumann), or to this one, Boundary: {overrides: [\"" +
             s.variable_name(group, component) + " " + open.front() + " neumann\"]}";
    if (!fixed.empty() && !moving.empty())
      return "it is fixed at " + list(fixed) + ", but not at " + list(moving) +
             "; all outer faces of a variable are fixed, or none is";
    if (!aside.empty()) return "`reflect` at " + list(aside) + " is no mirror: a stretched axis has one at 0 alone";
    if (!thin.empty())
      return "the blocks at " + list(thin) + " are too thin: what lies outside follows from " + std::to_string(most) +
             " points; use fewer processes or a lower Boundary.extrapolation_order";
    return "";
  }

  int mirrors(const Simulation& s, int group, int component, int face) const override {
    const Face f = of(s, group, component)[face];
    switch (f.condition) {
      case Condition::dirichlet: return -1;
      case Condition::neumann: return 1;
      case Condition::reflect: return parity(s.groups[group], component, face / 2);
      case Condition::formula: return mirrors_itself(s.groups[group], component, f.formula);
      default: return 0;
    }
  }

  bool reflects(const Simulation& s, int group, int component, int face) const override {
    return of(s, group, component)[face].condition == Condition::reflect;
  }

  bool constant(const Simulation& s, int group, int component) const override {
    const Faces faces = of(s, group, component);
    for (const Level& l : s.grid.levels)
      for (int f = 0; f < 2 * s.grid.dim; ++f)
        if (s.grid.outer_faces(l) >> f & 1 && faces[f].condition != Condition::fixed) return false;
    return true;
  }

  void apply(Simulation& s, std::span<const Ghosts> stale, Space space) override {
    const Selection levels{stale.front().level, stale.back().level + 1};  // several shells have the same faces
    std::vector<Variable> list;
    for (const Ghosts& v : stale.first(stale.size() / static_cast<std::size_t>(levels.last - levels.first)))
      list.push_back(
          {{v.group, v.component, v.timelevel, Mode::update, Region::boundary}, of(s, v.group, v.component)});
    for (int axis = 0; axis < s.grid.dim; ++axis) {
      const unsigned sides = unsigned{s.grid.outer_faces(s.grid.levels[levels.first])} >> (2 * axis) & 3;
      if (sides == 0) continue;
      const auto key = [&](const Variable& v) {
        const auto condition = [&](int side) { return v.faces[2 * axis + side].condition; };
        return std::tuple(s.type(v.access.group), s.groups[v.access.group].centre, condition(0), condition(1));
      };
      for_each_batch(list, key, [&](Batch batch) {
        const Faces& faces = batch[0].faces;
        if (sides == 3 && faces[2 * axis].condition == faces[2 * axis + 1].condition)
          return fill(s, levels, batch, axis, 3, space);
        for (const unsigned side : {1U, 2U})
          if (sides & side) fill(s, levels, batch, axis, side, space);
      });
    }
  }

 private:
  static bool lies_at_0(const Patch& p, int face) {
    const int axis = face / 2;
    const double X = p.lower[axis] + (face % 2 ? p.cells.extent(axis) * p.spacing[axis] : 0.0);
    return std::fabs(X) < 1e-9 * p.spacing[axis];
  }
  // Kept, because words are slow.
  Faces of(const Simulation& s, int group, int component) const {
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = faces_.try_emplace(s.variable_name(group, component));
    if (fresh) place->second = faces_of(s, conditions_, group, component);
    return place->second;
  }
  // Where nothing is asked for: a copy lets a gas or a wave leave without growth, higher degrees do not. At radiating
  // faces the outermost points have the condition, and derivatives next to them want the higher order.
  int order(Condition c) const { return asked_ >= 0 ? asked_ : c == Condition::radiation ? 3 : 0; }
  int cells_needed(Condition c) const {
    return c == Condition::radiation ? std::max(order(c) + 1, 3) : c == Condition::extrapolate ? order(c) + 1 : 1;
  }
  static void add(std::vector<std::string>& list, const char* face) {
    if (std::find(list.begin(), list.end(), face) == list.end()) list.push_back(face);
  }
  static std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& w : words) text += (text.empty() ? "" : ", ") + w;
    return text;
  }

  // Of a mirror image: −1 where the variable is odd.
  static int sign_of(const Simulation& s, const Variable& v, int axis, int side) {
    const Condition c = v.faces[2 * axis + side].condition;
    if (c == Condition::reflect) return parity(s.groups[v.access.group], v.access.component, axis);
    return c == Condition::dirichlet ? -1 : 1;
  }

  // Sets what lies beyond these sides (bits), which have one condition.
  void fill(Simulation& s, Selection levels, Batch batch, int axis, unsigned sides, Space space) {
    const Condition condition = batch[0].faces[2 * axis + first_of(sides)].condition;
    if (condition == Condition::none) return;
    if (condition == Condition::extrapolate || condition == Condition::radiation)
      return extrapolate(s, levels, batch, axis, sides, space, order(condition));
    for (int level = levels.first; level < levels.last; ++level)
      fill_level(s, level, batch, axis, sides, space, condition);
  }
  void extrapolate(Simulation& s, Selection levels, Batch batch, int axis, unsigned sides, Space space, int order) {
    std::vector<LevelBoxes> boxes;
    for (int level = levels.first; level < levels.last; ++level)
      boxes.push_back({level, &outside(s, level, s.groups[batch[0].access.group], axis, sides)});
    extrapolate_.launch(s, 3, space, handles_of(batch), boxes, [&]<class T>(auto& k, T) {
      k.face = across<T>(s, levels.first, batch, axis), k.order = order;
      for (int m = 0; m < k.weights.layers; ++m)
        for (int j = 0; j <= order; ++j)
          k.weights.of[m][j] = static_cast<real_of_t<T>>(extrapolation_weight(order, m + 1, j));
    });
  }
  void fill_level(Simulation& s, int level, Batch batch, int axis, unsigned sides, Space space, Condition condition) {
    const Group& group = s.groups[batch[0].access.group];
    const LaunchBoxes& boxes = outside(s, level, group, axis, sides);
    switch (condition) {
      case Condition::fixed:
        for (const Variable& v : batch)
          for (const int side : {0, 1})
            if (sides >> side & 1) keep(s, level, v.access, axis, side, space);
        return;
      case Condition::formula:
        for (const Variable& v : batch)
          for (const int side : {0, 1})
            if (sides >> side & 1)
              formulas_.fill(s, level, v, axis, side, space, outside(s, level, group, axis, 1U << side),
                  planes(s, level, group, axis, 1U << side));
        return;
      default: return mirror(s, level, batch, axis, sides, space, boxes);
    }
  }

  void mirror(
      Simulation& s, int level, Batch batch, int axis, unsigned sides, Space space, const LaunchBoxes& outside) {
    const Group& group = s.groups[batch[0].access.group];
    const bool vertex = group.centre[axis] == Centre::vertex;
    const auto face = across<double>(s, level, batch, axis);
    mirror_.launch(s, level, 3, space, handles_of(batch), outside, [&]<class T>(auto& k, T) {
      k.face = across<T>(s, level, batch, axis, 2);
      k.shifted = batch[0].faces[2 * axis + first_of(sides)].condition == Condition::dirichlet;
      k.low = 2 * face.first - (vertex ? 0 : 1), k.high = 2 * face.last + (vertex ? 0 : 1);
      for (std::size_t n = 0; n < batch.size(); ++n)
        k.sign.of[n] = static_cast<real_of_t<T>>(sign_of(s, batch[n], axis, first_of(sides)));
    });
    // A vertex on the face is its own image: an odd variable vanishes there, and Dirichlet's value is known.
    std::vector<Variable> odd;
    for (const Variable& v : batch)
      if (vertex && sign_of(s, v, axis, first_of(sides)) < 0) odd.push_back(v);
    if (odd.empty()) return;
    fill_.launch(s, level, 3, space, handles_of(Batch(odd)), planes(s, level, group, axis, sides),
        [&]<class T>(auto& k, T) { k.face = across<T>(s, level, Batch(odd), axis); });
  }

  // From another buffer of the variable, which still has them. Along a ghost zone they come with the face across it.
  void keep(Simulation& s, int level, const VariableAccess& v, int axis, int side, Space space) {
    const auto has = [&](int buffer) {
      return buffer != v.timelevel &&
             (s.fields.validity(v.group, v.component, buffer, level)[space].boundary >> (2 * axis + side) & 1);
    };
    int from = 0;
    while (from < s.fields.buffers(v.group) && !has(from)) ++from;
    if (from == s.fields.buffers(v.group))
      throw Failure(s.variable_name(v.group, v.component) + " keeps its values at " + face_names[2 * axis + side] +
                    ", but has none there: initial data must be written everywhere (Expressions.outside) for "
                    "Boundary's condition `fixed`; or take another condition");
    const VariableAccess access[] = {
        {v.group, v.component, from}, {v.group, v.component, v.timelevel, Mode::write, Region::boundary}};
    keep_.launch(
        s, level, 3, space, access, outside(s, level, s.groups[v.group], axis, 1U << side), [](auto&, auto) {});
  }

  static int first_of(unsigned sides) { return sides & 1 ? 0 : 1; }
  // Boxes of the blocks of a level at some sides of an axis: box(block, side), empty where there is none.
  template <class F>
  const LaunchBoxes& boxes_at(
      const Simulation& s, int level, const Group& group, int axis, unsigned sides, bool on_face, F&& box) {
    const unsigned what = static_cast<unsigned>(axis) << 3 | unsigned{on_face} << 2 | sides;
    return kept_.of(s, level, group.centre, what, [&] {
      Boxes boxes;
      const Level& l = s.grid.levels[level];
      for (const int side : {0, 1})
        for (int b = l.first_block; b < l.last_block; ++b)
          if (const Box found = sides >> side & 1 ? box(s.grid.blocks[b], side) : Box{}; !found.empty())
            boxes.push_back({b, found});
      return boxes;
    });
  }
  const LaunchBoxes& outside(const Simulation& s, int level, const Group& group, int axis, unsigned sides) {
    return boxes_at(s, level, group, axis, sides, false,
        [&](const Block& b, int side) { return s.grid.boundary(b, group.centre, axis, side); });
  }
  // The vertices on the faces, also where a block sees them only in its ghost zone.
  const LaunchBoxes& planes(const Simulation& s, int level, const Group& group, int axis, unsigned sides) {
    const Box& cells = s.grid.levels[level].space.cells;
    return boxes_at(s, level, group, axis, sides, true, [&](const Block& b, int side) {
      const int index = side ? cells.hi[axis] - (group.centre[axis] == Centre::vertex ? 0 : 1) : cells.lo[axis];
      Box box = s.grid.everywhere(b, group.centre);
      if (index < box.lo[axis] || index >= box.hi[axis]) return Box{};
      box.lo[axis] = index, box.hi[axis] = index + 1;
      return box;
    });
  }

  Conditions conditions_;
  KeptBoxes kept_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Faces> faces_;  // by variable
  int asked_;                                   // the degree of the polynomial, or −1
  // These kernels do not look at the dimension: the one for three serves all.
  template <template <int, class> class K>
  using AnyType = Variants<K, detail::ints<3>, float, double, complex<float>, complex<double>, std::int32_t>;
  AnyType<Fill> fill_;
  AnyType<Keep> keep_;
  AnyType<Mirror> mirror_;
  AnyType<Extrapolate> extrapolate_;
  FormulaFaces formulas_;
};
}  // namespace Boundary
