// Makes services anew, and the grid that they know: for another thread, and in an audit.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Makes the services that were chosen.
void build_services(Simulation&);
// Destroys and makes again all services: what they keep beside the simulation must not matter.
void rebuild_services(Simulation&);
// The grid that Driver::grid_text described, made by the driver that is there now.
Grid make_grid_of(Simulation&, const std::string& blocks);
}  // namespace cereus
