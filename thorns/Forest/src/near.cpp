// A process asks around its own blocks: places of the level and of the two below it that they touch, and then which
// blocks of the level lie there.
#include "near.hpp"

#include <algorithm>

namespace Forest {
namespace {
// Places of a level that lie in or beside a leaf, which may be coarser or finer.
Box places_beside(const Leaves& leaves, int level, const Leaf& leaf) {
  Box box{leaf.at, leaf.at};
  for (int d = 0; d < 3; ++d) {
    const bool there = d < leaves.dim();
    const int finer = there ? std::max(0, level - leaf.level) : 0,
              coarser = there ? std::max(0, leaf.level - level) : 0;
    box.lo[d] = (leaf.at[d] << finer >> coarser) - there;
    box.hi[d] = ((((leaf.at[d] + 1) << finer) - 1) >> coarser) + 1 + there;
  }
  return box;
}

// The blocks of a level in a place of level l, which is no finer.
void add_blocks_in(const Leaves& leaves, int level, int l, const Index& place, std::map<int, const Leaf*>& found) {
  if (l == level) {
    if (const Leaf* block = leaves.block(level, place)) found[block->number] = block;
    return;
  }
  Index coarser = place;
  for (int up = l; up >= std::max(0, l - 1); --up) {
    if (leaves.find(up, coarser)) return;  // nothing finer lies there
    for (int d = 0; d < leaves.dim(); ++d) coarser[d] >>= 1;
  }
  Box parts{place, place};
  for (int d = 0; d < 3; ++d) {
    const bool there = d < leaves.dim();
    parts.lo[d] = place[d] << there, parts.hi[d] = (place[d] + 1) << there;
  }
  for_each_point(parts, [&](int i, int j, int k) { add_blocks_in(leaves, level, l + 1, {i, j, k}, found); });
}
}  // namespace

std::map<int, const Leaf*> targets_near(const Leaves& leaves, int level, int rank) {
  std::map<int, const Leaf*> found;
  std::vector<const Leaf*> own;
  for (int l = std::max(0, level - 3); l < leaves.levels(); ++l)  // those of a process follow each other
    for (const Leaf& leaf : std::ranges::equal_range(leaves.of_level(l), rank, {}, &Leaf::owner)) {
      own.push_back(&leaf);
      if (l == level) found[leaf.number] = &leaf;
    }
  if (found.size() == leaves.of_level(level).size()) return found;
  for (int l = std::max(0, level - 2); l <= level; ++l) {
    std::vector<Index> places;
    for (const Leaf* leaf : own)
      if (leaf->level >= l - 1)  // a coarser one touches no block of the level
        for_each_point(places_beside(leaves, l, *leaf), [&](int i, int j, int k) {
          if (leaves.inside(l, {i, j, k})) places.push_back(leaves.wrapped(l, {i, j, k}));
        });
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    for (const Index& place : places) add_blocks_in(leaves, level, l, place, found);
  }
  return found;
}
}  // namespace Forest
