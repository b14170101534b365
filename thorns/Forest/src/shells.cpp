#include "shells.hpp"

#include <Exchange/speeds.hpp>

#include <numbers>

namespace Forest {
using namespace cereus;
namespace {
constexpr double quarter = std::numbers::pi / 2;
constexpr std::uint8_t inner_and_sides = 0b011111;  // faces where other patches lie: all but the outer one
}  // namespace

Shells::Shells(const Size& size, int processes, const std::vector<double>& speeds) : size_(size) {
  const Index n = blocks_along();
  const exchange::Owners owners(std::int64_t{count} * n[0] * n[1] * n[2], processes, speeds);
  std::int64_t place = 0;  // among all blocks
  for (int map = 1; map <= count; ++map) {
    auto& list = blocks_.emplace_back();
    for_each_point(Box{{0, 0, 0}, n}, [&](int i, int j, int k) {
      list.push_back({{i, j, k}, static_cast<int>(list.size()), owners.of(place++)});
    });
  }
}

Index Shells::blocks_along() const {
  return {size_.cells / size_.block, size_.cells / size_.block, size_.radial / size_.block};
}

Patch Shells::patch(int map) const {
  Patch p;
  p.map = map, p.joined = inner_and_sides;
  p.cells.hi = {size_.cells, size_.cells, size_.radial};
  p.lower = {-quarter / 2, -quarter / 2, size_.inner};
  p.spacing = {quarter / size_.cells, quarter / size_.cells, size_.spacing};
  return p;
}

const ShellBlock& Shells::block(int map, const Index& at) const {
  const Index n = blocks_along();
  return blocks(map)[static_cast<std::size_t>((at[2] * n[1] + at[1]) * n[0] + at[0])];
}

Box Shells::cells(const ShellBlock& b) const {
  Box box;
  for (int d = 0; d < 3; ++d) box.lo[d] = b.at[d] * size_.block, box.hi[d] = box.lo[d] + size_.block;
  return box;
}
Box Shells::points(int map, const ShellBlock& b) const { return patch(map).points(cells(b), {}, 3); }

int entry_of(const Shells* shells, int level) { return shells && level > 0 ? level + Shells::count : level; }
int level_at(const Shells* shells, int entry) {
  if (!shells || entry == 0) return entry;
  return entry <= Shells::count ? shells->level_of(entry) : entry - Shells::count;
}

std::array<double, 3> vertex_at(const Patch& p, const std::array<double, 3>& x) {
  std::array<double, 3> at = p.coordinates_of(x);
  for (int d = 0; d < 3; ++d) at[d] = (at[d] - p.lower[d]) / p.spacing[d];
  return at;
}
}  // namespace Forest
