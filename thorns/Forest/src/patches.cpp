// A ghost point beyond the end of a patch lies in another one: below a shell in the cube, else in the shell in whose
// sector it is. Its stencil there has points that the patch evolves alone: near the ends of the patch it moves inwards.
// Between shells, whose radii are the same, all places lie on a line of points: the stencil is one of a line
// (Thornburg, Class. Quantum Grav. 21 (2004) 743).
#include "patches.hpp"

#include <cereus/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace Forest {
using namespace cereus;
namespace {
struct OneBlock {  // a block of the cube or of a shell
  int level, number, owner;
  Box points;
};

class PatchPlanner {
 public:
  PatchPlanner(const Place& cube, const Shells& shells, int level, int depth, int rank)
      : cube_(cube),
        shells_(shells),
        level_(level),
        depth_(depth),
        rank_(rank),
        space_(patch(level)) {}

  // What lies in these directions from a block of the cube: nothing where the forest goes on.
  void add_to_cube(const Leaf& leaf, const Index& direction) {
    const Index beside{leaf.at[0] + direction[0], leaf.at[1] + direction[1], leaf.at[2] + direction[2]};
    if (!cube_.leaves.inside(0, beside))
      interpolate({0, leaf.number, leaf.owner, cube_.points(leaf, vertices)}, direction, false);
  }
  void add_to_shell(const ShellBlock& b, const Index& direction) {
    const int map = shells_.map_of(level_);
    const OneBlock target{level_, b.number, b.owner, shells_.points(map, b)};
    const Index beside{b.at[0] + direction[0], b.at[1] + direction[1], b.at[2] + direction[2]},
        n = shells_.blocks_along();
    if (beside[2] >= n[2]) return;  // a boundary condition's
    if (Box{{0, 0, 0}, n}.contains(beside)) copy(map, shells_.block(map, beside), target, direction);
    else interpolate(target, direction, beside[2] < 0);
  }
  Plan take() { return std::move(plan_); }

 private:
  static constexpr Centring vertices{};
  Patch patch(int level) const {
    return shells_.is_shell(level) ? shells_.patch(shells_.map_of(level)) : cube_.patch(level);
  }
  Box ghosts(const OneBlock& target, const Index& direction) const {
    Box box = target.points;
    for (int d = 0; d < 3; ++d) {
      if (direction[d] < 0) box.hi[d] = target.points.lo[d], box.lo[d] = box.hi[d] - depth_;
      if (direction[d] > 0) box.lo[d] = target.points.hi[d], box.hi[d] = box.lo[d] + depth_;
    }
    return box;
  }
  void copy(int map, const ShellBlock& source, const OneBlock& target, const Index& direction) {
    move({level_, source.number, source.owner, shells_.points(map, source)}, target, ghosts(target, direction), -1,
        direction);
  }
  void move(const OneBlock& source, const OneBlock& target, const Box& to, int prolongation, const Index& direction,
      int finer = 0) {
    if (source.owner != rank_ && target.owner != rank_) return;
    Move m{.level = source.level,
        .source = source.number,
        .from = source.owner,
        .target_level = target.level,
        .target = target.number,
        .to_rank = target.owner,
        .prolongation = prolongation,
        .to = intersect(source.points, to),
        .step = 1,
        .shift = {},
        .direction = direction};
    if (finer) {  // every so many points of a finer leaf of the cube
      m.step = 1 << finer;
      Box points;
      for (int d = 0; d < 3; ++d)
        points.lo[d] = (source.points.lo[d] + m.step - 1) / m.step,
        points.hi[d] = (source.points.hi[d] + m.step - 1) / m.step;
      m.to = intersect(points, to);
    }
    if (!m.to.empty()) plan_.moves.push_back(m);
  }

  // Ghost points of a block in one direction, by the level that has their places.
  void interpolate(const OneBlock& target, const Index& direction, bool below) {
    std::map<int, std::vector<Spot>> spots;
    for_each_point(ghosts(target, direction), [&](int i, int j, int k) {
      const auto x = space_.place({space_.coordinate(0, Centre::vertex, i), space_.coordinate(1, Centre::vertex, j),
          space_.coordinate(2, Centre::vertex, k)});
      const int donor = below ? 0 : shells_.level_of(shell_at(x));
      spots[donor].push_back(spot({i, j, k}, donor, vertex_at(patch(donor), x), target.owner == rank_));
    });
    for (auto& [donor, list] : spots) {
      Box from{{1 << 30, 1 << 30, 1 << 30}, {0, 0, 0}};
      for (const Spot& s : list)
        for (int d = 0; d < 3; ++d) {
          from.lo[d] = std::min(from.lo[d], s.first[d]);
          from.hi[d] = std::max(from.hi[d], s.first[d] + static_cast<int>(s.weight[d].size()));
        }
      int number = -2;  // of another process
      if (target.owner == rank_) {
        number = static_cast<int>(plan_.prolongations.size());
        Box towards{direction, direction};
        for (int& n : towards.hi) ++n;
        plan_.prolongations.push_back({target.level, target.number, ghosts(target, direction), from, towards, {0, 1, 2},
            {}, from, -1, std::move(list)});
      }
      gather(donor, from, target, number, direction);
    }
  }

