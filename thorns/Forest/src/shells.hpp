// Six shells around the cube of a forest (cereus/kernel/map.hpp), which make a ball of it, in equal blocks. Shells have
// no points in common but those of their edges, because noise grows where two evolve the same cells; their inner ends
// lie inside the cube, by as many points as stencils of interpolations need there.
#pragma once
#include <cereus/grid.hpp>

namespace Forest {
struct ShellBlock {
  cereus::Index at{};  // its place among the blocks of its shell
  int number = 0, owner = 0;
};

class Shells {
 public:
  struct Size {
    double inner, spacing;   // radius where they begin, radial spacing
    int cells, radial;       // along a quarter circle and along the radius, multiples of `block`
    int block, first_level;  // cells of a block along each axis; in plans, the level of the shell around +x
    int points;              // of an interpolation along an axis
  };
  Shells(const Size&, int processes, const std::vector<double>& speeds = {});

  static constexpr int count = 6, most_points = 8;
  const Size& size() const { return size_; }
  bool is_shell(int level) const { return level >= size_.first_level; }
  int map_of(int level) const { return level - size_.first_level + 1; }
  int level_of(int map) const { return size_.first_level + map - 1; }
  cereus::Patch patch(int map) const;
  double outer() const { return size_.inner + size_.radial * size_.spacing; }
  cereus::Index blocks_along() const;
  const std::vector<ShellBlock>& blocks(int map) const { return blocks_[static_cast<std::size_t>(map - 1)]; }
  const ShellBlock& block(int map, const cereus::Index& at) const;
  cereus::Box cells(const ShellBlock&) const;
  cereus::Box points(int map, const ShellBlock&) const;  // vertices that it owns

 private:
  Size size_;
  std::vector<std::vector<ShellBlock>> blocks_;  // of each shell, by number
};

// In Grid::levels shells follow level 0 of the cube, whose steps they take; then come finer levels. The entry of a
// level of the cube, or of the one behind the last; and the level of an entry, as plans have it. No shells: null.
int entry_of(const Shells*, int level);
int level_at(const Shells*, int entry);

// Where a point lies among the vertices of a patch: 0 at the first along each axis.
std::array<double, 3> vertex_at(const cereus::Patch&, const std::array<double, 3>& x);
}  // namespace Forest
