// The steps of making valid, and the rules for one variable.
#pragma once
#include "cereus/exchange.hpp"
namespace cereus {
// Applies the conditions to outer faces, level by level.
void fill_boundaries(Simulation&, std::span<const Ghosts>, Space, Why);
// Of a routine that looks at parts only: those of what it reads on a level; and brings them to the host.
BlockBoxes parts_read(const Simulation&, const Routine&, int level, int group);
void bring_parts(Simulation&, const Routine&, int level);

struct Need {  // of a read: so many layers of ghost zones, and whether they and the outer boundary are stale
  int depth;
  bool corners, ghosts, boundary;
};
Need need_of(const Simulation&, int level, const VariableAccess&, const RegionValidity&);
// What is valid once ghost zones are filled, and once a region is written; in a table of the caller's.
void note_ghosts(const Simulation&, Validity&, const Ghosts&, Space, Why);
void note_write(const Simulation&, int level, const VariableAccess&, Validity&, Space, Why);
// In the table of the run; ghost zones of other levels that are made from this one become stale.
void note_write(Simulation&, int level, const VariableAccess&, Space, Why);
// All that a routine declares to write.
void note_writes(Simulation&, const Routine&, int level, Space);
}  // namespace cereus
