// A ghost zone off a face, an edge or a corner lies in one place of the level: in a leaf, in a part of a coarser one,
// or in a place whose leaves are finer.
#include "plan.hpp"

#include <omp.h>

#include <cereus/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "near.hpp"
#include "parallel.hpp"

namespace Forest {
namespace {
int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
int ceil_div(int a, int b) { return -floor_div(-a, b); }

class Planner {
 public:
  Planner(const Place& p, int level, const Centring& c, int depth, int order, int rank)
      : p_(p),
        level_(level),
        centre_(c),
        depth_(depth),
        order_(order),
        rank_(rank) {
    plan_.cells = c[0] == Centre::cell;
    for (int l = 0; l <= std::max(level, p.leaves.levels()) + 1; ++l) patches_.push_back(p.patch(l));
  }

  // The points of a leaf of another forest.
  void add_new(const Leaf& target) {
    level_ = target.level, target_ = &target, direction_ = {}, prolongation_ = -1;
    const Box to = points(target);
    parent_ = p_.leaves.find(level_ - 1, coarser(target.at));
    return parent_ ? prolong(to, itself, reach(*parent_)) : gather(level_, to);
  }
  // The points of a covered block, from the blocks that cover it.
  void add_covered(const Leaf& target) {
    target_ = &target, direction_ = {}, prolongation_ = -1;
    const Index first{2 * target.at[0], 2 * target.at[1], dim() == 3 ? 2 * target.at[2] : 0};
    for_each_point(Box{first, {first[0] + 2, first[1] + 2, dim() == 3 ? first[2] + 2 : 1}}, [&](int i, int j, int k) {
      move(target.level, *p_.leaves.block(target.level + 1, {i, j, k}), points(target), {}, 0);
    });
  }

  void add(const Leaf& target, const Index& direction) {
    Index beside = target.at;
    for (int d = 0; d < 3; ++d) beside[d] += direction[d];
    if (!p_.leaves.inside(level_, beside)) return;  // a boundary condition's
    const Box there = towards(direction);
    if (p_.leaves.find(level_ - 1, coarser(beside))) return coarse_.push_back(there);
    target_ = &target, direction_ = direction, prolongation_ = -1;
    gather(level_, ghosts(target, there));
  }
  // The ghost zones where the forest is coarser, of all directions that were added for the leaf. What lies side by side
  // is prolonged together: coarse points around both are needed once.
  void add_coarse(const Leaf& target) {
    for (const int axis : {2, 1, 0}) join(coarse_, axis);
    target_ = &target, direction_ = {};
    for (const Box& directions : coarse_)
      prolong(ghosts(target, directions), directions, patch(level_ - 1).points(centre_, dim()));
    coarse_.clear();
  }
  // All coarse points of a box, for a prolongation; nothing if some are not those of this process.
  std::vector<Move> sources(int prolongation, const Leaf& target, const Box& box) {
    target_ = &target, direction_ = {}, prolongation_ = prolongation, may_lack_ = true;
    gather_mirrored(target.level - 1, box, patch(target.level - 1).points(centre_, dim()), 0, 0);
    std::vector<Move> moves = std::exchange(plan_.moves, {});
    std::int64_t points = 0;
    for (const Move& m : moves) points += m.from == rank_ ? m.to.points() : 0;
    return points == box.points() ? moves : std::vector<Move>{};
  }
  Plan take() { return std::move(plan_); }

 private:
  int dim() const { return p_.leaves.dim(); }
  const cereus::Patch& patch(int level) const { return patches_[static_cast<std::size_t>(level)]; }
  Box points(const Leaf& leaf) const { return patch(leaf.level).points(p_.cells(leaf), centre_, dim()); }
  Index coarser(Index at) const {  // the place one level below that has a place
    for (int d = 0; d < dim(); ++d) at[d] = floor_div(at[d], 2);
    return at;
  }

