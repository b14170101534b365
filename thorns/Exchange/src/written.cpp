#include <Exchange/written.hpp>

namespace exchange {
using namespace cereus;

Version version_of(const Simulation& s, const Ghosts& g, Space space) {
  return {{s.fields.slab(g.group, g.component, g.timelevel, g.level, space), g.level},
      s.fields.validity(g.group, g.component, g.timelevel, g.level).version};
}

void Filled::note(const Simulation& s, std::span<const Ghosts> items, Space space, unsigned axes) {
  for (const Ghosts& g : items) {
    const Version v = version_of(s, g, space);
    axes_[v.place] = {v.version, axes};
  }
}
unsigned Filled::axes(const Simulation& s, const Ghosts& g, Space space) const {
  const Version now = version_of(s, g, space);
  const auto found = axes_.find(now.place);
  return found != axes_.end() && found->second.first == now.version ? found->second.second : 0;
}

int layers_across_x(const Simulation& s, const Ghosts& g) {
  constexpr int sector = 32, vector = 16;
  const int size = static_cast<int>(size_of(s.type(g.group))), values = sector / size,
            layers = (s.grid.ghosts[0] + values - 1) / values * values;
  const Level& level = s.grid.levels[g.level];
  for (int b = level.first_block; b < level.last_block; ++b) {
    const int n = s.grid.blocks[b].cells.extent(0);
    if (n * size % vector != 0 || s.fields.layout(b).stride[1] < n + 2 * layers) return 0;
  }
  return layers;
}
}  // namespace exchange
