// Inside, outside, and what leaves: the order in which points are updated around an exchange of ghost zones.
#include "cereus/exchange.hpp"

#include "exec/make_valid.hpp"

namespace cereus {
namespace {
BlockBoxes skin(const BlockBoxes& boxes, const BlockBoxes& inside) {
  BlockBoxes result;
  for (std::size_t n = 0; n < boxes.size(); ++n)
    for (const Box& part : difference(boxes[n].second, inside[n].second)) result.emplace_back(boxes[n].first, part);
  return result;
}

unsigned outer_of(const Simulation& s, int level, int block) {
  const Level& l = s.grid.levels[level];
  unsigned faces = 0;
  for (int d = 0; d < s.grid.dim; ++d)
    for (int side = 0; side < 2; ++side) faces |= l.at_face(l.blocks[block].cells, d, side) ? 1U << (2 * d + side) : 0;
  return faces;
}

std::vector<Driver::Stale> send_ahead(Simulation& s, const PointUpdate& u, std::vector<Driver::Stale> items) {
  for (auto& item : items) {
    const int buffer = u.successor(item);
    if (buffer < 0) return {};
    item.timelevel = buffer, item.pushed = 0;
  }
  if (!s.services.get<Driver>().send_ahead(s, u.level, items, u.space)) items.clear();
  return items;
}
}  // namespace

std::vector<Driver::Stale> update_beside_exchange(Simulation& s, const PointUpdate& u) {
  Stale stale;
  find_stale(s, u.level, u.reads, u.routine, u.space, stale);
  const Why why{s.clock.iteration, u.routine};
  auto* driver = stale.ghosts.empty() ? nullptr : &s.services.get<Driver>();
  if (driver) driver->begin_sync(s, u.level, stale.ghosts, u.space);
  BlockBoxes inside;
  bool split = false;
  if (driver && s.overlap && u.inner)
    for (const auto& [b, box] : u.boxes) {
      const unsigned arriving = driver->faces_under_way(s, u.level, b);
      inside.emplace_back(b, u.inner(box, arriving, stale.boundaries.empty() ? 0 : outer_of(s, u.level, b)));
      split = split || arriving;
    }
  // On a device messages are unpacked, and what waits for them is updated, beside the interior.
  Device* beside = split && u.space == Space::device ? &s.services.get<Device>() : nullptr;
  const auto finish = [&] {
    if (driver) finish_ghosts(s, u.level, stale, u.space, why);
    fill_boundaries(s, u.level, stale, u.space, why);
  };
  // What left ahead of time is unpacked beside the update before. The rest then starts, and the interior a moment
  // later.
  const bool there = beside && u.faces_first && std::ranges::all_of(stale.ghosts, &Driver::Stale::sent);
  if (there) beside->begin_side(), finish(), beside->end_side();
  if (split) u.run(inside, false);
  if (beside) beside->begin_side();
  if (!there) finish();
  u.run(split ? skin(u.boxes, inside) : u.boxes, true);
  std::vector<Driver::Stale> sent;
  if (beside && u.successor) sent = send_ahead(s, u, stale.ghosts);
  if (beside) beside->end_side();
  return sent;
}
}  // namespace cereus