  static Box towards(const Index& direction) {
    Box box{direction, direction};
    for (int d = 0; d < 3; ++d) ++box.hi[d];
    return box;
  }
  // Boxes that follow each other along an axis, and are alike across it, become one.
  static void join(std::vector<Box>& boxes, int axis) {
    const auto follows = [&](const Box& a, const Box& b) {
      bool alike = a.hi[axis] == b.lo[axis];
      for (int d = 0; d < 3; ++d) alike = alike && (d == axis || (a.lo[d] == b.lo[d] && a.hi[d] == b.hi[d]));
      return alike;
    };
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = a + 1; b < boxes.size();) {
        const bool after = follows(boxes[a], boxes[b]);
        if (!after && !follows(boxes[b], boxes[a])) {
          ++b;
          continue;
        }
        (after ? boxes[a].hi : boxes[a].lo)[axis] = (after ? boxes[b].hi : boxes[b].lo)[axis];
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(b));
        b = a + 1;
      }
  }
  Box ghosts(const Leaf& target, const Box& directions) const {
    const Box points = this->points(target);
    Box box = points;
    for (int d = 0; d < 3; ++d) {
      const int first = directions.lo[d], last = directions.hi[d] - 1;
      box.lo[d] = first < 0 ? points.lo[d] - depth_ : first == 0 ? points.lo[d] : points.hi[d];
      box.hi[d] = last > 0 ? points.hi[d] + depth_ : last == 0 ? points.hi[d] : points.lo[d];
    }
    return box;
  }
  // Axes that the grid lacks, then those across which the ghost zones are thin, come last, for they are taken first.
  std::array<int, 3> axes_of(const Box& directions) const {
    std::array<int, 3> axes{0, 1, 2};
    if (plan_.cells) return axes;
    const auto turn = [&](int d) {
      const bool thin = directions.hi[d] - directions.lo[d] == 1 && directions.lo[d] != 0;
      return d >= dim() ? 2 : thin ? 1 : 0;
    };
    std::ranges::stable_sort(axes, {}, turn);
    return axes;
  }

  // The points of a level that lie in a leaf or beside it; where the forest is coarser, in its ghost zones, of which a
  // vertex at the lower end has one less, as its mirror image has; and none where the domain ends.
  Box reach(const Leaf& leaf) const {
    Box around{{0, 0, 0}, {1, 1, 1}};
    for (int d = 0; d < dim(); ++d) around.lo[d] = -1, around.hi[d] = 2;
    Index below{p_.block, p_.block, p_.block}, above = below;
    for_each_point(around, [&](int i, int j, int k) {
      const Index direction{i, j, k}, beside{leaf.at[0] + i, leaf.at[1] + j, leaf.at[2] + k};
      const bool face = (i != 0) + (j != 0) + (k != 0) == 1, inside = p_.leaves.inside(leaf.level, beside);
      if (inside ? !p_.leaves.find(leaf.level - 1, coarser(beside)) : !face) return;
      for (int d = 0; d < dim(); ++d)
        if (int& reached = (direction[d] > 0 ? above : below)[d]; direction[d])
          reached = std::min(reached, !inside ? 0 : direction[d] > 0 || plan_.cells ? depth_ : depth_ - 1);
    });
    Box box = points(leaf);
    for (int d = 0; d < dim(); ++d) box.lo[d] -= below[d], box.hi[d] += above[d];
    return box;
  }

  // From points of the coarser level that lie in `within`, or, along a periodic axis that `within` fills, in an image.
  void prolong(const Box& to, const Box& directions, const Box& within) {
    const cereus::Patch& coarse = patch(level_ - 1);
    const Box domain = coarse.points(centre_, dim());
    Box from = to;
    for (int d = 0; d < dim(); ++d) {
      const int half = plan_.cells ? 1 : order_ / 2, more = plan_.cells ? 1 : half - 1;
      from.lo[d] = floor_div(to.lo[d], 2) - more, from.hi[d] = floor_div(to.hi[d] - 1, 2) + half + 1;
      if (coarse.periodic[d] && within.extent(d) == coarse.cells.extent(d)) continue;
      if (!mirrors(2 * d) || within.lo[d] > domain.lo[d]) from.lo[d] = std::max(from.lo[d], within.lo[d]);
      if (!mirrors(2 * d + 1) || within.hi[d] < domain.hi[d]) from.hi[d] = std::min(from.hi[d], within.hi[d]);
    }
    prolongation_ = -2;  // of another process
    if (target_->owner == rank_) {
      prolongation_ = static_cast<int>(plan_.prolongations.size());
      Prolongation& p = plan_.prolongations.emplace_back(
          Prolongation{level_, target_->number, to, from, directions, axes_of(directions), {}, from, -1, {}, {}});
      for (int d = 0; d < dim() && !plan_.cells; ++d)
        p.along[d] = along(to.lo[d] - 2 * from.lo[d], to.extent(d), from.extent(d));
    }
    gather_mirrored(level_ - 1, from, domain, 0, 0);
  }
  // What is alike but for the place is made once.
  std::shared_ptr<const Interpolation> along(int first, int fine, int coarse) {
    auto& known = along_[{first, fine, coarse}];
    if (!known) known = std::make_shared<Interpolation>(interpolation(first, first + fine, 0, coarse, order_));
    return known;
  }
  bool mirrors(int face) const { return p_.mirrors >> face & 1; }

