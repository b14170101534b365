// Starts a kernel's loop: finds addresses and boxes; knows nothing of what the kernel does.
#include <algorithm>

#include "cereus/memory.hpp"
#include "cereus/simulation.hpp"

namespace cereus {
namespace {
// Rows of a cache block: the planes that a stencil reads should stay in the second-level cache while k advances.
int tile_rows(const Simulation& s, const LaunchRequest& r, const Box& box, Offset pitch) {
  static const double cache = cache_share(2) > 0 ? cache_share(2) : 1 << 20;
  Offset bytes = 0;
  for (const auto& a : r.handles)
    if (a.mode == Mode::read && a.reach > 0)
      bytes += (2 * a.reach + 1) * pitch * static_cast<Offset>(size_of(s.type(a.group)));
  if (bytes == 0 || box.extent(2) < 2) return 0;
  return std::clamp(static_cast<int>(0.75 * cache / static_cast<double>(bytes)) / 8 * 8, 8, 512);
}
}  // namespace

Space space_of(const Simulation& s, const KernelTable& table) {
  const auto* device = s.services.find<Device>();
  return device && device->can_run(table) ? Space::device : Space::host;
}
Space kernel_space(const Simulation& s) { return s.services.find<Device>() ? Space::device : Space::host; }

void launch(Simulation& s, const LaunchRequest& r) {
  const auto& table = *r.table;
  const Space space = r.space.value_or(space_of(s, table));
  const Level& level = s.grid.levels[r.level];
  const std::size_t handles = r.handles.size();
  // On a device a kernel that only writes interiors runs in the loop of updates, which moves vectors: what it writes,
  // times 1.
  static const Epilogue as_it_is{.b = 1};
  // Not on a mirror, which runs plain loops in any order; nor for complex numbers, where 1 · z may differ from z.
  const bool real = table.type == ScalarType::float32 || table.type == ScalarType::float64;
  const bool plain = !r.update && !r.watch && space == Space::device && table.host_fused[0] && real &&
                     !s.services.get<Device>().architecture().empty();
  const std::size_t width =
      handles + (r.update || plain ? static_cast<std::size_t>(table.outputs) * Epilogue::addresses : 0);
  std::vector<char*> address(width * r.boxes.size());
  std::vector<BlockLaunch> blocks;
  blocks.reserve(r.boxes.size());
  for (const auto& [b, box] : r.boxes) {
    if (box.empty()) continue;
    char** row = address.data() + blocks.size() * width;
    std::size_t output = 0;
    for (std::size_t h = 0; h < handles; ++h) {
      const auto& a = r.handles[h];
      const bool updated = r.update && a.mode == Mode::write;
      row[h] = updated ? nullptr : s.fields.address(a.group, a.component, a.timelevel, r.level, b, space);
      if (plain && a.mode == Mode::write) row[handles + output++ * Epilogue::addresses] = row[h];
      if (!updated) continue;
      const int state = s.group_number(s.groups[a.group].rhs_of);
      char** to = row + handles + output++ * Epilogue::addresses;
      to[0] = s.fields.address(state, a.component, r.update->destination, r.level, b, space);
      for (int n = 0; n < r.update->epilogue.sources; ++n)
        to[1 + n] = s.fields.address(state, a.component, r.update->source[n], r.level, b, space);
      if (!r.ghosts.empty())
        for (std::size_t side = 0; side < 2; ++side)
          to[1 + Epilogue::max_sources + side] =
              r.ghosts[6 * (static_cast<std::size_t>(table.outputs * b) + output - 1) + side].to;
    }
    const Layout& layout = s.fields.layout(r.level, b);
    BlockLaunch l{row, {}, {}, {}, {}};
    if (!r.ghosts.empty()) l.ghosts = &r.ghosts[static_cast<std::size_t>(6 * table.outputs * b)];
    for (int d = 0; d < 3; ++d) {
      l.first[d] = layout.first[d];
      l.end[d] = level.blocks[b].cells.hi[d];
      l.lo[d] = box.lo[d], l.hi[d] = box.hi[d];
      l.stride[d] = layout.stride[d];
    }
    blocks.push_back(l);
  }
  if (blocks.empty()) return;
  // Coordinates are those of what is written; where nothing is, of what is read.
  const auto output =
      std::find_if(r.handles.begin(), r.handles.end(), [](const auto& a) { return a.mode != Mode::read; });
  const auto& place = output == r.handles.end() ? r.handles.front() : *output;
  Launch l{blocks.data(), static_cast<int>(blocks.size()), level.geometry(s.groups[place.group].centre)};
  if (table.reads_time && !*table.reads_time) l.geometry.time = 0;
  l.result = r.result;
  l.tile_rows = tile_rows(s, r,
      {{blocks[0].lo[0], blocks[0].lo[1], blocks[0].lo[2]}, {blocks[0].hi[0], blocks[0].hi[1], blocks[0].hi[2]}},
      blocks[0].stride[1]);
  if (r.watch) return table.watch(table.kernel.get(), l, r.watch);
  if (r.update || plain) l.epilogue = r.update ? &r.update->epilogue : &as_it_is;
  if (space == Space::device) return s.services.get<Device>().launch(table, l, width, r.who);
  if (!r.update) return table.host(table.kernel.get(), l);
  table.host_fused[l.epilogue->sources](table.kernel.get(), l);
}

Box without_strip(const Simulation& s, int level, int block, Box box, int layers) {
  const Level& l = s.grid.levels[level];
  for (int d = 0; d < s.grid.dim; ++d) {
    if (l.at_face(l.blocks[block].cells, d, 0)) box.lo[d] += layers;
    if (l.at_face(l.blocks[block].cells, d, 1)) box.hi[d] -= layers;
  }
  return box;
}

std::vector<std::pair<int, Box>> strip_of(
    const Simulation& s, int level, int layers, const std::array<Centre, 3>& centre) {
  std::vector<std::pair<int, Box>> boxes;
  for (const auto& [b, box] : boxes_of(s, level, Region::interior, centre))
    for (const Box& part : difference(box, without_strip(s, level, b, box, layers))) boxes.emplace_back(b, part);
  return boxes;
}

std::vector<std::pair<int, Box>> boxes_of(
    const Simulation& s, int level, Region region, const std::array<Centre, 3>& centre) {
  std::vector<std::pair<int, Box>> boxes;
  const Level& l = s.grid.levels[level];
  for (int b = 0; b < static_cast<int>(l.blocks.size()); ++b) {
    const Block& block = l.blocks[b];
    if (region == Region::interior) boxes.emplace_back(b, l.points(block.cells, centre, s.grid.dim));
    else if (region == Region::everywhere) boxes.emplace_back(b, s.grid.everywhere(l, block, centre));
    else
      for (int axis = 0; axis < s.grid.dim; ++axis)
        for (int side = 0; side < 2; ++side)
          if (const Box box = s.grid.boundary(l, block, centre, axis, side); !box.empty()) boxes.emplace_back(b, box);
  }
  return boxes;
}
}  // namespace cereus
