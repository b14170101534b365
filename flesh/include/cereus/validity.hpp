// Validity: which regions of a timelevel are right, in which space, and why; the same table on all processes of one
// kind, with a device or without, which decide alike. The single source of truth for syncs, copies, poison and output.
#pragma once
#include <array>
#include <cstdint>
namespace cereus {
enum class Space : std::uint8_t { host, device };
inline constexpr int spaces = 2;

inline constexpr int regridded = -2;  // Why::routine: blocks changed
struct Why {                          // the routine that last made a region valid or stale, and the iteration
  std::int32_t iteration = -1, routine = -1;
};
// The number of valid ghost layers: several steps at once and subcycling use them up one by one. `faces` counts layers
// across faces, which is enough for a star-shaped read; `full` counts those with edges and corners, which a box reads.
// full ≤ faces.
struct GhostDepth {
  std::int16_t faces = 0, full = 0;
};
// Where ghost zones come from: from blocks of the same level, from mirror images, from other levels or patches.
enum class GhostKind : std::uint8_t { copied, symmetry, interpolated };
inline constexpr int ghost_kinds = 3;
using GhostKinds = std::uint8_t;  // bits
inline constexpr GhostKinds only_copied = 1, interpolated_ghosts = 1 << static_cast<int>(GhostKind::interpolated);
inline constexpr std::int16_t all_layers = 32767;  // RegionValidity::along of outer faces that a routine wrote

struct RegionValidity {  // of one variable's timelevel on one level in one space
  bool interior = false;
  std::uint8_t boundary = 0;  // bit 2·axis + side: that outer face is valid
  std::uint8_t constant = 0;  // the same bits: outer faces that stay valid when the interior changes
  std::int16_t along = 0;     // outer faces are valid also beside so many ghost layers (`full`) of the other axes
  std::array<GhostDepth, ghost_kinds> ghosts{};
  Why why_interior, why_boundary, why_ghosts;

  GhostDepth depth(GhostKinds kinds) const;  // the smallest depth among these kinds
  bool operator==(const RegionValidity& b) const;
};
struct Validity {
  std::array<RegionValidity, spaces> in{};
  std::uint32_t version = 0;  // counts the writes of the interior
  RegionValidity& operator[](Space s) { return in[static_cast<int>(s)]; }
  const RegionValidity& operator[](Space s) const { return in[static_cast<int>(s)]; }

  // A write makes the regions that it wrote valid in its own space and invalid in the other space. It makes stale, in
  // both spaces, the ghost zones and boundaries that are computed from those regions.
  void wrote_interior(Space, Why);
  void wrote_boundary(Space, std::uint8_t faces, Why);
  void wrote_everywhere(Space, std::uint8_t outer_faces, int depth, Why);
  void invalidate(Why);
  // A boundary condition filled outer faces. It read a valid interior and the ghost layers of these kinds that are
  // valid now.
  void filled_boundary(Space, GhostKinds, std::uint8_t faces, Why, bool constant = false);
  // The driver filled ghost zones from valid interiors.
  void filled_ghosts(Space, GhostKinds, GhostDepth, Why);
  // The interior of a neighbouring level was written: ghost zones that are interpolated from it become stale.
  void drop_interpolated(Why);
};
}  // namespace cereus
