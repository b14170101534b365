// Validity: which regions of a timelevel are right, in which space, and why. The single source of truth for syncs,
// copies, poison and output.
#pragma once
#include <array>
#include <cstdint>
namespace cereus {
enum class Space : std::uint8_t { host, device };
inline constexpr int spaces = 2;

inline constexpr int regridded = -2;  // Why::routine: blocks changed
struct Why {                          // who made a region what it is; formatted only when somebody asks
  std::int32_t iteration = -1, routine = -1;
};
// Ghost zones are counted in layers, because time tiles and subcycling eat them one by one: `faces` is enough for a
// star-shaped read, `full` (edges and corners too) is needed by a box. full ≤ faces.
struct GhostDepth {
  std::int16_t faces = 0, full = 0;
};
// Where ghost zones come from: from blocks of the same level, from mirror images, from other levels or patches.
enum class GhostKind : std::uint8_t { copied, symmetry, interpolated };
inline constexpr int ghost_kinds = 3;
using GhostKinds = std::uint8_t;  // bits
inline constexpr GhostKinds only_copied = 1, interpolated_ghosts = 1 << static_cast<int>(GhostKind::interpolated);
inline constexpr std::int16_t all_layers = 32767;  // along an outer face that a routine wrote

struct RegionValidity {  // of one variable's timelevel on one level in one space
  bool interior = false;
  std::uint8_t boundary = 0;  // bit 2·axis + side: that outer face is valid,
  std::uint8_t constant = 0;  // and these stay so when the interior changes
  std::int16_t along = 0;     // layers of ghost zones (`full`), tangential to a face, over which its boundary is valid
  std::array<GhostDepth, ghost_kinds> ghosts{};
  Why why_interior, why_boundary, why_ghosts;

  GhostDepth depth(GhostKinds kinds) const;  // the least of these kinds
  bool operator==(const RegionValidity& b) const;
};
struct Validity {
  std::array<RegionValidity, spaces> in{};
  std::uint32_t version = 0;  // counts the writes of the interior
  RegionValidity& operator[](Space s) { return in[static_cast<int>(s)]; }
  const RegionValidity& operator[](Space s) const { return in[static_cast<int>(s)]; }

  // A write marks the regions written valid in its own space and invalid in every other, and makes stale, in every
  // space, what is derived from them.
  void wrote_interior(Space, Why);
  void wrote_boundary(Space, std::uint8_t faces, Why);
  void wrote_everywhere(Space, std::uint8_t outer_faces, int depth, Why);
  void invalidate(Why);
  // A condition filled outer faces from a valid interior, and from ghost zones of these kinds as deep as they are now.
  void filled_boundary(Space, GhostKinds, std::uint8_t faces, Why, bool constant = false);
  // The driver filled ghost zones from valid interiors.
  void filled_ghosts(Space, GhostKinds, GhostDepth, Why);
  // The interior of a neighbouring level was written.
  void drop_interpolated(Why);
};
}  // namespace cereus
