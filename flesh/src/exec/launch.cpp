// Starts a kernel's loop: finds addresses and boxes; knows nothing of what the kernel does.
#include <algorithm>
#include <atomic>

#include "cereus/memory.hpp"
#include "cereus/simulation.hpp"
#include "exec/plan.hpp"

namespace cereus {
namespace {
// The number of rows of a cache block, such that the planes that a stencil reads stay in the second-level cache while k
// advances.
int tile_rows(const Simulation& s, const LaunchRequest& r, const BlockLaunch& b, Offset pitch) {
  static const double cache = cache_share(2) > 0 ? cache_share(2) : 1 << 20;
  Offset bytes = 0;
  for (const auto& a : r.handles)
    if (a.mode == Mode::read && a.reach > 0 && !a.elsewhere)
      bytes += (2 * a.reach + 1) * pitch * static_cast<Offset>(size_of(s.type(a.group)));
  if (bytes == 0 || b.hi[2] - b.lo[2] < 2) return 0;
  return std::clamp(static_cast<int>(0.75 * cache / static_cast<double>(bytes)) / 8 * 8, 8, 512);
}
}  // namespace

Space space_of(const Simulation& s, const KernelTable& table) {
  const auto* device = s.services.find<Device>();
  return device && device->can_run(table) ? Space::device : Space::host;
}
Space kernel_space(const Simulation& s) { return s.services.find<Device>() ? Space::device : Space::host; }

namespace {
// The addresses that a launch passes: the first point of each handle's slab, then those of the updated states. On the
// stack unless there are many.
class Addresses {
 public:
  Addresses(const Simulation& s, const LaunchRequest& r, Space space, bool updates) {
    for (const auto& a : r.handles) {
      const bool state = r.update && a.mode == Mode::write && !r.update->epilogue.partial;
      const Simulation& owner = a.elsewhere ? *r.other : s;
      push(state ? nullptr : owner.fields.slab(a.group, a.component, a.timelevel, a.elsewhere ? 0 : r.level, space));
    }
    for (const auto& a : r.handles) {
      if (!updates || a.mode != Mode::write) continue;
      const std::size_t next = size_ + Epilogue::addresses;
      if (r.update) {
        const int state = s.groups[a.group].evolves;
        push(s.fields.slab(state, a.component, r.update->destination, r.level, space));
        for (int n = 0; n < r.update->epilogue.sources; ++n)
          push(s.fields.slab(state, a.component, r.update->source[n], r.level, space));
      } else push(s.fields.slab(a.group, a.component, a.timelevel, r.level, space));
      while (size_ < next) push(nullptr);
    }
  }
  char* const* data() const { return many_.empty() ? few_ : many_.data(); }

