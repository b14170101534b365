// Decides what travels between host and device: of what a routine reads, the regions that are stale where it runs and
// valid in the other space. Everything else follows from the validity table; nothing is assumed.
#include <cereus/thorn.hpp>

#include <algorithm>

#include "regions.hpp"

namespace Accelerator {
namespace {
Space other(Space s) { return s == Space::host ? Space::device : Space::host; }

// Calls copy(block, box) for all that a read in `to` needs from the other space, and notes it.
template <class Copy>
void plan(const Simulation& s, int level, const VariableAccess& a, Validity& v, Space to, Why why, const Copy& copy) {
  RegionValidity& here = v[to];
  const RegionValidity& there = v[other(to)];
  const Level& l = s.grid.levels[level];
  const auto& centre = s.groups[a.group].centre;
  const bool whole = a.region != Region::interior;
  const int depth = depth_of(s, a);
  const bool corners = whole || a.corners;

  const unsigned outer = s.grid.outer_faces(l);
  const auto deep = [&](const RegionValidity& r) { return !corners || r.along >= depth; };
  if (depth > 0 && deep(there)) {
    const unsigned faces = (deep(here) ? outer & ~here.boundary : outer) & there.boundary;
    if (faces) {
      for (int b = l.first_block; b < l.last_block; ++b)
        for (const Box& box : boundary_boxes(s.grid, s.grid.blocks[b], centre, faces)) copy(b, box);
      here.along = here.boundary & ~faces ? std::min(here.along, there.along) : there.along;
      here.boundary |= static_cast<std::uint8_t>(faces), here.why_boundary = why;
      here.constant |= static_cast<std::uint8_t>(there.constant & faces);
    }
  }
  // Who reads the boundary alone needs the rest only where a condition has to make it.
  const bool rest = a.region != Region::boundary || (outer && ((here.boundary & outer) != outer || !deep(here)));
  if (rest && !here.interior && there.interior) {
    for (int b = l.first_block; b < l.last_block; ++b) copy(b, s.grid.points(s.grid.blocks[b], centre));
    here.interior = true, here.why_interior = there.why_interior;
  }
  const GhostDepth have = here.depth(l.ghosts), offered = there.depth(l.ghosts);
  if (rest && depth > 0 && (corners ? have.full : have.faces) < depth &&
      (corners ? offered.full : offered.faces) >= depth) {
    for (int b = l.first_block; b < l.last_block; ++b)
      for (const Box& box : ghost_boxes(s.grid, s.grid.blocks[b], centre, depth, corners)) copy(b, box);
    const auto d = static_cast<std::int16_t>(depth);
    v.filled_ghosts(
        to, l.ghosts, {std::max(have.faces, d), corners ? std::max(have.full, d) : have.full}, there.why_ghosts);
  }
}
}  // namespace

class Tracker : public cereus::Accelerator {
 public:
  void bring(Simulation& s, int level, std::span<const VariableAccess> accesses, Space to, Why why) override {
    pieces_.clear();
    for (const auto& a : accesses) {
      if (a.mode == Mode::write || s.groups[a.group].kind != GroupKind::grid_function || s.fields.buffers(a.group) == 0)
        continue;
      std::int64_t bytes = 0;
      plan(s, level, a, s.fields.validity(a.group, a.component, a.timelevel, level), to, why,
          [&](int block, const Box& box) { bytes += add(s, a, block, box, to); });
      s.traffic.add({why.routine, a.group, a.component}, to == Space::host ? Moved{bytes, 0} : Moved{0, bytes});
    }
    if (!pieces_.empty()) s.services.get<Device>().copy(other(to), to, pieces_);
  }

  void bring_boxes(
      Simulation& s, int level, const VariableAccess& a, std::span<const BlockBox> boxes, Space to, Why why) override {
    if (s.fields.validity(a.group, a.component, a.timelevel, level)[to].interior) return;
    pieces_.clear();
    std::int64_t bytes = 0;
    for (const auto& [block, box] : boxes) bytes += add(s, a, block, box, to);
    s.traffic.add({why.routine, a.group, a.component}, to == Space::host ? Moved{bytes, 0} : Moved{0, bytes});
    if (!pieces_.empty()) s.services.get<Device>().copy(other(to), to, pieces_);
  }

  std::int64_t bytes_to_bring(
      const Simulation& s, int level, const VariableAccess& a, Validity& v, Space to) const override {
    std::int64_t points = 0;
    plan(s, level, a, v, to, {}, [&](int, const Box& box) { points += box.points(); });
    return points * static_cast<std::int64_t>(size_of(s.type(a.group)));
  }

 private:
  std::int64_t add(const Simulation& s, const VariableAccess& a, int block, const Box& box, Space to) {
    const Layout& layout = s.fields.layout(block);
    const auto size = static_cast<Offset>(size_of(s.type(a.group)));
    const Offset at = layout.at(box.lo[0], box.lo[1], box.lo[2]) * size;
    const auto base = [&](Space space) {
      return s.fields.address(a.group, a.component, a.timelevel, block, space) + at;
    };
    pieces_.push_back({base(other(to)), base(to), {layout.stride[1], layout.stride[2]},
        {layout.stride[1], layout.stride[2]}, {box.extent(0), box.extent(1), box.extent(2)}, static_cast<int>(size)});
    return pieces_.back().bytes();
  }

  std::vector<CopyPiece> pieces_;
};

void declare(Declaration& d) {
  d.describe("Tracks what is valid on host and device, and copies only what is stale where it is read");
  d.provides<cereus::Accelerator>([](const Parameters&) { return std::make_shared<Tracker>(); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Accelerator
CEREUS_THORN(Accelerator, Accelerator::declare, Accelerator::schedule)
