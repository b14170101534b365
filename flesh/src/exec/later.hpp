// Where a routine waits for ghost zones, those that the routines behind it read come in the same exchange.
#pragma once
#include "cereus/exchange.hpp"
namespace cereus {
// What the routines behind this one, in its bin or group, read at neighbours and nobody writes in between, an access a
// variable, and who reads it. Not behind a group, an update, or a routine that runs now and then: those may change what
// they like.
struct Later {
  VariableAccess access;
  const Routine* routine;
};
std::vector<Later> later_reads(const Simulation&, const Routine&);
// Adds to what is stale for a routine what is so for those behind it, where ghost zones are filled anyway.
void add_later(Simulation&, const Reader&, Stale&);
// Where a routine reads and writes.
Space where_of(const Simulation&, const Routine&);
}  // namespace cereus
