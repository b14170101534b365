// Allocates all variables and knows which buffer is which timelevel.
#include "cereus/fields.hpp"

#include <sys/mman.h>

#include <algorithm>
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
Index largest_block(const Grid& grid) {
  Index n{1, 1, 1};
  for (const Block& b : grid.blocks)
    for (int d = 0; d < 3; ++d) n[d] = std::max(n[d], b.cells.extent(d));
  return n;
}
}  // namespace

Layout layout_of(const Grid& grid, int align) {
  Layout l;
  std::array<Offset, 3> n{1, 1, 1};
  for (int d = 0; d < 3 && !grid.blocks.empty(); ++d)
    n[d] = largest_block(grid)[d] + (d < grid.dim ? 1 : 0) + 2 * grid.ghosts[d];
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
// Rows of all groups start at the same element, so the narrowest type decides what so many bytes are. In blocks
// of 24 cells the ends of rows would take a third of the memory, in larger ones rows that begin anywhere cost 3 % of
// speed.
int alignment(const std::vector<Group>& groups, const std::vector<int>& buffers, const Grid& grid, ScalarType real) {
  std::size_t narrow = 8;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].kind == GroupKind::grid_function && buffers[g] > 0)
      narrow = std::min(narrow, size_of(groups[g].type.value_or(real)));
  return static_cast<int>((largest_block(grid)[0] <= 24 ? 64 : 128) / narrow);
}
Offset slots_of(const Grid& grid) {
  int slots = 0;
  for (const Block& b : grid.blocks) slots = std::max(slots, b.slot + 1);
  return slots;
}
}  // namespace

std::int64_t Fields::bytes_needed(
    const std::vector<Group>& groups, const std::vector<int>& buffers, const Grid& grid, ScalarType real) {
  std::size_t bytes_a_point = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].kind == GroupKind::grid_function)
      bytes_a_point += size_of(groups[g].type.value_or(real)) * groups[g].variables.size() * buffers[g];
  return slots_of(grid) * layout_of(grid, alignment(groups, buffers, grid, real)).size *
         static_cast<Offset>(bytes_a_point);
}

namespace {
// Fills memory with poison or 0. Large memory without poison has pages, of 0, when they are needed, and no sooner.
void fill(char* memory, ScalarType type, Offset n, bool poison) {
  constexpr std::size_t large = std::size_t{64} << 20;
  const std::size_t bytes = static_cast<std::size_t>(n) * size_of(type);
  if (poison || bytes < large) return fill_poison(memory, type, n, poison);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (memory_page - address % memory_page) % memory_page;
  const std::size_t whole = (bytes - before) / memory_page * memory_page;
  if (madvise(memory + before, whole, MADV_DONTNEED) != 0) return fill_poison(memory, type, n, poison);
  std::memset(memory, 0, before);
  std::memset(memory + before + whole, 0, bytes - before - whole);
}
}  // namespace

Fields::Fields(
    const std::vector<Group>& groups, const std::vector<int>& buffers, const Grid& grid, ScalarType real, bool poison)
    : slot_(layout_of(grid, alignment(groups, buffers, grid, real))),
      largest_(largest_block(grid)),
      levels_(static_cast<int>(grid.levels.size())),
      poison_(poison),
      slots_(slots_of(grid)) {
  place(grid);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Store s;
    s.type = groups[g].type.value_or(real);
    s.components = static_cast<int>(groups[g].variables.size());
    s.elements = elements_of(groups[g]);
    s.order.assign(static_cast<std::size_t>(levels_), {});
    const bool grid_function = groups[g].kind == GroupKind::grid_function;
    for (int b = 0; b < buffers[g]; ++b) {
      for (auto& order : s.order) order.push_back(b);
      const std::size_t bytes = grid_function ? slab_bytes(s) : static_cast<std::size_t>(s.elements) * size_of(s.type);
      if (!grid_function) {
        s.plain.push_back(large_memory(bytes * s.components, grid_functions));
        std::memset(s.plain.back().get(), 0, bytes * s.components);
        continue;
      }
      for (int c = 0; c < s.components; ++c) {
        Slab& slab = s.slabs.emplace_back();
        slab.owner[0] = large_memory(bytes + read_beyond, grid_functions);
        slab.base[0] = slab.owner[0].get() + bytes_before(s);
        // Registers are written before they are read, and their ghost zones seldom touched: their pages come when
        // needed.
        if (b < groups[g].timelevels) fill(slab.owner[0].get(), s.type, slots_ * slot_.size, poison);
        bytes_ += static_cast<std::int64_t>(bytes);
      }
    }
    s.validity.resize(static_cast<std::size_t>(buffers[g] * levels_ * s.components));
    groups_.push_back(std::move(s));
  }
}

