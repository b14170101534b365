// The steps of making valid, apart, so that a kernel can run on the interior while ghost zones travel.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
struct Stale {
  std::vector<Driver::Stale> ghosts, boundaries;
};
void find_stale(Simulation&, int level, std::span<const VariableAccess>, int routine, Space, Stale&);
void fill_ghosts_done(Simulation&, int level, const Stale&, Space, Why);
void fill_boundaries(Simulation&, int level, const Stale&, Space, Why);
}  // namespace cereus
