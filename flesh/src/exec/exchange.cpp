// The order of an exchange, the boundary conditions and the two parts of the update.
#include "cereus/exchange.hpp"

#include "exec/timed.hpp"
#include "exec/valid.hpp"

namespace cereus {
void update_around_exchange(Simulation& s, const Reader& r, const Stale& stale, PointUpdate& u) {
  using Part = PointUpdate::Part;
  const Why why{s.clock.iteration, r.routine};
  const auto fill = [&] {
    for (const auto& g : stale.ghosts)
      note_ghosts(s, s.fields.validity(g.group, g.component, g.timelevel, g.level), g, r.space, why);
    fill_boundaries(s, stale.boundaries, r.space, why);
  };
  if (stale.ghosts.empty()) {
    fill();
    return u.run(Part::all);
  }
  std::unique_ptr<Exchange> exchange;
  bool split;
  {
    const Share starting(Shared::ghosts, true);
    exchange = begin_exchange(s, stale.ghosts, r.space, r.routine);
    split = s.overlap && u.split(*exchange, !stale.boundaries.empty());
  }
  if (!split) {
    {
      const Share exchanging(Shared::ghosts);
      exchange->finish(s);
    }
    fill();
    return u.run(Part::all);
  }
  const auto run = [&](Part part) {
    const Share own = Share::own();
    u.run(part);
  };
  const Share exchanging(Shared::ghosts, true);
  exchange->finish_around(
      s, {[&] { run(Part::inside); }, fill, [&] { run(Part::rest); }, u.rest_first, u.next(stale.ghosts)});
}
}  // namespace cereus
