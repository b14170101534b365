// Storage of all variables. One allocation per group, timelevel and block; rows aligned to 128 bytes at the first
// interior point, with the left ghosts in the tail of the row before.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "grid.hpp"
#include "validity.hpp"
namespace cereus {
// How the points of a block lie in memory, in elements; the same for all groups on the block.
struct Layout {
  Index first{};  // global index of the first owned cell: address 0
  std::array<Offset, 3> stride{};
  Offset before = 0, size = 0;  // elements in front of address 0, and of one variable in all
  Offset at(int i, int j, int k) const {
    return (i - first[0]) * stride[0] + (j - first[1]) * stride[1] + (k - first[2]) * stride[2];
  }
};
Layout layout_of(const Grid&, const Level&, const Block&, int align_elements);

class Fields {
 public:
  Fields() = default;
  // levels_of[g]: buffers of group g on each block: timelevels, then the stages that a time integrator asked for.
  Fields(const std::vector<Group>&, const std::vector<VariableInfo>&, const std::vector<int>& levels_of, const Grid&,
      ScalarType real, bool poison);

  ScalarType type(int group) const { return groups_[group].type; }
  int buffers(int group) const { return static_cast<int>(groups_[group].order[0].size()); }
  const Layout& layout(int level, int block) const { return layouts_[level][block]; }
  // Address of the first owned point of a component of a grid function.
  char* address(int group, int component, int timelevel, int level, int block, Space space = Space::host) const {
    const auto& g = groups_[group];
    const auto& a = g.memory[g.order[level][timelevel]][level][block];
    return a.base[static_cast<int>(space)] + component * a.variable_stride;
  }
  // Gives every grid function memory on the device as well; what lies there is not valid.
  using Allocator = std::function<std::shared_ptr<char>(std::size_t bytes, const std::string& group)>;
  void allocate_on_device(const std::vector<Group>&, const Allocator&);
  // A grid scalar or array: all its elements lie at this address.
  char* address(int group, int component, int timelevel) const {
    const auto& g = groups_[group];
    return g.plain[g.order[0][timelevel]].get() + static_cast<std::size_t>(component) * g.elements * size_of(g.type);
  }
  // The memory of components first … last of a grid function on a block, padding and all; and another place for it on
  // the host.
  struct Run {
    char* begin;
    std::size_t bytes;
  };
  Run run(int group, int first, int last, int timelevel, int level, int block, Space) const;
  void move(int group, int first, int timelevel, int level, int block, char* begin);
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
  std::int64_t bytes() const { return bytes_; }
  static std::int64_t bytes_needed(
      const std::vector<Group>&, const std::vector<int>& levels_of, const Grid&, ScalarType);

 private:
  struct Allocation {
    char* base[spaces] = {};
    Offset variable_stride = 0;
    std::size_t bytes = 0, before = 0;
    std::shared_ptr<char> owner[spaces];
  };
  struct Store {
    ScalarType type = ScalarType::float64;
    int components = 0;
    std::int64_t elements = 0;
    std::vector<std::vector<int>> order;                       // [level][timelevel]: which buffer
    std::vector<std::vector<std::vector<Allocation>>> memory;  // [buffer][level][block]
    std::vector<std::shared_ptr<char>> plain;                  // [buffer]
    std::vector<Validity> validity;                            // [buffer][level][component]
  };
  std::vector<Store> groups_;
  std::vector<std::vector<Layout>> layouts_;
  int levels_ = 1;
  std::int64_t bytes_ = 0;
};
}  // namespace cereus
