// Where a routine waits for ghost zones, those that the routines behind it read come in the same exchange.
#pragma once
#include "cereus/exchange.hpp"
namespace cereus {
// What the routines behind this one, in its bin or group, read at neighbours and nobody writes in between, an access a
// variable, and who reads it. The search ends at a group, an update of the state, and a routine that runs now and then.
struct Later {
  VariableAccess access;
  const Routine* routine;
};
std::vector<Later> later_reads(const Simulation&, const Routine&);
// Adds to the stale ghost zones of a routine those that routines behind it will read, if there are any to fill.
void add_later(Simulation&, const Reader&, Stale&);
// Where a routine reads and writes.
Space where_of(const Simulation&, const Routine&);
}  // namespace cereus
