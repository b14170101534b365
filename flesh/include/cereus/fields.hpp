// Storage of all variables: one slab for each component and buffer of a group, in which a block is a slot.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "grid.hpp"
#include "validity.hpp"
namespace cereus {
// How the points of a block lie in its slot, in elements. All but `first` is the same for all blocks and groups: rows
// begin at multiples of 128 bytes, in blocks of up to 24 cells of 64, at the first interior point, with the left ghosts
// in the tail of the row before.
struct Layout {
  Index first{};  // global index of the first owned cell: address 0
  std::array<Offset, 3> stride{};
  Offset before = 0, size = 0;  // elements in front of address 0, and of the slot
  Offset at(int i, int j, int k) const {
    return (i - first[0]) * stride[0] + (j - first[1]) * stride[1] + (k - first[2]) * stride[2];
  }
};
// For slots that hold each of the blocks. `align`: elements in so many bytes.
Layout layout_of(const Grid&, int align);

class Fields {
 public:
  Fields() = default;
  // buffers[g]: buffers of group g: its timelevels, then the registers that a time integrator asked for.
  Fields(const std::vector<Group>&, const std::vector<int>& buffers, const Grid&, ScalarType real, bool poison);

  int groups() const { return static_cast<int>(groups_.size()); }
  ScalarType type(int group) const { return groups_[group].type; }
  int buffers(int group) const { return static_cast<int>(groups_[group].order[0].size()); }
  const Layout& layout(int block) const { return layouts_[block]; }
  // Elements from the first point of slot 0 to the first point of a block, in each slab.
  Offset offset(int block) const { return offset_[block]; }
  // Address of the first point of slot 0 of a component, where this level keeps its timelevel.
  char* slab(int group, int component, int timelevel, int level, Space space = Space::host) const {
    const auto& g = groups_[group];
    return g.slabs[g.order[level][timelevel] * g.components + component].base[static_cast<int>(space)];
  }
  // Address of the first owned point of a component of a grid function on a block.
  char* address(int group, int component, int timelevel, int block, Space space = Space::host) const {
    return slab(group, component, timelevel, level_[block], space) +
           offset_[block] * static_cast<Offset>(size_of(groups_[group].type));
  }
  // Gives every grid function memory on the device as well; what lies there is not valid.
  using Allocator = std::function<std::shared_ptr<char>(std::size_t bytes, const std::string& group)>;
  void allocate_on_device(const std::vector<Group>&, const Allocator&);
  // Blocks from now on. Slabs that have too few slots grow, to a sixteenth more than are needed; what lies in slots
  // stays. Throws Failure if a block is larger than the slots.
  using Copier = std::function<void(Space, const char* from, char* to, std::size_t bytes)>;
  void regrid(const std::vector<Group>&, const Grid&, const Allocator&, const Copier&);
  // The same of a block of the grid as it is, or was before it changed.
  char* address(int group, int component, int timelevel, const Block& b, Space space) const {
    return slab(group, component, timelevel, b.level, space) +
           b.slot * slot_.size * static_cast<Offset>(size_of(groups_[group].type));
  }
  Layout layout(const Block& b) const {
    Layout l = slot_;
    l.first = b.cells.lo;
    return l;
  }
  // A grid scalar or array: all its elements lie at this address.
  char* plain(int group, int component, int timelevel) const {
    const auto& g = groups_[group];
    return g.plain[g.order[0][timelevel]].get() + static_cast<std::size_t>(component) * g.elements * size_of(g.type);
  }
  // The memory of a slab, padding and all; and another place for it on the host.
  struct Run {
    char* begin;
    std::size_t bytes;
  };
  Run run(int group, int component, int timelevel, int level, Space) const;
  void move(int group, int component, int timelevel, int level, char* begin);
  void copy_plain();  // grid scalars and arrays are then no longer shared with what this was copied from
  std::int64_t elements(int group) const { return groups_[group].elements; }
  Validity& validity(int group, int component, int timelevel, int level) {
    auto& g = groups_[group];
    return g.validity[(g.order[level][timelevel] * levels_ + level) * g.components + component];
  }
  const Validity& validity(int g, int c, int t, int l) const { return const_cast<Fields*>(this)->validity(g, c, t, l); }
  // Each level steps on its own; grid scalars and arrays go with level 0.
  void cycle(int group, int level, int timelevels);  // timelevel 0 becomes 1 …, the oldest buffer becomes 0, invalid
  void swap(int group, int level, int buffer_a, int buffer_b);
  void invalidate(int group, Why why) {  // all its buffers on all levels
    for (Validity& v : groups_[group].validity) v.invalidate(why);
  }
  std::int64_t bytes() const { return bytes_; }
  static std::int64_t bytes_needed(const std::vector<Group>&, const std::vector<int>& buffers, const Grid&, ScalarType);

 private:
  struct Slab {
    char* base[spaces] = {};
    std::shared_ptr<char> owner[spaces];
  };
  struct Store {
    ScalarType type = ScalarType::float64;
    int components = 0;
    std::int64_t elements = 0;
    std::vector<std::vector<int>> order;       // [level][timelevel]: which buffer
    std::vector<Slab> slabs;                   // [buffer][component]
    std::vector<std::shared_ptr<char>> plain;  // [buffer]
    std::vector<Validity> validity;            // [buffer][level][component]
  };
  void place(const Grid&);
  void grow(const std::vector<Group>&, const Allocator&, const Copier&, Offset slots);
  std::size_t slab_bytes(const Store& s) const { return slab_bytes(s, slots_); }
  std::size_t slab_bytes(const Store& s, Offset slots) const {
    return static_cast<std::size_t>(slots * slot_.size) * size_of(s.type);
  }
  std::size_t bytes_before(const Store& s) const { return static_cast<std::size_t>(slot_.before) * size_of(s.type); }
  std::vector<Store> groups_;
  Layout slot_;
  Index largest_{};              // block that a slot has room for, in cells
  std::vector<Layout> layouts_;  // of each block
  std::vector<Offset> offset_;
  std::vector<int> level_;
  int levels_ = 1;
  bool poison_ = false;
  Offset slots_ = 0;
  std::int64_t bytes_ = 0;
};
}  // namespace cereus