  // `weighed`: whether it has weights; other processes need to know what it reads alone.
  Spot spot(const Index& to, int donor, const std::array<double, 3>& at, bool weighed) const {
    const Box points = patch(donor).points(vertices, 3);
    Spot s{to, {}, {}};
    for (int d = 0; d < 3; ++d) {
      const int n = shells_.size().points, near = static_cast<int>(std::lround(at[d]));
      if (std::abs(at[d] - near) < 1e-9 && near >= points.lo[d] && near < points.hi[d]) {
        s.first[d] = near, s.weight[d] = {1};
        continue;
      }
      if (at[d] < points.lo[d] - 1e-9 || at[d] > points.hi[d] - 1 + 1e-9)
        throw Failure("Forest: a ghost point of a patch lies in no other one");
      s.first[d] = std::clamp(static_cast<int>(std::floor(at[d])) - n / 2 + 1, points.lo[d], points.hi[d] - n);
      s.weight[d] = weighed ? weights(at[d] - s.first[d], n) : std::vector<double>(static_cast<std::size_t>(n));
    }
    return s;
  }
  // Lagrange's, of points 0 … n − 1 for a place between them.
  static std::vector<double> weights(double at, int n) {
    std::vector<double> list;
    for (int i = 0; i < n; ++i) {
      double w = 1;
      for (int m = 0; m < n; ++m)
        if (m != i) w *= (at - m) / (i - m);
      list.push_back(w);
    }
    return list;
  }

  void gather(int donor, const Box& from, const OneBlock& target, int number, const Index& direction) {
    const int block = shells_.size().block;
    Box places;
    for (int d = 0; d < 3; ++d) places.lo[d] = from.lo[d] / block, places.hi[d] = (from.hi[d] - 1) / block + 1;
    const Index last = donor == 0 ? cube_.leaves.blocks(0) : shells_.blocks_along();
    for (int d = 0; d < 3; ++d) places.hi[d] = std::min(places.hi[d], last[d]);  // a vertex at the upper end
    for (int d = 0; d < 3; ++d) places.lo[d] = std::min(places.lo[d], last[d] - 1);
    for_each_point(places, [&](int i, int j, int k) {
      if (donor == 0) {
        const auto take = [&](const Leaf& leaf) {
          move({leaf.level, leaf.number, leaf.owner, cube_.points(leaf, vertices)}, target, from, number, direction,
              leaf.level);
        };
        if (cube_.leaves.keeps_covered()) take(*cube_.leaves.block(0, {i, j, k}));  // finer ones are at other times
        else cube_.leaves.for_each_at(0, {i, j, k}, take);
      } else {
        const int map = shells_.map_of(donor);
        const ShellBlock& b = shells_.block(map, {i, j, k});
        move({donor, b.number, b.owner, shells_.points(map, b)}, target, from, number, direction);
      }
    });
  }

  const Place& cube_;
  const Shells& shells_;
  int level_, depth_, rank_;
  Patch space_;  // of the level
  Plan plan_;
};
}  // namespace

Plan make_plan(const Place& p, const Shells* shells, int level, const Centring& c, int depth, bool corners,
    unsigned axes, int order, int rank, const Leaves* next) {
  const bool is_shell = shells && shells->is_shell(level);
  Plan plan;
  if (!is_shell) plan = make_plan(p, level, c, depth, corners, axes, order, rank, next);
  if (!shells || next || (level > 0 && !is_shell)) return plan;  // leaves beside shells are not split
  PatchPlanner planner(p, *shells, level, depth, rank);
  Box around{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < 3; ++d)
    if (axes >> d & 1) around.lo[d] = -1, around.hi[d] = 2;
  const auto each = [&](const auto& blocks, auto add) {
    for (const auto& b : blocks)
      for_each_point(around, [&](int i, int j, int k) {
        const int off = (i != 0) + (j != 0) + (k != 0);
        if (off == 1 || (off > 1 && corners)) add(b, Index{i, j, k});
      });
  };
  if (is_shell)
    each(shells->blocks(shells->map_of(level)),
        [&](const ShellBlock& b, const Index& d) { planner.add_to_shell(b, d); });
  else each(p.leaves.of_level(0), [&](const Leaf& leaf, const Index& d) { planner.add_to_cube(leaf, d); });
  plan.add(planner.take());
  return plan;
}
}  // namespace Forest
