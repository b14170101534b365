// The steps of make_valid (cereus/simulation.hpp) and find_stale (cereus/exchange.hpp), and the rules of validity for
// one variable.
#pragma once
#include "cereus/exchange.hpp"
namespace cereus {
// Driver::exchange. Where processes are of two kinds, each has a table of its own of what is stale: throws Failure if
// not all ask for the same.
std::unique_ptr<Exchange> begin_exchange(Simulation&, std::span<const Ghosts>, Space, int routine);
// Applies boundary conditions to outer faces, level by level.
void fill_boundaries(Simulation&, std::span<const Ghosts>, Space, Why);
// For a routine with Item::parts, which reads only some boxes: those boxes on a level; and copies them to the host.
BlockBoxes parts_read(const Simulation&, const Routine&, int level, int group);
void bring_parts(Simulation&, const Routine&, int level);

struct Need {  // the ghost layers that a read needs, and whether ghost zones and the outer boundary are stale
  int depth;
  bool corners, ghosts, boundary;
};
Need need_of(const Simulation&, int level, const VariableAccess&, const RegionValidity&);
// Notes in a table of the caller that ghost zones were filled, and that a region was written.
void note_ghosts(const Simulation&, Validity&, const Ghosts&, Space, Why);
void note_write(const Simulation&, int level, const VariableAccess&, Validity&, Space, Why);
// Notes a write in the table of the run; ghost zones of other levels that are interpolated from this level become
// stale.
void note_write(Simulation&, int level, const VariableAccess&, Space, Why);
// Notes all writes that a routine declares.
void note_writes(Simulation&, const Routine&, int level, Space);
}  // namespace cereus
