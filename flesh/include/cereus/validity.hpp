// Validity: which regions of a timelevel are right, in which space, and why. The single source of truth for syncs,
// copies, poison and output.
#pragma once
#include <array>
#include <cstdint>
namespace cereus {
enum class Space : std::uint8_t { host, device };
inline constexpr int spaces = 2;

struct Why {  // who made a region what it is; formatted only when somebody asks
  std::int32_t iteration = -1, routine = -1;
};
// Ghost zones are counted in layers, because time tiles and subcycling eat them one by one: `faces` is enough for a
// star-shaped read, `full` (edges and corners too) is needed by a box. full ≤ faces.
struct GhostDepth {
  std::int16_t faces = 0, full = 0;
};
enum class GhostKind : std::uint8_t { copied, symmetry, interpolated };
inline constexpr int ghost_kinds = 3;
inline constexpr std::int16_t all_layers = 32767;  // along an outer face that a routine wrote

struct RegionValidity {  // of one variable's timelevel on one level in one space
  bool interior = false;
  std::uint8_t boundary = 0;  // bit 2·axis + side: that outer face is valid,
  std::uint8_t constant = 0;  // and these stay so when the interior changes,
  std::int16_t along = 0;     // and over so many layers of ghost zones (`full`) along it: a condition fills no more
  std::array<GhostDepth, ghost_kinds> ghosts{};
  std::uint8_t pushed = 0;  // axes (bits) across which the writer of the interior filled all ghost layers
  bool sent = false;        // whether the driver has sent ahead what neighbours will want of it
  Why why_interior, why_boundary, why_ghosts;

  bool operator==(const RegionValidity& b) const;
};
struct Validity {
  std::array<RegionValidity, spaces> in{};
  RegionValidity& operator[](Space s) { return in[static_cast<int>(s)]; }
  const RegionValidity& operator[](Space s) const { return in[static_cast<int>(s)]; }

  // A write marks the regions written valid in its own space and invalid in every other, and makes stale, in every
  // space, what is derived from them.
  void wrote_interior(Space, Why);
  void wrote_boundary(Space, std::uint8_t faces, Why);
  void wrote_everywhere(Space, std::uint8_t outer_faces, int depth, Why);
  void invalidate(Why);
  // A condition filled outer faces from a valid interior, and from ghost zones as deep as they are now.
  void filled_boundary(Space, std::uint8_t faces, Why, bool constant = false);
  // The driver filled ghost zones from valid interiors.
  void filled_ghosts(Space, GhostKind, GhostDepth, Why);
};
}  // namespace cereus
