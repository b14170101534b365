#include "through.hpp"

#include <Exchange/written.hpp>

namespace Forest {
using namespace cereus;
Through find_through(const Simulation& s, const Plan& plan, const Ghosts& output, const Known& known, int rank) {
  Through t;
  t.layers_x = exchange::layers_across_x(s, output);
  const Level& level = s.grid.levels[output.level];
  std::array<Offset, 6> none{};
  none.fill(BlockLaunch::nowhere);
  t.faces.assign(static_cast<std::size_t>(level.last_block - level.first_block), none);
  for (const Move& m : plan.moves) {
    const int d = axis_of(m);
    if (!is_filled(m, 7, rank)) continue;
    t.crossed |= 1U << d;
    const auto of = [&](int number) { return known.blocks[static_cast<std::size_t>(m.level)].at(number); };
    const int source = of(m.source), target = of(m.target), layers = d == 0 ? t.layers_x : s.grid.ghosts[d];
    if (layers == 0 || s.grid.blocks[source].cells.extent(d) < 2 * layers) continue;  // the same in all blocks
    const Index& first = s.fields.layout(source).first;
    t.faces[static_cast<std::size_t>(source - level.first_block)][static_cast<std::size_t>(
        2 * d + (m.direction[d] < 0))] = s.fields.offset(target) + s.fields.layout(target).at(first[0] + m.shift[0],
                                                                       first[1] + m.shift[1], first[2] + m.shift[2]);
    t.axes |= 1U << d;
  }
  return t;
}

Driver::WriteThrough write_through(Through& t, const Grid& grid, unsigned possible) {
  Driver::WriteThrough w;
  const unsigned axes = t.axes & possible;
  if (!axes) return w;
  auto& ghosts = t.ghosts[axes];
  if (ghosts.empty()) {
    ghosts = t.faces;
    for (auto& faces : ghosts)
      for (std::size_t f = 0; f < 6; ++f)
        if (!(axes >> f / 2 & 1)) faces[f] = BlockLaunch::nowhere;
  }
  w.axes = static_cast<std::uint8_t>(axes), w.ghosts = ghosts;
  for (int d = 0; d < grid.dim; ++d)
    if (axes >> d & 1) w.layers[d] = d == 0 ? t.layers_x : grid.ghosts[d];
  return w;
}
}  // namespace Forest