  // The part of a box within the domain, and those beyond faces with mirrors, by axes from `axis` on.
  void gather_mirrored(int level, const Box& box, const Box& domain, int axis, unsigned mirrored) {
    if (axis == dim()) return gather(level, box, mirrored);
    Box part = box;
    if (mirrors(2 * axis)) part.lo[axis] = std::max(part.lo[axis], domain.lo[axis]);
    if (mirrors(2 * axis + 1)) part.hi[axis] = std::min(part.hi[axis], domain.hi[axis]);
    gather_mirrored(level, part, domain, axis + 1, mirrored);
    Box below = box, above = box;
    below.hi[axis] = part.lo[axis], above.lo[axis] = part.hi[axis];
    for (const Box& beyond : {below, above})
      if (!beyond.empty()) gather_mirrored(level, beyond, domain, axis + 1, mirrored | 1U << axis);
  }

  // Points of a level from the leaves that have them, which may be finer; along mirrored axes from their images.
  void gather(int level, Box box, unsigned mirrored = 0) {
    const Box wanted = box;
    Index sum{};
    for (int d = 0; d < dim(); ++d) {
      if (!(mirrored >> d & 1)) continue;
      const Box& cells = patch(level).cells;
      sum[d] = 2 * (wanted.lo[d] < cells.lo[d] ? cells.lo[d] : cells.hi[d]) - plan_.cells;
      box.lo[d] = sum[d] - wanted.hi[d] + 1, box.hi[d] = sum[d] - wanted.lo[d] + 1;
    }
    const Index blocks = p_.leaves.blocks(level);
    Box places;
    for (int d = 0; d < 3; ++d) {
      const int side = d < dim() ? p_.block : 1;
      places.lo[d] = floor_div(box.lo[d], side), places.hi[d] = floor_div(box.hi[d] - 1, side) + 1;
      if (!p_.space.periodic[d]) places.hi[d] = std::min(places.hi[d], blocks[d]);  // a vertex at the upper end
      if (!p_.space.periodic[d]) places.lo[d] = std::min(places.lo[d], blocks[d] - 1);
    }
    for_each_point(places, [&](int i, int j, int k) {
      const Index at{i, j, k};
      Index shift = sum;
      for (int d = 0; d < dim(); ++d)
        if (p_.space.periodic[d]) shift[d] = floor_div(at[d], blocks[d]) * blocks[d] * p_.block;
      const auto take = [&](const Leaf& source) { move(level, source, wanted, shift, mirrored); };
      const Leaf* const block = p_.leaves.block(level, at);
      if (block) take(*block);
      else if (parent_ && p_.leaves.find(level - 1, coarser(at)))
        move(level, *parent_, points({.level = level, .at = at}), wanted, sum, mirrored);
      else p_.leaves.for_each_at(level, at, take);
    });
  }

  void move(int level, const Leaf& source, const Box& box, const Index& shift, unsigned mirrored) {
    move(level, source, points(source), box, shift, mirrored);
  }
  // Those of a box of the source's level, which may be in the source's ghost zones.
  void move(int level, const Leaf& source, const Box& points, const Box& box, const Index& shift, unsigned mirrored) {
    if (source.level < level && may_lack_) return;
    if (source.level < level) throw cereus::Failure("Forest: a prolongation reads two levels below its target");
    if (source.owner != rank_ && target_->owner != rank_) return;
    Move m{.level = source.level,
        .source = source.number,
        .from = source.owner,
        .target_level = target_->level,
        .target = target_->number,
        .to_rank = target_->owner,
        .prolongation = prolongation_,
        .to = {},
        .step = 1 << (source.level - level),
        .shift = shift,
        .direction = direction_,
        .mirrored = mirrored};
    for (int d = 0; d < 3; ++d) {
      const int step = d < dim() ? m.step : 1;
      const int lo = ceil_div(points.lo[d], step), hi = ceil_div(points.hi[d], step);
      const bool mirror = mirrored >> d & 1;
      m.to.lo[d] = mirror ? shift[d] - hi + 1 : lo + shift[d], m.to.hi[d] = mirror ? shift[d] - lo + 1 : hi + shift[d];
    }
    m.to = intersect(m.to, box);
    if (!m.to.empty()) plan_.moves.push_back(m);
  }

  const Place& p_;
  int level_;
  const Centring& centre_;
  int depth_, order_, rank_;
  Plan plan_;
  std::vector<cereus::Patch> patches_;                                        // by level
  std::map<std::array<int, 3>, std::shared_ptr<const Interpolation>> along_;  // by what `along` is asked for
  const Leaf* target_ = nullptr;                                              // the ghost zones that are planned now
  const Leaf* parent_ = nullptr;  // the leaf of another forest where the target is, if that is coarser
  Index direction_{};
  int prolongation_ = -1;
  bool may_lack_ = false;    // points of the level: where the forest is coarser
  std::vector<Box> coarse_;  // of directions
  static constexpr Box itself{{0, 0, 0}, {1, 1, 1}};
};