 private:
  void push(char* address) {
    if (size_ == std::size(few_)) many_.assign(few_, few_ + size_);
    if (many_.empty()) few_[size_] = address;
    else many_.push_back(address);
    ++size_;
  }
  char* few_[256];
  std::vector<char*> many_;
  std::size_t size_ = 0;
};

std::atomic<unsigned long long> lists{0};
}  // namespace

LaunchBoxes::LaunchBoxes(const Simulation& s, std::span<const BlockBox> boxes,
    std::span<const std::array<Offset, 6>> ghosts, std::span<const Box> updated)
    : number(++lists) {
  for (const auto& [b, box] : boxes) {
    if (box.empty()) continue;
    const Block& block = s.grid.blocks[b];
    const auto in_level = static_cast<std::size_t>(b - s.grid.levels[block.level].first_block);
    const Box& part = updated.empty() ? box : updated[in_level];
    BlockLaunch& l = blocks.emplace_back();
    l.at = s.fields.offset(b);
    for (int d = 0; d < 3; ++d) {
      l.first[d] = block.cells.lo[d], l.end[d] = block.cells.hi[d];
      l.lo[d] = box.lo[d], l.hi[d] = box.hi[d];
      l.updated_lo[d] = part.lo[d], l.updated_hi[d] = part.hi[d];
    }
    if (!ghosts.empty()) std::ranges::copy(ghosts[in_level], l.ghosts);
  }
}

void launch(Simulation& s, const LaunchRequest& r) {
  if (r.list.n_blocks == 0) return;
  const auto& table = *r.table;
  const Space space = r.space.value_or(space_of(s, table));
  const Level& level = s.grid.levels[r.level];
  // On a device a kernel that only writes interiors runs in the vectorised loop for updates, with the update
  // "1 times the output".
  static const Epilogue as_it_is{.b = 1};
  // On a mirror it runs in the plain loop.
  const bool stretched = level.space.stretched(), mapped = level.space.map != 0;
  const bool plain = !r.update && !r.watch && space == Space::device && table.may_store(stretched, mapped) &&
                     !s.services.get<Device>().runs_host_code();
  const Epilogue* const epilogue = r.update     ? &r.update->epilogue
                                   : r.epilogue ? r.epilogue
                                   : plain      ? &as_it_is
                                                : nullptr;
  const Addresses addresses(s, r, space, epilogue);
  // Coordinates are those of the first output; without outputs, those of the first input.
  const auto output = std::ranges::find_if(r.handles, [](const auto& a) { return a.mode != Mode::read; });
  const auto& place = output == r.handles.end() ? r.handles.front() : *output;
  Geometry geometry[Launch::most_geometries];  // the list's geometry g is that of the level so many above
  const int geometries = r.list.blocks[r.list.n_blocks - 1].geometry + 1;
  for (int g = 0; g < geometries; ++g) {
    const Level& of = s.grid.levels[r.level + g];
    geometry[g] = of.space.geometry(s.groups[place.group].centre, of.clock, r.watch ? Space::host : space);
    if (table.loops().reads_time && !*table.loops().reads_time) geometry[g].time = 0;
  }
  const Layout& layout = s.fields.layout(level.first_block);
  Launch l{r.list, addresses.data(), {layout.stride[0], layout.stride[1], layout.stride[2]}, geometry, geometries};
  l.result = r.result, l.stretched = stretched && table.looks_at_axes(), l.mapped = mapped && table.looks_at_axes();
  if (l.mapped && table.only_straight_axes())
    throw Failure(std::string(r.who) + " computes on a straight grid, and " + s.services.provider<Driver>() +
                  " has shells around it");
  if (l.stretched && table.only_uniform_axes())
    throw Failure(std::string(r.who) + " computes with one spacing for all points of an axis, and " +
                  s.services.provider<Driver>() + " stretches axes; take uniform ones");
  l.tile_rows = tile_rows(s, r, r.list.blocks[0], layout.stride[1]);
  if (r.watch) return (l.mapped ? table.loops().watch_mapped : table.loops().watch)(table.kernel.get(), l, r.watch);
  l.epilogue = epilogue;
  if (space == Space::device) return s.services.get<Device>().launch(table, l, r.who);
  table.loop(l)(table.kernel.get(), l);
}

void launch(Simulation& s, LaunchRequest r, std::span<const BlockBox> boxes) {
  LaunchBoxes once(s, boxes);
  once.number = 0;
  r.list = once.list();
  launch(s, r);
}

namespace {
// Whether a launch on two levels can be one: the box of level first + g has geometry g. What is reduced goes level by
// level.
bool joins(const Simulation& s, const LaunchRequest& r, Space space, int first, int other) {
  if (s.audit || r.result || other - first >= Launch::most_geometries) return false;
  const Level &a = s.grid.levels[first], &b = s.grid.levels[other];
  const bool alike = a.patch == b.patch || (a.space.map && b.space.map);
  if (a.clock.dt != b.clock.dt || a.clock.time != b.clock.time || !alike || a.space.stretched()) return false;
  const auto same = [&](int group, int component, int timelevel) {
    return s.fields.slab(group, component, timelevel, first, space) ==
           s.fields.slab(group, component, timelevel, other, space);
  };
  for (const VariableAccess& h : r.handles) {
    const bool updates = r.update && h.mode != Mode::read;
    const bool stored = !updates || r.update->epilogue.partial;  // else it has no memory of its own
    if (h.elsewhere || (stored && !same(h.group, h.component, h.timelevel))) return false;
    if (!updates) continue;
    const int state = s.groups[h.group].evolves;
    if (!same(state, h.component, r.update->destination)) return false;
    for (int n = 0; n < r.update->epilogue.sources; ++n)
      if (!same(state, h.component, r.update->source[n])) return false;
  }
  return true;
}
}  // namespace

void launch(Simulation& s, LaunchRequest r, std::span<const LevelBoxes> boxes) {
  if (!s.plans) s.plans = std::make_shared<LaunchPlans>();
  const Space space = r.space.value_or(space_of(s, *r.table));
  std::vector<LevelBoxes> lists;
  std::ranges::copy_if(boxes, std::back_inserter(lists), [](const LevelBoxes& l) { return !l.boxes->blocks.empty(); });
  for (std::size_t first = 0, last = 0; first < lists.size(); first = last) {
    for (last = first + 1; last < lists.size() && joins(s, r, space, lists[first].level, lists[last].level);) ++last;
    const auto levels = std::span(lists).subspan(first, last - first);
    r.level = levels.front().level;
    r.list = levels.size() == 1 ? levels.front().boxes->list() : s.plans->joined(s, levels).list();
    launch(s, r);
  }
}

Box without_strip(const Simulation& s, int block, Box box, const Strip& strip) {
  const Block& b = s.grid.blocks[block];
  for (int d = 0; d < s.grid.dim; ++d) {
    if (b.outer(d, 0) && strip.faces >> (2 * d) & 1) box.lo[d] += strip.layers;
    if (b.outer(d, 1) && strip.faces >> (2 * d + 1) & 1) box.hi[d] -= strip.layers;
  }
  return box;
}

BlockBoxes strip_of(const Simulation& s, int level, const Strip& strip, const std::array<Centre, 3>& centre) {
  BlockBoxes boxes;
  for (const auto& [b, box] : boxes_of(s, level, Region::interior, centre))
    for (const Box& part : difference(box, without_strip(s, b, box, strip))) boxes.push_back({b, part});
  return boxes;
}

BlockBoxes level_faces_of(const Simulation& s, int level, int axis, const std::array<Centre, 3>& centre) {
  BlockBoxes boxes;
  for (auto [b, box] : boxes_of(s, level, Region::interior, centre))
    for (const int side : {0, 1}) {
      if (s.grid.blocks[b].face[2 * axis + side] != Face::refinement) continue;
      Box layer = box;
      layer.lo[axis] = side ? box.hi[axis] : box.lo[axis];
      layer.hi[axis] = layer.lo[axis] + 1;
      boxes.push_back({b, layer});
    }
  return boxes;
}

std::array<Centre, 3> centre_of(const Simulation& s, std::span<const VariableAccess> accesses) {
  const auto reads = [](const VariableAccess& a) { return a.mode == Mode::read; };
  const bool writes = !std::ranges::all_of(accesses, reads);
  auto centre = s.groups[accesses.front().group].centre;
  if (writes) centre.fill(Centre::cell);
  for (const auto& a : accesses)
    for (int d = 0; d < 3 && writes && !reads(a); ++d)
      if (s.groups[a.group].centre[d] == Centre::vertex) centre[d] = Centre::vertex;
  return centre;
}

BlockBoxes boxes_of(const Simulation& s, int level, Region region, const std::array<Centre, 3>& centre, int margin) {
  BlockBoxes boxes;
  const Level& l = s.grid.levels[level];
  for (int b = l.first_block; b < l.last_block; ++b) {
    const Block& block = s.grid.blocks[b];
    if (region == Region::interior) boxes.push_back({b, s.grid.points(block, centre)});
    else if (region == Region::everywhere) {
      Box box = s.grid.everywhere(block, centre);
      for (int d = 0; d < s.grid.dim; ++d) box.lo[d] += margin, box.hi[d] -= margin;
      boxes.push_back({b, box});
    } else
      for (int face = 0; face < 2 * s.grid.dim; ++face)
        if (const Box box = s.grid.boundary(block, centre, face / 2, face % 2); !box.empty()) boxes.push_back({b, box});
  }
  return boxes;
}
}  // namespace cereus