void Fields::place(const Grid& grid) {
  layouts_.clear(), offset_.clear(), level_.clear();
  for (const Block& b : grid.blocks) {
    layouts_.push_back(layout(b));
    offset_.push_back(b.slot * slot_.size);
    level_.push_back(b.level);
  }
}

// Buffers that hold no timelevel now, such as registers of an integrator, have nothing to keep; nor has the host where
// all is on a device: its pages come when needed, without poison.
void Fields::grow(const std::vector<Group>& groups, const Allocator& allocate, const Copier& copy, Offset slots) {
  const std::string what = std::string(grid_functions) + " of " + std::to_string(slots) +
                           " blocks, which this process has after a change; ask for fewer, or take more processes";
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Store& s = groups_[g];
    const std::size_t bytes = slab_bytes(s, slots), before = slab_bytes(s);
    for (std::size_t n = 0; n < s.slabs.size(); ++n) {
      const int buffer = static_cast<int>(n) / s.components;
      const bool kept = std::ranges::any_of(s.order, [&](const auto& order) {
        const auto end = order.begin() + std::min<std::ptrdiff_t>(groups[g].timelevels, std::ssize(order));
        return std::find(order.begin(), end, buffer) != end;
      });
      const auto has_values = [&](int b) {
        const auto first = s.validity.begin() + std::ptrdiff_t{b} * levels_ * s.components;
        return std::any_of(first, first + std::ptrdiff_t{levels_} * s.components,
            [](const Validity& v) { return v[Space::host].interior || v[Space::host].boundary; });
      };
      for (Space space : {Space::host, Space::device}) {
        auto& owner = s.slabs[n].owner[static_cast<int>(space)];
        if (!owner) continue;
        const bool host = space == Space::host;
        auto fresh =
            host ? large_memory(bytes + read_beyond, what) : allocate(bytes + read_beyond, groups[g].full_name());
        const bool copied = kept && (!host || has_values(buffer));
        if (copied) copy(space, owner.get(), fresh.get(), before);
        const Offset first = copied ? slots_ : 0;
        if (kept && host)
          fill(fresh.get() + static_cast<std::size_t>(first * slot_.size) * size_of(s.type), s.type,
              (slots - first) * slot_.size, poison_ && (copied || !s.slabs[n].owner[static_cast<int>(Space::device)]));
        if (host) bytes_ += static_cast<std::int64_t>(bytes - before);
        owner = std::move(fresh);
        s.slabs[n].base[static_cast<int>(space)] = owner.get() + bytes_before(s);
      }
    }
  }
  slots_ = slots;
}

void Fields::regrid(const std::vector<Group>& groups, const Grid& grid, const Allocator& allocate, const Copier& copy) {
  const Index now = largest_block(grid);
  if (slots_ == 0) slot_ = layout_of(grid, static_cast<int>(slot_.stride[1])), largest_ = now;  // no block had a slot
  for (int d = 0; d < 3; ++d)
    if (now[d] > largest_[d]) throw Failure("blocks have become larger than those that the run began with");
  if (const Offset need = slots_of(grid); need > slots_) grow(groups, allocate, copy, need + need / 16);
  const int levels = static_cast<int>(grid.levels.size());
  for (Store& s : groups_) {  // a new level has its timelevels where the finest before it has them
    const auto components = static_cast<std::ptrdiff_t>(s.components);
    std::vector<Validity> validity(s.order[0].size() * static_cast<std::size_t>(levels * components));
    for (std::ptrdiff_t b = 0; b < std::ssize(s.order[0]); ++b)
      std::copy_n(s.validity.begin() + b * levels_ * components, std::min(levels, levels_) * components,
          validity.begin() + b * levels * components);
    s.validity = std::move(validity);
    s.order.resize(static_cast<std::size_t>(levels), s.order.back());
  }
  levels_ = levels;
  place(grid);
}

void Fields::allocate_on_device(const std::vector<Group>& groups, const Allocator& allocate) {
  constexpr int device = static_cast<int>(Space::device);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (Slab& slab : groups_[g].slabs) {
      slab.owner[device] = allocate(slab_bytes(groups_[g]) + read_beyond, groups[g].full_name());
      slab.base[device] = slab.owner[device].get() + bytes_before(groups_[g]);
    }
}

Fields::Run Fields::run(int group, int component, int timelevel, int level, Space space) const {
  const auto& g = groups_[group];
  return {slab(group, component, timelevel, level, space) - bytes_before(g), slab_bytes(g)};
}

void Fields::move(int group, int component, int timelevel, int level, char* begin) {
  auto& g = groups_[group];
  g.slabs[g.order[level][timelevel] * g.components + component].base[static_cast<int>(Space::host)] =
      begin + bytes_before(g);
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
