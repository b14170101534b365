// Random forests, and random changes of them: leaves fill the domain once, and differ by a level at most where they
// touch. The plan of an exchange fills every ghost point inside the domain once, that of a change every point of a new
// leaf; polynomials of the interpolation's degree are filled in exactly.
// CEREUS_FORESTS=N makes N forests for each test of leaves.
// The faces where levels meet have each part once. Where covered blocks are kept, all of them, too.
// Mutations seen to fail: balance by faces alone; a part joins alone; prolongations that are added keep the number of
// that whose points they share; places of a fine level beside all coarse blocks; targets in own blocks alone, not
// beside them; no balance after a change; joined leaves stay beside finer ones; faces of leaves two levels finer;
// images of cells that are those of vertices; ghost zones of one level left out before a change.
#include <cereus/routine.hpp>

#include "../src/faces.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace Forest {
namespace {
using cereus::grow;
using cereus::Patch;

struct Made {
  int dim = 2, block = 12;
  Patch space;
  Leaves leaves;
};

Made random_forest(std::mt19937& random, int dim, int processes, bool keeps_covered = false) {
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Index trees{1, 1, 1}, periodic{};
  Patch space;
  space.cells.hi = {1, 1, 1};
  for (int d = 0; d < dim; ++d) {
    trees[d] = 1 + up_to(3), periodic[d] = up_to(2);
    space.cells.hi[d] = 12 * trees[d], space.periodic[d] = periodic[d];
  }
  Leaves leaves(dim, trees, periodic, keeps_covered);
  for (int n = 0; n < 3; ++n) {
    const Index spot{up_to(64), up_to(64), up_to(64)};
    const int level = 1 + up_to(3);
    leaves.refine([&](const Leaf& l) {
      for (int d = 0; d < dim; ++d)
        if (spot[d] * trees[d] * (1 << l.level) / 64 != l.at[d]) return 0;
      return level;
    });
  }
  leaves.number(processes);
  return {dim, 12, space, std::move(leaves)};
}

// Also for covered blocks, where they are kept.
template <class F> void for_each_block(const Leaves& leaves, F&& f) {
  for (int l = 0; l < leaves.levels(); ++l)
    for (const Leaf& leaf : leaves.of_level(l)) f(leaf);
}
template <class F> void for_each_leaf(const Leaves& leaves, F&& f) {
  for_each_block(leaves, [&](const Leaf& leaf) {
    if (!leaf.covered) f(leaf);
  });
}

Box neighbours(int dim) {
  Box box{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < dim; ++d) box.lo[d] = -1, box.hi[d] = 2;
  return box;
}
Index operator+(const Index& a, const Index& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

void check_leaves(const Leaves& leaves) {
  double volume = 0;
  const Index trees = leaves.blocks(0);
  for_each_leaf(leaves, [&](const Leaf& leaf) {
    volume += std::pow(0.5, leaves.dim() * leaf.level);
    for_each_point(neighbours(leaves.dim()), [&](int i, int j, int k) {
      leaves.for_each_at(
          leaf.level, leaf.at + Index{i, j, k}, [&](const Leaf& other) { EXPECT_GE(other.level, leaf.level - 1); });
    });
  });
  EXPECT_EQ(volume, trees[0] * trees[1] * trees[2]);
  if (!leaves.keeps_covered()) return;
  // A covered block has all its parts, each a block; every block of a finer level has a parent.
  std::map<std::pair<int, Index>, int> parts;
  for_each_block(leaves, [&](const Leaf& b) {
    if (b.level > 0) ++parts[{b.level - 1, {b.at[0] >> 1, b.at[1] >> 1, leaves.dim() == 3 ? b.at[2] >> 1 : 0}}];
  });
  std::size_t covered = 0;
  for_each_block(leaves, [&](const Leaf& b) {
    covered += b.covered;
    EXPECT_EQ((parts.contains({b.level, b.at}) ? parts[{b.level, b.at}] : 0), b.covered ? 1 << leaves.dim() : 0);
  });
  EXPECT_EQ(parts.size(), covered);
}

int forests() {  // of each test of leaves
  const char* given = std::getenv("CEREUS_FORESTS");
  return given ? std::atoi(given) : 100;
}

TEST(Leaves, FillTheDomainAndAreBalanced) {
  std::mt19937 random(1);
  for (int n = 0; n < forests(); ++n) check_leaves(random_forest(random, 2 + n % 2, 3, n % 4 > 1).leaves);
}

// Leaves as a set, of which any that touches what is two levels finer is split, until none does.
using Set = std::set<std::pair<int, Index>>;
void split(Set& leaves, const std::pair<int, Index>& leaf, int dim) {
  leaves.erase(leaf);
  Box parts{{0, 0, 0}, {2, 2, dim == 3 ? 2 : 1}};
  for_each_point(parts, [&](int i, int j, int k) {
    leaves.insert({leaf.first + 1, {2 * leaf.second[0] + i, 2 * leaf.second[1] + j, 2 * leaf.second[2] + k}});
  });
}
Set balanced(Set leaves, const Leaves& domain) {
  for (bool changed = true; std::exchange(changed, false);)
    for (const auto& [level, at] : Set(leaves))
      for_each_point(neighbours(domain.dim()), [&, level = level, at = at](int i, int j, int k) {
        if (!domain.inside(level, at + Index{i, j, k})) return;
        Index beside = domain.wrapped(level, at + Index{i, j, k});
        for (int l = level; l >= 0; --l) {
          if (l < level - 1 && leaves.contains({l, beside})) split(leaves, {l, beside}, domain.dim()), changed = true;
          for (int& n : beside) n >>= 1;
        }
      });
  return leaves;
}
Set set_of(const Leaves& leaves) {
  Set set;
  for_each_leaf(leaves, [&](const Leaf& leaf) { set.insert({leaf.level, leaf.at}); });
  return set;
}

TEST(Leaves, AreThoseOfASetThatIsSplitUntilBalanced) {
  std::mt19937 random(5);
  for (int n = 0; n < forests(); ++n) {
    const Made m = random_forest(random, 2 + n % 2, 3);
    Set set = set_of(m.leaves);
    Leaves leaves = m.leaves;
    for (int change = 0; change < 3; ++change) {
      std::set<std::pair<int, Index>> wanted;
      for (const auto& leaf : set)
        if (leaf.first < 4 && random() % 16 == 0) wanted.insert(leaf);
      leaves.refine([&](const Leaf& l) { return l.level + static_cast<int>(wanted.contains({l.level, l.at})); });
      leaves.number(3);
      for (const auto& leaf : wanted) split(set, leaf, leaves.dim());
      set = balanced(set, leaves);
      ASSERT_EQ(set_of(leaves), set) << "forest " << n << ", change " << change;
    }
  }
}

// A few spots want finer leaves, and most others coarser ones.
Leaves changed(std::mt19937& random, const Leaves& before, int processes) {
  Leaves next = before;
  next.change(
      [&](const Leaf& l) { return random() % 8 == 0 && l.level < 4 ? l.level + 1 : l.level - (random() % 8 != 0); });
  next.number(processes, before.levels());
  return next;
}

TEST(Leaves, ChangeByALevelAndComeFromTheirText) {
  std::mt19937 random(3);
  for (int n = 0; n < forests(); ++n) {
    const Made m = random_forest(random, 2 + n % 2, 3, n % 4 > 1);
    const Leaves now = changed(random, m.leaves, 3);
    check_leaves(now);
    for_each_leaf(now, [&](const Leaf& leaf) {
      m.leaves.for_each_at(
          leaf.level, leaf.at, [&](const Leaf& old) { EXPECT_LE(std::abs(old.level - leaf.level), 1); });
    });
    Leaves again(now.dim(), now.blocks(0), m.space.periodic);
    again.read(now.text());
    again.number(2);
    EXPECT_EQ(again.text(), now.text());
    for_each_leaf(now, [&](const Leaf& leaf) { EXPECT_TRUE(again.find(leaf.level, leaf.at)); });
    EXPECT_EQ(again.count(), now.count());
    const std::string text = now.text();
    for (const std::size_t length : {text.size() - 1, text.size() / 2, text.find(':'), std::size_t{2}})
      EXPECT_THROW(again.read(text.substr(0, length)), cereus::Error) << text.substr(0, length);
  }
}

// A polynomial of the interpolation's degree along each axis that is not periodic; constant along the others.
double value(const Made& m, int level, const Index& at) {
  double product = 1;
  for (int d = 0; d < m.dim; ++d) {
    const double x = std::ldexp(at[d], -level) / 12;
    if (!m.space.periodic[d]) product *= 1 + x * (0.5 - x * (0.25 + 0.1 * x * x * x));
  }
  return product;
}

using Filled = std::map<int, std::map<Index, int>>;  // by leaf and point: how often
int number_of(int level, int leaf) { return level * 1000000 + leaf; }
const Centring vertices{};
constexpr int depth = 3, order = 6, processes = 3;

bool in_ghosts(const Place& place, const Leaf& leaf, const Index& at) {
  Box box = place.points(leaf, vertices);
  for (int d = 0; d < place.leaves.dim(); ++d) box.lo[d] -= depth, box.hi[d] += depth;
  return box.contains(at);
}
void note_moves(const Made& m, const Place& place, const Plan& plan, int rank, Filled& filled) {
  for (const Move& move : plan.moves) {
    if (move.to_rank != rank) continue;
    const Leaf& source = m.leaves.of_level(move.level)[static_cast<std::size_t>(move.source)];
    const int of = move.prolongation < 0 ? move.target_level : move.target_level - 1;
    for_each_point(move.to, [&](int i, int j, int k) {
      Index at{i, j, k};
      for (int d = 0; d < m.dim; ++d) at[d] = move.step * (at[d] - move.shift[d]);
      const bool of_parent = move.prolongation >= 0 && move.step == 1;  // whose ghost zones are read, too
      ASSERT_TRUE(place.points(source, vertices).contains(at) || (of_parent && in_ghosts(place, source, at)));
      EXPECT_NEAR(value(m, move.level, at), value(m, of, {i, j, k}), 1e-12);
      if (move.prolongation < 0) ++filled[number_of(move.target_level, move.target)][{i, j, k}];
    });
  }
}

void check_prolongation(const Made& m, const Prolongation& p, int level) {
  const auto& along = p.along;
  for_each_point(p.to, [&](int i, int j, int k) {
    const Index at{i, j, k};
    double found = 0;
    const std::function<void(int, double, Index)> add = [&](int d, double w, Index from) {
      if (d == m.dim) {
        found += w * value(m, level - 1, from);
        return;
      }
      const auto row = static_cast<std::size_t>(at[d] - p.to.lo[d]);
      for (std::size_t n = 0; n < along[d]->weight[row].size(); ++n) {
        from[d] = p.from.lo[d] + along[d]->first[row] + static_cast<int>(n);
        ASSERT_LT(from[d], p.from.hi[d]);
        add(d + 1, w * along[d]->weight[row][n], from);
      }
    };
    add(0, 1, {0, 0, 0});
    EXPECT_NEAR(found, value(m, level, at), 1e-11);
  });
}

void check_filled(const Made& m, const Place& place, int level, Filled& filled) {
  const Box domain = place.patch(level).points(vertices, m.dim);
  Index width{};
  for (int d = 0; d < m.dim; ++d) width[d] = depth;
  for (const Leaf& leaf : m.leaves.of_level(level)) {
    const Box own = place.points(leaf, vertices);
    for_each_point(grow(own, width), [&](int i, int j, int k) {
      const Index at{i, j, k};
      bool inside = !own.contains(at);
      for (int d = 0; d < m.dim; ++d)
        inside = inside && (m.space.periodic[d] || (at[d] >= domain.lo[d] && at[d] < domain.hi[d]));
      EXPECT_EQ(filled[number_of(level, leaf.number)][at], inside ? 1 : 0)
          << "level " << level << ", leaf " << leaf.number << ", point " << i << ' ' << j << ' ' << k;
    });
  }
}

TEST(Plan, FillsEveryGhostPointOnceAndPolynomialsExactly) {
  std::mt19937 random(2);
  for (int n = 0; n < 32; ++n) {
    const Made m = random_forest(random, 2 + (n % 4 == 3), processes, n % 8 > 3);
    const Place place{m.leaves, m.space, m.block};
    for (int level = 0; level < m.leaves.levels(); ++level) {
      Filled filled;
      for (int rank = 0; rank < processes; ++rank) {
        const Plan plan = make_plan(place, level, vertices, depth, true, cereus::all_axes, order, rank);
        note_moves(m, place, plan, rank, filled);
        for (const Move& move : plan.moves)  // a level knows itself and the next coarser one
          if (m.leaves.keeps_covered()) EXPECT_EQ(move.level, move.prolongation == -1 ? level : level - 1);
        for (const Prolongation& p : plan.prolongations) {
          check_prolongation(m, p, level);
          for_each_point(p.to, [&](int i, int j, int k) { ++filled[number_of(p.level, p.target)][{i, j, k}]; });
        }
      }
      check_filled(m, place, level, filled);
    }
  }
}

// Where each coarse point that a prolongation of a process reads comes from.
using Sources = std::map<std::pair<int, Index>, std::array<int, 5>>;  // of prolongation and point: level, leaf, point
Sources sources_of(const Plan& plan, int rank) {
  Sources scratch, found;
  for (const Move& move : plan.moves)
    if (move.prolongation >= 0 && move.to_rank == rank)
      for_each_point(move.to, [&](int i, int j, int k) {
        Index at{i, j, k};
        for (int d = 0; d < 3; ++d) at[d] = move.step * (at[d] - move.shift[d]);
        const auto [place, fresh] = scratch.try_emplace(
            {move.prolongation, {i, j, k}}, std::array{move.level, move.source, at[0], at[1], at[2]});
        EXPECT_TRUE(fresh) << "a point comes twice";
      });
  for (int n = 0; n < static_cast<int>(plan.prolongations.size()); ++n) {
    const Prolongation& p = plan.prolongations[static_cast<std::size_t>(n)];
    for_each_point(p.from, [&](int i, int j, int k) {
      found[{n, {i, j, k}}] = scratch.at({p.shares < 0 ? n : p.shares, {i, j, k}});
    });
  }
  return found;
}

// Scratch has fewer points then, and what is read is the same.
TEST(Plan, SharesSourcesOfProlongations) {
  std::mt19937 random(8);
  std::int64_t shared = 0;
  for (int n = 0; n < 32; ++n) {
    const Made m = random_forest(random, 2 + n % 2, 1 + n % 3, n % 8 > 3);
    const Place place{m.leaves, m.space, m.block};
    Plan before, after;  // of all levels, one after another
    for (int level = 0; level < m.leaves.levels(); ++level) {
      Plan plan = make_plan(place, level, vertices, depth, true, cereus::all_axes, order, 0);
      before.add(Plan(plan));
      share_sources(place, vertices, 0, plan);
      after.add(std::move(plan));
    }
    EXPECT_EQ(sources_of(before, 0), sources_of(after, 0));
    const auto points = [](const Plan& plan) {
      std::int64_t sum = 0;
      for (const Prolongation& p : plan.prolongations) sum += p.shares < 0 ? p.gathered.points() : 0;
      return sum;
    };
    EXPECT_LE(points(after), points(before));
    shared += points(before) - points(after);
  }
  EXPECT_GT(shared, 0);
}

// What a process sends is what the other takes, in the same order.
TEST(Plan, IsTheSameForBothSidesOfAMessage) {
  std::mt19937 random(9);
  const auto between = [](const Plan& plan, int from, int to) {
    std::vector<std::array<int, 12>> list;
    for (const Move& m : plan.moves)
      if (m.from == from && m.to_rank == to)
        list.push_back({m.level, m.source, m.target_level, m.target, m.to.lo[0], m.to.lo[1], m.to.lo[2], m.to.hi[0],
            m.to.hi[1], m.to.hi[2], m.step, static_cast<int>(m.mirrored)});
    return list;
  };
  std::size_t sent = 0;
  for (int n = 0; n < 40; ++n) {
    const int all = 2 + n % 6;
    const Made m = random_forest(random, 2 + n % 2, all, n % 4 > 1);
    const Place place{m.leaves, m.space, m.block};
    for (int level = 0; level < m.leaves.levels(); ++level) {
      std::vector<Plan> plans;
      for (int rank = 0; rank < all; ++rank) {
        plans.push_back(make_plan(place, level, vertices, depth, true, cereus::all_axes, order, rank));
        share_sources(place, vertices, rank, plans.back());
      }
      for (int a = 0; a < all; ++a)
        for (int b = 0; b < all; ++b) {
          if (a == b) continue;
          const auto said = between(plans[static_cast<std::size_t>(a)], a, b);
          EXPECT_EQ(said, between(plans[static_cast<std::size_t>(b)], a, b)) << "from " << a << " to " << b;
          sent += said.size();
        }
    }
  }
  EXPECT_GT(sent, 1000U);
}

// The work goes with blocks, not with places of the finest level that a coarse block covers.
TEST(Plan, IsMadeOfManyLevels) {
  Leaves leaves(3, {4, 4, 4}, {0, 0, 0}, true);
  leaves.refine([](const Leaf& l) { return l.at == Index{0, 0, 0} ? 14 : 0; });
  leaves.number(2);
  Patch space;
  space.cells.hi = {48, 48, 48};
  const auto begin = std::chrono::steady_clock::now();
  std::size_t moves = 0;
  for (int level = 0; level < leaves.levels(); ++level)
    for (const int rank : {0, 1})
      moves += make_plan({leaves, space, 12}, level, vertices, depth, true, cereus::all_axes, order, rank).moves.size();
  EXPECT_GT(moves, 1000U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(100));
}

double magnitude(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += std::abs(w);
  return sum;
}
// The plans of leaves that a change splits fill all ghost zones that the change reads.
std::map<int, std::set<Index>> ghosts_of_split_leaves(const Place& before, const Leaves& now) {
  std::map<int, std::set<Index>> filled;
  for (int level = 0; level < before.leaves.levels(); ++level)
    for (int rank = 0; rank < processes; ++rank) {
      const Plan plan = make_plan(before, level, vertices, depth, true, cereus::all_axes, order, rank, &now);
      const auto add = [&](int target, const Box& box) {
        for_each_point(box, [&](int i, int j, int k) { filled[number_of(level, target)].insert({i, j, k}); });
      };
      for (const Move& move : plan.moves)
        if (move.to_rank == rank && move.prolongation < 0) add(move.target, move.to);
      for (const Prolongation& p : plan.prolongations) add(p.target, p.to);
    }
  return filled;
}
void check_ghosts_of_change(const Place& before, const Plan& change, std::map<int, std::set<Index>>& filled) {
  for (const Move& move : change.moves) {
    const Leaf& source = before.leaves.of_level(move.level)[static_cast<std::size_t>(move.source)];
    const Box own = before.points(source, vertices);
    for_each_point(move.to, [&](int i, int j, int k) {
      Index at{i, j, k};
      for (int d = 0; d < before.leaves.dim(); ++d) at[d] = move.step * (at[d] - move.shift[d]);
      if (!own.contains(at)) EXPECT_TRUE(filled[number_of(move.level, move.source)].contains(at));
    });
  }
}

TEST(Plan, FillsNewLeavesOnceAndPolynomialsExactly) {
  std::mt19937 random(4);
  for (int n = 0; n < 32; ++n) {
    const Made m = random_forest(random, 2 + (n % 4 == 3), processes, n % 8 > 3);
    const Place before{m.leaves, m.space, m.block};
    const Leaves now = changed(random, m.leaves, processes);
    auto ghosts = ghosts_of_split_leaves(before, now);
    Filled filled;
    for (int rank = 0; rank < processes; ++rank) {
      const Plan plan = plan_of_change(before, now, vertices, depth, order, rank);
      note_moves(m, before, plan, rank, filled);
      check_ghosts_of_change(before, plan, ghosts);
      for (const Prolongation& p : plan.prolongations) {
        check_prolongation(m, p, p.level);
        for (const auto& along : p.along)
          if (along)
            for (const auto& weight : along->weight) EXPECT_LT(magnitude(weight), 3.5) << "noise would grow";
        for_each_point(p.to, [&](int i, int j, int k) { ++filled[number_of(p.level, p.target)][{i, j, k}]; });
      }
    }
    for_each_block(now, [&](const Leaf& leaf) {
      const Leaf* old = m.leaves.block(leaf.level, leaf.at);
      const int times = old && old->owner == leaf.owner ? 0 : 1;
      for_each_point(before.points(leaf, vertices), [&](int i, int j, int k) {
        EXPECT_EQ((filled[number_of(leaf.level, leaf.number)][{i, j, k}]), times);
      });
    });
  }
}

TEST(Plan, FillsCoveredBlocksOnceWithWhatIsFiner) {
  std::mt19937 random(7);
  std::int64_t points = 0;
  for (int n = 0; n < 20; ++n) {
    const Made m = random_forest(random, 2 + n % 2, processes, true);
    const Place place{m.leaves, m.space, m.block};
    for (int level = 0; level + 1 < m.leaves.levels(); ++level) {
      Filled filled;
      for (int rank = 0; rank < processes; ++rank)
        note_moves(m, place, plan_of_restriction(place, level, vertices, rank), rank, filled);
      for (const Leaf& block : m.leaves.of_level(level))
        for_each_point(place.points(block, vertices), [&](int i, int j, int k) {
          EXPECT_EQ((filled[number_of(level, block.number)][{i, j, k}]), block.covered ? 1 : 0);
          points += block.covered;
        });
    }
  }
  EXPECT_GT(points, 10000);
}

// Beyond planes of symmetry coarse points come from their images, each once, and interpolations are centred there, too.
void check_images(const Made& m, const Place& place, const Plan& plan, int number, const Centring& centre) {
  const Prolongation& p = plan.prolongations[static_cast<std::size_t>(number)];
  const Patch coarse = place.patch(p.level - 1);
  std::map<Index, int> filled;
  for (const Move& move : plan.moves) {
    if (move.prolongation != number) continue;
    const Leaf& source = m.leaves.of_level(move.level)[static_cast<std::size_t>(move.source)];
    for_each_point(move.to, [&](int i, int j, int k) {
      const Index point{i, j, k};
      Index at = point, image = point;
      for (int d = 0; d < m.dim; ++d) {
        const bool mirrored = move.mirrored >> d & 1;
        at[d] = move.step * (mirrored ? move.shift[d] - at[d] : at[d] - move.shift[d]);
        if (mirrored) {
          const int end = point[d] < coarse.cells.lo[d] ? coarse.cells.lo[d] : coarse.cells.hi[d];
          image[d] = 2 * end - point[d] - plan.cells;
          EXPECT_EQ(at[d], move.step * image[d]);
        } else if (!m.space.periodic[d]) {
          EXPECT_EQ(at[d], move.step * point[d]);
        }
      }
      EXPECT_TRUE(place.points(source, centre).contains(at));
      ++filled[point];
    });
  }
  for_each_point(p.from, [&](int i, int j, int k) { EXPECT_EQ((filled[{i, j, k}]), 1); });
  for (int d = 0; d < m.dim && !plan.cells; ++d)
    for (std::size_t n = 0; n < p.along[d]->first.size(); ++n)
      if (p.along[d]->weight[n].size() > 1) EXPECT_EQ(p.along[d]->weight[n].front(), p.along[d]->weight[n].back());
}

TEST(Plan, FindsImagesBeyondPlanesOfSymmetry) {
  std::mt19937 random(6);
  int beyond = 0;
  for (int n = 0; n < 20; ++n) {
    const Made m = random_forest(random, 2 + (n % 4 == 3), processes);
    Place place{m.leaves, m.space, m.block};
    for (int d = 0; d < m.dim; ++d)
      if (!m.space.periodic[d]) place.mirrors |= 3U << 2 * d;
    for (const Centre c : {Centre::vertex, Centre::cell})
      for (int level = 1; level < m.leaves.levels(); ++level)
        for (int rank = 0; rank < processes; ++rank) {
          Centring centre{};
          for (int d = 0; d < m.dim; ++d) centre[d] = c;
          const Plan plan = make_plan(place, level, centre, depth, true, cereus::all_axes, order, rank);
          for (int p = 0; p < static_cast<int>(plan.prolongations.size()); ++p) check_images(m, place, plan, p, centre);
          for (const Move& move : plan.moves) beyond += move.mirrored != 0;
        }
  }
  EXPECT_GT(beyond, 1000);
}

// Where a face of a leaf meets finer ones, each of its parts comes from one of them, and lies where that one ends.
void check_face(const Made& m, const Place& place, const FacePlan& plan, const CoarseFace& face, int number) {
  std::map<Index, int> filled;
  for (const Move& move : plan.moves) {
    if (move.prolongation != number) continue;
    const Box source = place.cells(m.leaves.of_level(move.level)[static_cast<std::size_t>(move.source)]);
    EXPECT_EQ(move.level, face.level + 1);
    for_each_point(move.to, [&](int i, int j, int k) {
      Index at{i, j, k};
      for (int d = 0; d < m.dim; ++d) at[d] = 2 * (at[d] - move.shift[d]);
      for (int d = 0; d < m.dim; ++d) {
        EXPECT_GE(at[d], source.lo[d]);
        EXPECT_LT(at[d], source.hi[d] + (d == plan.axis));
      }
      EXPECT_EQ(at[plan.axis], face.side ? source.lo[plan.axis] : source.hi[plan.axis]);
      ++filled[{i, j, k}];
    });
  }
  EXPECT_EQ(std::ssize(filled), face.at.points());
  for_each_point(face.at, [&](int i, int j, int k) { EXPECT_EQ((filled[{i, j, k}]), 1); });
}

TEST(Faces, HaveEachPartOfAFaceOnceAndProcessesAgree) {
  std::mt19937 random(5);
  for (int n = 0; n < 40; ++n) {
    const Made m = random_forest(random, 2 + n % 2, processes);
    const Place place{m.leaves, m.space, m.block};
    for (int axis = 0; axis < m.dim; ++axis) {
      std::map<std::array<int, 3>, std::vector<Box>> seen;  // by process, sender and receiver
      std::size_t faces = 0, expected = 0;
      for (int rank = 0; rank < processes; ++rank) {
        const FacePlan plan = faces_across(place, {0, m.leaves.levels() - 1}, axis, rank);
        faces += plan.faces.size();
        for (const Move& move : plan.moves) seen[{rank, move.from, move.to_rank}].push_back(move.to);
        for (std::size_t f = 0; f < plan.faces.size(); ++f)
          check_face(m, place, plan, plan.faces[f], static_cast<int>(f));
      }
      for_each_leaf(m.leaves, [&](const Leaf& leaf) {
        for (const int step : {-1, 1}) {
          Index beside = leaf.at;
          beside[axis] += step;
          bool finer = false;
          m.leaves.for_each_at(leaf.level, beside, [&](const Leaf& other) { finer = other.level > leaf.level; });
          expected += m.leaves.inside(leaf.level, beside) && finer;
        }
      });
      EXPECT_EQ(faces, expected);
      for (const auto& [who, boxes] : seen) EXPECT_EQ(boxes, (seen[{who[1], who[1], who[2]}]));
      for (const auto& [who, boxes] : seen) EXPECT_EQ(boxes, (seen[{who[2], who[1], who[2]}]));
    }
  }
}
}  // namespace
}  // namespace Forest
