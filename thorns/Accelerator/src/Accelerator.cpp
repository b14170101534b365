// Decides what travels between host and device: of what a routine reads, the regions that are stale where it runs and
// valid in the other space. Everything else follows from the validity table; nothing is assumed.
#include <cereus/thorn.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <fstream>

#include "regions.hpp"

namespace Accelerator {
class Tracker : public cereus::Accelerator {
 public:
  void bring(Simulation& s, int level, std::span<const VariableAccess> accesses, Space to, Why why) override {
    pieces_.clear();
    for (const auto& a : accesses)
      if (a.mode != Mode::write && s.groups[a.group].kind == GroupKind::grid_function && s.fields.buffers(a.group) > 0)
        plan(s, level, a, to, why);
    if (pieces_.empty()) return;
    const int t = static_cast<int>(to);
    for (const auto& p : pieces_) traffic_.bytes[t] += p.bytes();
    ++traffic_.copies[t];
    s.services.get<Device>().copy(other(to), to, pieces_);
  }
  Traffic traffic() const override { return traffic_; }

  // By routine and variable, for the report.
  using Key = std::tuple<int, int, int, Space>;  // routine, group, component, to
  const std::map<Key, std::int64_t>& by_reader() const { return by_reader_; }

 private:
  static Space other(Space s) { return s == Space::host ? Space::device : Space::host; }

  void plan(Simulation& s, int level, const VariableAccess& a, Space to, Why why) {
    Validity& v = s.fields.validity(a.group, a.component, a.timelevel, level);
    RegionValidity& here = v[to];
    const RegionValidity& there = v[other(to)];
    const Level& l = s.grid.levels[level];
    const auto& centre = s.groups[a.group].centre;
    const bool whole = a.region != Region::interior;
    const int depth = whole ? std::max({s.grid.ghosts[0], s.grid.ghosts[1], s.grid.ghosts[2]}) : a.reach;
    const bool corners = whole || a.corners;
    std::int64_t bytes = 0;
    const auto copy = [&](int block, const Box& box) { bytes += add(s, level, a, block, box, to); };
    const auto blocks = static_cast<int>(l.blocks.size());

    const unsigned outer = s.grid.outer_faces(l);
    const auto deep = [&](const RegionValidity& r) { return !corners || r.along >= depth; };
    if (depth > 0 && deep(there)) {
      const unsigned faces = (deep(here) ? outer & ~here.boundary : outer) & there.boundary;
      if (faces) {
        for (int b = 0; b < blocks; ++b)
          for (const Box& box : boundary_boxes(s.grid, l, l.blocks[b], centre, faces)) copy(b, box);
        here.along = here.boundary & ~faces ? std::min(here.along, there.along) : there.along;
        here.boundary |= static_cast<std::uint8_t>(faces), here.why_boundary = why;
      }
    }
    // Who reads the boundary alone needs the rest only where a condition has to make it.
    const bool rest = a.region != Region::boundary || (outer && ((here.boundary & outer) != outer || !deep(here)));
    if (rest && !here.interior && there.interior) {
      for (int b = 0; b < blocks; ++b) copy(b, l.points(l.blocks[b].cells, centre, s.grid.dim));
      here.interior = true, here.why_interior = there.why_interior;
    }
    GhostDepth& have = here.ghosts[static_cast<int>(GhostKind::copied)];
    const GhostDepth& offered = there.ghosts[static_cast<int>(GhostKind::copied)];
    if (rest && depth > 0 && (corners ? have.full : have.faces) < depth && (corners ? offered.full : offered.faces) >= depth) {
      for (int b = 0; b < blocks; ++b)
        for (const Box& box : ghost_boxes(s.grid, l, l.blocks[b], centre, depth, corners)) copy(b, box);
      const auto d = static_cast<std::int16_t>(depth);
      have.faces = std::max(have.faces, d);
      if (corners) have.full = std::max(have.full, d);
      here.why_ghosts = there.why_ghosts;
    }
    if (bytes > 0) by_reader_[{why.routine, a.group, a.component, to}] += bytes;
  }

  std::int64_t add(const Simulation& s, int level, const VariableAccess& a, int block, const Box& box, Space to) {
    const Layout& layout = s.fields.layout(level, block);
    const auto size = static_cast<Offset>(size_of(s.type(a.group)));
    const Offset at = layout.at(box.lo[0], box.lo[1], box.lo[2]) * size;
    const auto base = [&](Space space) { return s.fields.address(a.group, a.component, a.timelevel, level, block, space) + at; };
    pieces_.push_back({base(other(to)), base(to), {layout.stride[1], layout.stride[2]}, {layout.stride[1], layout.stride[2]},
                       {box.extent(0), box.extent(1), box.extent(2)}, static_cast<int>(size)});
    return pieces_.back().bytes();
  }

  std::vector<CopyPiece> pieces_;
  Traffic traffic_;
  std::map<Key, std::int64_t> by_reader_;
};

// What travelled, for whom: a line a routine and variable.
void report(Context& c) {
  Simulation& s = c.simulation();
  auto* tracker = s.services.find<cereus::Accelerator>();
  if (!tracker || !s.services.find<Device>() || c.rank() != 0) return;
  std::ofstream out(s.output / "copies.txt");
  out << "# bytes between host and device on process 0: to routine variable bytes\n";
  for (const auto& [key, bytes] : static_cast<Tracker*>(tracker)->by_reader()) {
    const auto& [routine, group, component, to] = key;
    out << (to == Space::host ? "host " : "device ") << (routine < 0 ? "a-service" : s.routines[routine].item->full_name()) << ' '
        << s.variable_name(group, component) << ' ' << bytes << '\n';
  }
  const auto t = tracker->traffic();
  out << "# in all: to the host " << t.bytes[0] << ", to the device " << t.bytes[1] << '\n';
  if (!out) throw Failure("cannot write " + (s.output / "copies.txt").string());
}

void declare(Declaration& d) {
  d.describe("Tracks what is valid on host and device, and copies only what is stale where it is read");
  d.provides<cereus::Accelerator>([](const Parameters&) { return std::make_shared<Tracker>(); });
}
void schedule(Schedule& s, const Parameters&) {
  s.routine("report", "Writes copies.txt: what travelled between host and device, for whom", report).at(bin::terminate).once();
}
}  // namespace Accelerator
CEREUS_THORN(Accelerator, Accelerator::declare, Accelerator::schedule)
