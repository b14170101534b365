// Allocates all variables and knows which buffer is which timelevel.
#include "cereus/fields.hpp"

#include <cstring>

#include "cereus/error.hpp"
#include "cereus/memory.hpp"
#include "grid/poison.hpp"

namespace cereus {
namespace {
constexpr const char* grid_functions = "grid functions";
Offset round_up(Offset n, Offset to) { return (n + to - 1) / to * to; }
std::int64_t elements_of(const Group& g) {
  std::int64_t n = 1;
  for (int s : g.shape) n *= s;
  return n;
}
}  // namespace

Layout layout_of(const Grid& grid, const Level&, const Block& b, int align) {
  Layout l;
  l.first = b.cells.lo;
  std::array<Offset, 3> n{};
  for (int d = 0; d < 3; ++d) n[d] = b.cells.extent(d) + (d < grid.dim ? 1 : 0) + 2 * grid.ghosts[d];
  l.stride[0] = 1;
  l.stride[1] = round_up(n[0], align);
  // A power-of-two pitch puts all rows of a stencil into the same cache sets.
  if (l.stride[1] >= 512 && (l.stride[1] & (l.stride[1] - 1)) == 0) l.stride[1] += align;
  l.stride[2] = l.stride[1] * n[1];
  const Offset front = grid.ghosts[0] + grid.ghosts[1] * l.stride[1] + grid.ghosts[2] * l.stride[2];
  l.before = round_up(front, align);
  l.size = round_up(l.before - grid.ghosts[1] * l.stride[1] - grid.ghosts[2] * l.stride[2] + l.stride[2] * n[2], align);
  return l;
}

namespace {
// Rows of all groups start at the same element, so the narrowest type decides what 128 bytes are.
int alignment(const std::vector<Group>& groups, const std::vector<int>& levels_of, ScalarType real) {
  std::size_t narrow = 8;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].kind == GroupKind::grid_function && levels_of[g] > 0)
      narrow = std::min(narrow, size_of(groups[g].type.value_or(real)));
  return static_cast<int>(128 / narrow);
}
}  // namespace

std::int64_t Fields::bytes_needed(
    const std::vector<Group>& groups, const std::vector<int>& levels_of, const Grid& grid, ScalarType real) {
  std::int64_t bytes = 0;
  const int align = alignment(groups, levels_of, real);
  for (const auto& level : grid.levels)
    for (const auto& block : level.blocks) {
      const Offset size = layout_of(grid, level, block, align).size;
      for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].kind == GroupKind::grid_function)
          bytes += size * static_cast<Offset>(size_of(groups[g].type.value_or(real)) * groups[g].variables.size()) *
                   levels_of[g];
    }
  return bytes;
}

Fields::Fields(const std::vector<Group>& groups, const std::vector<VariableInfo>&, const std::vector<int>& levels_of,
    const Grid& grid, ScalarType real, bool poison)
    : levels_(static_cast<int>(grid.levels.size())) {
  const int align = alignment(groups, levels_of, real);
  for (const auto& level : grid.levels) {
    layouts_.emplace_back();
    for (const auto& block : level.blocks) layouts_.back().push_back(layout_of(grid, level, block, align));
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Store s;
    s.type = groups[g].type.value_or(real);
    s.components = static_cast<int>(groups[g].variables.size());
    s.elements = elements_of(groups[g]);
    s.order.assign(static_cast<std::size_t>(levels_), {});
    for (int b = 0; b < levels_of[g]; ++b) {
      for (auto& order : s.order) order.push_back(b);
      if (groups[g].kind != GroupKind::grid_function) {
        const std::size_t bytes = static_cast<std::size_t>(s.components * s.elements) * size_of(s.type);
        s.plain.push_back(large_memory(bytes, grid_functions));
        std::memset(s.plain.back().get(), 0, bytes);
        continue;
      }
      auto& memory = s.memory.emplace_back();
      for (std::size_t l = 0; l < grid.levels.size(); ++l) {
        memory.emplace_back();
        for (const Layout& layout : layouts_[l]) {
          const auto element = static_cast<Offset>(size_of(s.type));
          const std::size_t bytes = static_cast<std::size_t>(layout.size * s.components * element);
          Allocation a;
          a.bytes = bytes, a.before = static_cast<std::size_t>(layout.before * element);
          a.owner[0] = large_memory(bytes, grid_functions);
          a.base[0] = a.owner[0].get() + a.before;
          a.variable_stride = layout.size * element;
          // Stages are written before they are read, and their ghost zones seldom touched: their pages come when
          // needed.
          if (b < groups[g].timelevels)
            fill_poison(a.owner[0].get(), s.type, static_cast<std::int64_t>(bytes) / element, poison);
          bytes_ += static_cast<std::int64_t>(bytes);
          memory.back().push_back(std::move(a));
        }
      }
    }
    s.validity.resize(static_cast<std::size_t>(levels_of[g] * levels_ * s.components));
    groups_.push_back(std::move(s));
  }
}

void Fields::allocate_on_device(const std::vector<Group>& groups, const Allocator& allocate) {
  constexpr int device = static_cast<int>(Space::device);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (auto& buffer : groups_[g].memory)
      for (auto& level : buffer)
        for (auto& a : level) {
          a.owner[device] = allocate(a.bytes, groups[g].full_name());
          a.base[device] = a.owner[device].get() + a.before;
        }
}

Fields::Run Fields::run(int group, int first, int last, int timelevel, int level, int block, Space space) const {
  const auto& g = groups_[group];
  const auto& a = g.memory[g.order[level][timelevel]][level][block];
  return {a.base[static_cast<int>(space)] - a.before + first * a.variable_stride,
      static_cast<std::size_t>((last - first + 1) * a.variable_stride)};
}

void Fields::move(int group, int first, int timelevel, int level, int block, char* begin) {
  auto& g = groups_[group];
  auto& a = g.memory[g.order[level][timelevel]][level][block];
  a.base[static_cast<int>(Space::host)] = begin + a.before - first * a.variable_stride;
}

void Fields::copy_plain() {
  for (auto& g : groups_)
    for (auto& p : g.plain) {
      const std::size_t bytes = static_cast<std::size_t>(g.components * g.elements) * size_of(g.type);
      auto copy = large_memory(bytes, grid_functions);
      std::memcpy(copy.get(), p.get(), bytes);
      p = std::move(copy);
    }
}

void Fields::cycle(int group, int level, int timelevels) {
  auto& order = groups_[group].order[level];
  if (timelevels < 2) return;
  const int oldest = order[timelevels - 1];
  for (int t = timelevels - 1; t > 0; --t) order[t] = order[t - 1];
  order[0] = oldest;
  for (int c = 0; c < groups_[group].components; ++c) validity(group, c, 0, level).invalidate({});
}

void Fields::swap(int group, int level, int a, int b) {
  auto& order = groups_[group].order[groups_[group].plain.empty() ? level : 0];
  std::swap(order[a], order[b]);
}
}  // namespace cereus