// Plans for the targets of a list beside each other; the plan is that of one after the other.
template <class F> Plan plan_all(const Planner& planner, const std::vector<const Leaf*>& targets, F&& add) {
  constexpr std::size_t few = 16;  // for a thread
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  std::vector<Plan> parts(std::clamp<std::size_t>(targets.size() / few, 1, threads));
  in_parallel(parts.size(), [&](std::size_t n) {
    Planner mine = planner;
    const std::size_t end = targets.size() * (n + 1) / parts.size();
    for (std::size_t t = targets.size() * n / parts.size(); t < end; ++t) add(mine, *targets[t]);
    parts[n] = mine.take();
  });
  Plan all = std::move(parts[0]);
  for (std::size_t n = 1; n < parts.size(); ++n) all.add(std::move(parts[n]));
  return all;
}
}  // namespace

Box Place::cells(const Leaf& leaf) const {
  Box box{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < leaves.dim(); ++d) box.lo[d] = leaf.at[d] * block, box.hi[d] = box.lo[d] + block;
  return box;
}
Box Place::points(const Leaf& leaf, const Centring& centre) const {
  return patch(leaf.level).points(cells(leaf), centre, leaves.dim());
}

int axis_of(const Move& m) {
  if (std::ranges::count(m.direction, 0) != 2) return -1;
  return m.direction[0] ? 0 : m.direction[1] ? 1 : 2;
}
bool is_filled(const Move& m, unsigned axes, int rank) {
  const int d = axis_of(m);
  return d >= 0 && (axes >> d & 1) && m.from == rank && m.to_rank == rank && m.level == m.target_level &&
         m.prolongation == -1;
}

void Plan::add(Plan&& other) {
  const int before = static_cast<int>(prolongations.size());
  for (Move& m : other.moves)
    if (m.prolongation >= 0) m.prolongation += before;
  for (Prolongation& p : other.prolongations)
    if (p.shares >= 0) p.shares += before;
  cells = other.cells;
  moves.insert(moves.end(), other.moves.begin(), other.moves.end());
  std::ranges::move(other.prolongations, std::back_inserter(prolongations));
}

std::vector<Move> sources_of(
    const Place& p, const Centring& c, int rank, int prolongation, const Leaf& target, const Box& box) {
  return Planner(p, target.level, c, 0, 0, rank).sources(prolongation, target, box);
}

Plan make_plan(const Place& p, int level, const Centring& c, int depth, bool corners, unsigned axes, int order,
    int rank, const Leaves* next) {
  const Planner planner(p, level, c, depth, order, rank);
  Box around{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < p.leaves.dim(); ++d)
    if (axes >> d & 1) around.lo[d] = -1, around.hi[d] = 2;
  std::vector<const Leaf*> targets;
  for (const auto& [number, target] : targets_near(p.leaves, level, rank))
    if (!next || next->has_split(*target)) targets.push_back(target);
  return plan_all(planner, targets, [&](Planner& mine, const Leaf& target) {
    for_each_point(around, [&](int i, int j, int k) {
      const int off = (i != 0) + (j != 0) + (k != 0);
      if (off == 1 || (off > 1 && corners)) mine.add(target, {i, j, k});
    });
    mine.add_coarse(target);
  });
}

Plan plan_of_change(const Place& before, const Leaves& now, const Centring& c, int depth, int order, int rank) {
  const Planner planner(before, now.levels(), c, depth, std::min(order, 2 * depth + 2), rank);
  std::vector<const Leaf*> fresh;
  for (int l = 0; l < now.levels(); ++l)
    for (const Leaf& leaf : now.of_level(l))
      if (const Leaf* old = before.leaves.block(l, leaf.at); !old || old->owner != leaf.owner) fresh.push_back(&leaf);
  return plan_all(planner, fresh, [](Planner& mine, const Leaf& leaf) { mine.add_new(leaf); });
}

Plan plan_of_restriction(const Place& p, int level, const Centring& c, int rank) {
  Planner planner(p, level, c, 0, 0, rank);
  for (const Leaf& block : p.leaves.of_level(level))
    if (block.covered) planner.add_covered(block);
  return planner.take();
}

Interpolation interpolation(int lo, int hi, int from, int to, int order) {
  Interpolation result;
  const int points = std::min(order, to - from);
  for (int p = lo; p < hi; ++p) {
    const double x = p / 2.0;
    const auto at = static_cast<int>(std::floor(x));
    auto& weight = result.weight.emplace_back();
    if (x == at) {
      result.first.push_back(at - from), weight.push_back(1);
      continue;
    }
    const int first = std::clamp(at - points / 2 + 1, from, to - points);
    result.first.push_back(first - from);
    for (int n = 0; n < points; ++n) {
      double w = 1;
      for (int m = 0; m < points; ++m)
        if (m != n) w *= (x - (first + m)) / (n - m);
      weight.push_back(w);
    }
  }
  return result;
}
}  // namespace Forest
