// The steps of making valid, apart, so that a kernel can run on the interior while ghost zones travel.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
struct Stale {
  std::vector<Driver::Stale> ghosts, boundaries;
};
void find_stale(Simulation&, int level, std::span<const VariableAccess>, int routine, Space, Stale&);
void finish_ghosts(Simulation&, int level, const Stale&, Space, Why);  // waits for the driver, notes what it did
// Of a routine that looks at parts only: those of what it reads on a level, by block; and brings them to the host.
std::vector<std::pair<int, Box>> parts_read(const Simulation&, const Routine&, int level, int group);
void bring_parts(Simulation&, const Routine&, int level);
void fill_boundaries(Simulation&, int level, const Stale&, Space, Why);

// The rules, for one variable; also for what is only foreseen.
struct Need {  // of a read: so many layers of ghost zones, and whether they and the outer boundary are stale
  int depth;
  bool corners, ghosts, boundary;
};
Need need_of(const Simulation&, int level, const VariableAccess&, const RegionValidity&);
void note_ghosts(Validity&, const Driver::Stale&, Space, Why);
void note_write(const Simulation&, int level, const VariableAccess&, Validity&, Space, Why);
}  // namespace cereus
