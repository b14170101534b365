// A ghost point beyond the end of a patch lies in another one: below a shell in the cube, else in the shell in whose
// sector it is. What it is interpolated from (crossing.hpp) are points that the other patch evolves alone.
#include "patches.hpp"

#include <algorithm>
#include <set>

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
    const Box zone = ghosts(target, direction);
    std::set<int> donors;
    if (below) donors.insert(0);
    else
      for_each_point(zone, [&](int i, int j, int k) {
        donors.insert(shells_.level_of(shell_at(space_.place(std::array<Centre, 3>{}, {i, j, k}))));
      });
    for (const int donor : donors) {
      auto crossing = std::make_shared<Crossing>(
          make_crossing(space_, patch(donor), zone, shells_.size().points, target.owner == rank_));
      const Box from = crossing->reads;
      Donors there = donors_at(donor, from, target.owner);
      int number = -2;  // of another process
      if (target.owner == rank_) {
        number = static_cast<int>(plan_.prolongations.size());
        Box towards{direction, direction};
        for (int& n : towards.hi) ++n;
        plan_.prolongations.push_back({.level = target.level,
            .target = target.number,
            .to = zone,
            .from = from,
            .directions = towards,
            .along = {},
            .gathered = there.numbers.empty() ? from : Box{},
            .crossing = std::move(crossing),
            .donors = there});
      }
      if (there.numbers.empty()) gather(there, from, target, number, direction);
    }
  }

  // Where points of a patch lie; with the numbers of the blocks if all belong to a process and a line of points of an
  // interpolation crosses from one to another once at most.
  Donors donors_at(int donor, const Box& from, int owner) const {
    const int block = shells_.size().block;
    const Index last = donor == 0 ? cube_.leaves.blocks(0) : shells_.blocks_along();
    Donors there{donor, block, {}, {}};
    for (int d = 0; d < 3; ++d) {  // a vertex at the upper end is the last block's
      there.places.lo[d] = std::min(from.lo[d] / block, last[d] - 1);
      there.places.hi[d] = std::min((from.hi[d] - 1) / block + 1, last[d]);
    }
    bool direct = shells_.size().points <= block;
    for_each_point(there.places, [&](int i, int j, int k) {
      const OneBlock b = block_at(donor, {i, j, k});
      direct = direct && b.number >= 0 && b.owner == owner;
      there.numbers.push_back(b.number);
    });
    if (!direct) there.numbers.clear();
    return there;
  }
  // Of level 0 or a shell; where finer leaves take its place, without a number.
  OneBlock block_at(int donor, const Index& at) const {
    if (donor > 0) {
      const ShellBlock& b = shells_.block(shells_.map_of(donor), at);
      return {donor, b.number, b.owner, shells_.points(shells_.map_of(donor), b)};
    }
    const Leaf* const leaf = cube_.leaves.block(0, at);
    if (!leaf) return {0, -1, -1, {}};
    return {0, leaf->number, leaf->owner, cube_.points(*leaf, vertices)};
  }
  void gather(const Donors& there, const Box& from, const OneBlock& target, int number, const Index& direction) {
    for_each_point(there.places, [&](int i, int j, int k) {
      if (const OneBlock b = block_at(there.level, {i, j, k}); b.number >= 0)  // finer ones are at other times
        return move(b, target, from, number, direction);
      cube_.leaves.for_each_at(0, {i, j, k}, [&](const Leaf& leaf) {
        move({leaf.level, leaf.number, leaf.owner, cube_.points(leaf, vertices)}, target, from, number, direction,
            leaf.level);
      });
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
