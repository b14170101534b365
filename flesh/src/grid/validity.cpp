// The rules by which writes and syncs change what is valid; everything else only reads the table.
#include "cereus/validity.hpp"

#include <algorithm>

namespace cereus {
bool RegionValidity::operator==(const RegionValidity& b) const {
  bool same = interior == b.interior && boundary == b.boundary && along == b.along;
  for (int k = 0; k < ghost_kinds; ++k)
    same = same && ghosts[k].faces == b.ghosts[k].faces && ghosts[k].full == b.ghosts[k].full;
  return same;
}

GhostDepth RegionValidity::depth(GhostKinds kinds) const {
  GhostDepth least{all_layers, all_layers};
  for (int k = 0; k < ghost_kinds; ++k)
    if (kinds >> k & 1) {
      least.faces = std::min(least.faces, ghosts[k].faces);
      least.full = std::min(least.full, ghosts[k].full);
    }
  return least;
}

namespace {
void drop_derived(RegionValidity& r, Why why) {
  r.ghosts = {};
  r.boundary &= r.constant;
  if (r.boundary == 0) r.along = 0;
  r.why_ghosts = r.why_boundary = why;
}
}  // namespace

void Validity::wrote_interior(Space space, Why why) {
  ++version;
  for (auto& r : in) {
    drop_derived(r, why);
    r.interior = false;
    r.why_interior = why;
  }
  (*this)[space].interior = true;
}

void Validity::wrote_boundary(Space space, std::uint8_t faces, Why why) {
  for (auto& r : in) {
    r.boundary &= static_cast<std::uint8_t>(~faces), r.constant &= static_cast<std::uint8_t>(~faces);
    r.why_boundary = why;
  }
  auto& r = (*this)[space];
  if (r.boundary == 0) r.along = all_layers;  // else some faces are not written now
  r.boundary |= faces;
}

void Validity::filled_boundary(Space space, GhostKinds kinds, std::uint8_t faces, Why why, bool constant) {
  auto& r = (*this)[space];
  r.boundary |= faces, r.why_boundary = why;
  r.along = r.depth(kinds).full;
  if (constant) r.constant |= faces, r.along = all_layers;  // not made from what lies along it
}

void Validity::wrote_everywhere(Space space, std::uint8_t outer_faces, int depth, Why why) {
  for (auto& r : in) r.constant = 0;
  wrote_interior(space, why);
  auto& r = (*this)[space];
  r.boundary = outer_faces, r.along = all_layers;
  r.ghosts.fill({static_cast<std::int16_t>(depth), static_cast<std::int16_t>(depth)});
}

void Validity::invalidate(Why why) {
  ++version;
  for (auto& r : in) {
    drop_derived(r, why);
    r.interior = false;
    r.why_interior = why;
  }
}

void Validity::filled_ghosts(Space space, GhostKinds kinds, GhostDepth depth, Why why) {
  auto& r = (*this)[space];
  for (int k = 0; k < ghost_kinds; ++k)
    if (kinds >> k & 1) r.ghosts[k] = depth;
  r.why_ghosts = why;
}

void Validity::drop_interpolated(Why why) {
  for (auto& r : in) {
    r.ghosts[static_cast<int>(GhostKind::interpolated)] = {};
    if (r.along != all_layers) r.along = 0;  // the boundary beside ghost zones was made from these
    r.why_ghosts = why;
  }
}
}  // namespace cereus
