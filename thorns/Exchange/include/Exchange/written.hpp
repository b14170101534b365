// Which values an exchange is about, and which ghost zones kernels have filled since those values were written
// (Driver::write_through).
#pragma once
#include <cereus/simulation.hpp>

#include <map>
namespace exchange {
using cereus::Ghosts;
using cereus::Simulation;
using cereus::Space;

struct Version {                      // identifies the values of an item's interior
  std::pair<const char*, int> place;  // slab, which holds a buffer of a component on all levels, and level
  std::uint32_t version;
  bool operator==(const Version&) const = default;
};
Version version_of(const Simulation&, const Ghosts&, Space);

class Filled {
 public:
  void note(const Simulation&, std::span<const Ghosts>, Space, unsigned axes);
  // The axes (bits) across which a kernel has filled ghost zones of an item, since its last write.
  unsigned axes(const Simulation&, const Ghosts&, Space) const;

 private:
  std::map<std::pair<const char*, int>, std::pair<std::uint32_t, unsigned>> axes_;  // version, axes
};

// How many layers next to a face across x kernels fill: whole sectors of 32 bytes, also into padding. 0 where a row of
// some block of the level is not made of whole vectors, or has not that padding.
int layers_across_x(const Simulation&, const Ghosts&);
}  // namespace exchange
