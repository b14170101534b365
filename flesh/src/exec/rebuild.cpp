#include "exec/rebuild.hpp"

namespace cereus {
Grid Driver::grid_from(const std::string&) {
  throw Error(
      "the checkpoint is of a grid that was adapted, which this driver cannot make; choose the driver that "
      "wrote it, or start anew with --fresh");
}

void build_services(Simulation& s) {
  for (const auto& offer : s.offers) s.services.add(offer.service, offer.make(s.of(offer.thorn)), offer.thorn);
}

Grid make_grid_of(Simulation& s, const std::string& blocks) {
  auto& driver = s.services.get<Driver>();
  Grid g = driver.make_grid(s.grid.ghosts[0], s.process);
  return blocks.empty() ? g : driver.grid_from(blocks);
}

void rebuild_services(Simulation& s) {
  const std::string blocks = s.services.get<Driver>().grid_text();
  build_services(s);
  make_grid_of(s, blocks);
}
}  // namespace cereus
